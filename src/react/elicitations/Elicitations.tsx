"use client";
import { createElement, Fragment, type ReactElement, type ReactNode, useEffect, useState } from "react";
import { isOpen } from "../../client/index.ts";
import { type BoundElicitation, isWaiting } from "../bound-elicitation.ts";
import { ElicitationPrompt } from "../elicitation-prompt/ElicitationPrompt.tsx";
import type { CardSettings } from "../card-props.ts";
import { useSettings } from "../elicitation-provider.tsx";
import { loadFormCard, useFormCard } from "./form-card.ts";
import { ElicitationAnnouncer } from "../prompt/live-region.tsx";
import { questionPosition } from "../prompt/status-text.ts";
import { useElicitationList, type UseElicitationListOptions } from "../use-elicitation-list.ts";

export type ElicitationsProps = UseElicitationListOptions &
  CardSettings & {
    /**
     * How a hidden page shows that requests wait. `title`: its title begins with their number, as in `(1) Chat`.
     * `notification`: also a system notification, without the text of the question. The app must request the permission
     * for it.
     * @default "title"
     */
    attention?: "title" | "notification" | "off" | undefined;
    /**
     * Where the requests appear. `list`: all requests, one below the other. `composer`: the open ones, one at a time,
     * instead of the composer, which is then the child. `log`: the parts for the conversation, which are receipts and a
     * line for each request at the composer.
     * @default "list"
     */
    placement?: "list" | "composer" | "log" | undefined;
    /** With `placement="composer"`: your composer. It keeps its draft while a question replaces it. */
    children?: ReactNode;
  };

/** With more dots than this, only the text shows the position. */
const MOST_PIPS = 12;

/**
 * The drop-in: all requests of a conversation as cards, in the order in which they were asked, ended ones as receipts.
 * Keep it mounted: screen readers announce changes only in a live region that was on the page before.
 *
 * @example
 * <Elicitations client={elicit} conversationId={chat.id} messages={chat.messages} />
 */
export function Elicitations(props: ElicitationsProps) {
  const { components, secrets, placement, children } = props;
  const isInLog = placement === "log";
  const isAtComposer = placement === "composer";
  const attention = isInLog ? "off" : (props.attention ?? "title");
  const { catalogue, onAskAgain } = useSettings(props);
  useEffect(() => void loadFormCard(), []);
  const { elicitations } = useElicitationList(props);
  const waiting = elicitations.filter(isWaiting);
  useAttention(waiting.map(({ id }) => id).join(" "), attention, catalogue.title("form"));
  const later = useFormCard();
  const dock = typeof later === "string" ? undefined : later;
  const [composer, setComposer] = useState<HTMLElement | null>(null);
  const [isHidden, hideComposer] = useState(false);
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
    return (
      <div className="elicit-list">
        <ElicitationAnnouncer>
          {dock
            ? createElement(dock.Dock, {
                elicitations,
                catalogue,
                card,
                composer,
                hideComposer,
                onSendMessage: onAskAgain,
              })
            : elicitations.filter(isOpen).map(card)}
        </ElicitationAnnouncer>
        {children !== undefined && (
          <div ref={setComposer} hidden={isHidden}>
            {children}
          </div>
        )}
      </div>
    );
  }
  return (
    <div className="elicit-list">
      <ElicitationAnnouncer>
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
      </ElicitationAnnouncer>
    </div>
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
