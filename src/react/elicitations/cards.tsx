"use client";
import { createElement, Fragment, type ReactElement, useEffect, useMemo } from "react";
import type { ElicitationItem } from "../../client/elicitation.ts";
import { isOpen } from "../../client/ended.ts";
import { type BoundElicitation, createBinder, isWaiting } from "../bound-elicitation.ts";
import { ElicitationPrompt } from "../elicitation-prompt/ElicitationPrompt.tsx";
import { questionPosition } from "../prompt/status-text.ts";
import { useSettings } from "../use-settings.ts";
import { lateDock, useLate } from "./lazy-cards.ts";
import type { ElicitationsProps } from "./props.ts";
import { usePacedItems } from "./use-paced-items.ts";

/** With more dots than this, only the text shows the position. */
const MOST_PIPS = 12;

interface CardsProps extends Pick<
  ElicitationsProps,
  "attention" | "catalogue" | "client" | "components" | "onAskAgain" | "placement" | "secrets"
> {
  readonly items: readonly ElicitationItem[];
  /** The wrapper of the app's composer, if there is one. */
  readonly composer: HTMLElement | null;
  readonly hideComposer: (isHidden: boolean) => void;
}

/** The requests of a conversation as cards, at the place that the app has chosen. */
export function Cards({ client, items, composer, hideComposer, ...props }: CardsProps): ReactElement {
  const shown = usePacedItems(items);
  const bind = useMemo(() => createBinder(client), [client]);
  const elicitations = useMemo(() => shown.map(bind), [shown, bind]);
  const { components, secrets, placement } = props;
  const isInLog = placement === "log";
  const isAtComposer = placement === "composer";
  const attention = isInLog ? "off" : (props.attention ?? "title");
  const { catalogue, onAskAgain } = useSettings(props);
  const waiting = elicitations.filter(isWaiting);
  useAttention(waiting.map(({ id }) => id).join(" "), attention, catalogue.title("form"));
  const late = useLate(lateDock);
  const dock = typeof late === "string" ? undefined : late;
  function card(elicitation: BoundElicitation): ReactElement | undefined {
    if (isInLog && isOpen(elicitation)) {
      return dock && createElement(dock.WaitingLine, { key: elicitation.id, elicitation, catalogue });
    }
    return (
      <ElicitationPrompt
        key={elicitation.id}
        elicitation={elicitation}
        catalogue={props.catalogue}
        components={components}
        secrets={secrets}
        onAskAgain={props.onAskAgain}
      />
    );
  }
  const places = new Map(waiting.map(({ id }, index) => [id, index]));
  /** A card with its position, if several wait. */
  function numbered(elicitation: BoundElicitation): ReactElement {
    const place = places.get(elicitation.id);
    return (
      <Fragment key={elicitation.id}>
        {place !== undefined && places.size > 1 && !isInLog && (
          <p className="elicit-progress">{questionPosition(place, places.size, catalogue)}</p>
        )}
        {card(elicitation)}
      </Fragment>
    );
  }
  if (isAtComposer) {
    return dock ? (
      createElement(dock.Dock, {
        elicitations,
        catalogue,
        card,
        composer,
        hideComposer,
        onSendMessage: onAskAgain,
      })
    ) : (
      <>{elicitations.filter(isOpen).map(card)}</>
    );
  }
  return (
    <>
      {groupByRound(elicitations).map((group) => {
        const [first] = group;
        const round = first.request.round;
        if (round === undefined || round.size < 2) return group.map(numbered);
        const answered = group.filter((item) => !isWaiting(item)).length;
        const pips = Array.from({ length: Math.min(round.size, MOST_PIPS) }, (_, index) => (
          <i key={index} data-done={index < answered ? "" : undefined} />
        ));
        return (
          <fieldset key={round.id} className="elicit-round">
            <legend className="elicit-progress">
              <span className="elicit-pips" aria-hidden="true">
                {pips}
              </span>
              <span>{catalogue.roundProgress(answered, round.size)}</span>
            </legend>
            {group.map(card)}
          </fieldset>
        );
      })}
    </>
  );
}

// Outside the hook, because React Compiler skips hooks that contain `import()`.
const loadAttention = () => import("./attention.ts");

function useAttention(ids: string, attention: ElicitationsProps["attention"], text: string): void {
  useEffect(() => {
    if (ids === "" || attention === "off") return undefined;
    let stop: (() => void) | undefined;
    let isLeft = false;
    const notification = attention === "notification" ? text : undefined;
    async function call(): Promise<void> {
      try {
        const { callForAttention } = await loadAttention();
        if (!isLeft) stop = callForAttention({ ids: ids.split(" "), notification });
      } catch {
        // The code could not be loaded. The cards still work.
      }
    }
    void call();
    return () => {
      isLeft = true;
      stop?.();
    };
  }, [ids, attention, text]);
}

type Group = readonly [BoundElicitation, ...BoundElicitation[]];

/** Groups the requests of a round, at the position of its first one. */
function groupByRound(elicitations: readonly BoundElicitation[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const elicitation of elicitations) {
    const { round } = elicitation.request;
    const key = round === undefined ? `item ${elicitation.id}` : `round ${round.id}`;
    const group = groups.get(key);
    groups.set(key, group === undefined ? [elicitation] : [...group, elicitation]);
  }
  return [...groups.values()];
}
