"use client";
import { type FormEvent, type ReactElement, useEffect, useRef, useState } from "react";
import type { Catalogue } from "../../words/cards/catalogue.ts";
import { isOpen } from "../../client/ended.ts";
import type { BoundElicitation } from "../bound-elicitation.ts";
import { useBrowserLayoutEffect } from "../use-shared.ts";
import { icon } from "../prompt/icon.tsx";
import { keepEnterInside, keptInside } from "../prompt/kept-inside.ts";
import { useLiveRegion } from "../prompt/live-region.tsx";
import { questionPosition, statusText, titleText } from "../prompt/status-text.ts";
import { activeElementFor, focusCard, isNowhere, spoken } from "../prompt/use-prompt-root.ts";

/**
 * The name of the event with which a line in the conversation shows its request. It goes through the document, because
 * the line and the dock may be in different shadow roots.
 */
const SHOW = "elicit-show";

/** The card that is shown. */
const SHOWN = "[data-shown] [data-elicitation]";

interface DockProps {
  readonly elicitations: readonly BoundElicitation[];
  readonly catalogue: Catalogue;
  readonly card: (elicitation: BoundElicitation) => ReactElement | undefined;
  /** The wrapper of the app's composer, if there is one. */
  readonly composer: HTMLElement | null;
  readonly hideComposer: (isHidden: boolean) => void;
  readonly onSendMessage: ((text: string, elicitation: BoundElicitation) => void) | undefined;
}

/** The question that the user has selected, and whether it was already answered for its round. */
interface Chosen {
  readonly id: string;
  readonly wasAnswered: boolean;
}

/** Shows one open request at a time instead of the composer. */
export function Dock({
  elicitations,
  catalogue,
  card,
  composer,
  hideComposer,
  onSendMessage,
}: DockProps): ReactElement {
  const rootRef = useRef<HTMLElement>(null);
  const { announce } = useLiveRegion();
  const [chosen, setChosen] = useState<Chosen>();
  const [isWriting, setWriting] = useState(false);
  const open: readonly BoundElicitation[] = elicitations.filter(isOpen);
  const shown = shownOf(open, chosen);
  const hasOpen = shown !== undefined;
  if (!hasOpen && isWriting) setWriting(false);

  useBrowserLayoutEffect(() => {
    const field = composer?.querySelector<HTMLElement>(":focus");
    if (hasOpen && !isWriting && field) {
      // A user who is typing keeps the focus. A user who has just sent a message gets the question.
      if (holdsText(field)) return setWriting(true);
      field.blur();
    }
    hideComposer(hasOpen && !isWriting);
  }, [composer, hideComposer, hasOpen, isWriting]);

  const hadFocus = useRef(false);
  useBrowserLayoutEffect(() => {
    const root = rootRef.current;
    const isHidden = root?.querySelector("[hidden] :focus") !== null;
    if (!hadFocus.current || !(isHidden || isNowhere(activeElementFor(root)))) return;
    const next = root?.querySelector<HTMLElement>(SHOWN);
    if (next) return focusTitle(next);
    hadFocus.current = false;
    fieldOf(composer)?.focus();
  });

  const wasOpen = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    // The card of an ended request is gone, so announce the outcome here.
    for (const item of elicitations) {
      const text = isOpen(item) || !wasOpen.current.has(item.id) ? undefined : statusText(item, catalogue);
      if (text !== undefined) announce(text, catalogue.submitting);
    }
    wasOpen.current = new Set(elicitations.filter(isOpen).map(({ id }) => id));
  }, [elicitations, catalogue, announce]);

  useEffect(() => {
    const page = rootRef.current?.ownerDocument;
    function show(event: Event): void {
      const item = elicitations.find((one) => event instanceof CustomEvent && one.id === event.detail);
      if (item === undefined || !isOpen(item)) return;
      setChosen({ id: item.id, wasAnswered: item.status === "answered" });
      // Wait until the element is visible.
      requestAnimationFrame(() => {
        const place = rootRef.current?.querySelector<HTMLElement>(SHOWN);
        if (!place) return;
        place.scrollIntoView({ block: "nearest" });
        focusTitle(place);
      });
    }
    page?.addEventListener(SHOW, show);
    return () => page?.removeEventListener(SHOW, show);
  }, [elicitations]);

  const at = shown === undefined ? -1 : open.indexOf(shown);
  function turnBy(step: 1 | -1): void {
    const next = open[(at + step + open.length) % open.length];
    if (next === undefined) return;
    setChosen({ id: next.id, wasAnswered: next.status === "answered" });
    announce(spoken(position(open.indexOf(next)), titleText(next, catalogue)));
  }
  const number = (value: number): string => value.toLocaleString(catalogue.locale);
  const position = (index: number): string => questionPosition(index, open.length, catalogue);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keeps events of its cards from the app
    <section
      className="elicit-dock"
      data-empty={hasOpen ? undefined : ""}
      data-several={open.length > 1 ? "" : undefined}
      ref={rootRef}
      lang={catalogue.locale}
      dir={catalogue.dir}
      {...keptInside}
      onKeyDown={keepEnterInside}
      onFocus={() => {
        hadFocus.current = true;
      }}
      // As in `usePromptRoot`: nothing has the focus between the blur and the next focus.
      onBlur={() => {
        hadFocus.current = false;
      }}
    >
      {open.map((item) => (
        // All questions stay mounted, so that each keeps its input while another is shown.
        <div key={item.id} hidden={item !== shown} data-shown={item === shown ? "" : undefined}>
          {card(item)}
        </div>
      ))}
      {open.length > 1 && (
        <fieldset className="elicit-turner" aria-label={position(at)}>
          <button type="button" aria-label={catalogue.back} onClick={() => turnBy(-1)} />
          <span aria-hidden="true">{`${number(at + 1)}/${number(open.length)}`}</span>
          <button type="button" aria-label={catalogue.next} onClick={() => turnBy(1)} />
        </fieldset>
      )}
      {shown?.takesSentence === true && !isWriting && (
        <Sentence key={shown.id} elicitation={shown} catalogue={catalogue} onSendMessage={onSendMessage} />
      )}
      {hasOpen &&
        composer !== null &&
        !(shown?.takesSentence === true && !hasFailed(shown) && !isWriting) && (
          <div className="elicit-say">
            <span>{catalogue.messageWithdraws(open.length)}</span>
            {!isWriting && (
              <button
                type="button"
                className="elicit-button elicit-quiet"
                onClick={() => {
                  setWriting(true);
                  // Wait until the element is visible.
                  requestAnimationFrame(() => fieldOf(composer)?.focus());
                }}
              >
                {catalogue.writeMessage}
              </button>
            )}
          </div>
        )}
    </section>
  );
}

/** Whether the last sentence filled in no field. It may be meant as a message. */
function hasFailed({ proposal }: BoundElicitation): boolean {
  return proposal?.state === "nothing" || proposal?.state === "failed";
}

interface SentenceProps {
  readonly elicitation: BoundElicitation;
  readonly catalogue: Catalogue;
  readonly onSendMessage: ((text: string, elicitation: BoundElicitation) => void) | undefined;
}

/** A text field that fills in the form above it. It keeps a sentence that filled in nothing, to send it as a message. */
function Sentence({ elicitation, catalogue, onSendMessage }: SentenceProps): ReactElement {
  const [text, setText] = useState("");
  const [read, setRead] = useState("");
  const { proposal, status, propose } = elicitation;
  const isBusy = proposal?.state === "asking" || status !== "pending";
  async function onSubmit(event: FormEvent): Promise<void> {
    event.preventDefault();
    event.stopPropagation();
    if (isBusy || text.trim() === "") return;
    setRead(text);
    if (await propose(text)) setText((now) => (now === text ? "" : now));
  }
  const isRefused = hasFailed(elicitation) && text === read && text !== "";
  return (
    <form className="elicit-say" onSubmit={(event) => void onSubmit(event)}>
      <input
        aria-label={catalogue.saySentence}
        placeholder={catalogue.saySentence}
        autoComplete="off"
        maxLength={4000}
        dir={text === "" ? undefined : "auto"}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {isRefused && onSendMessage && (
        <button
          type="button"
          className="elicit-button elicit-quiet"
          onClick={() => onSendMessage(text, elicitation)}
        >
          {catalogue.sendAsMessage}
        </button>
      )}
      <button
        type="submit"
        aria-label={catalogue.fillIn}
        aria-disabled={isBusy || undefined}
        data-on={text.trim() === "" ? undefined : ""}
      >
        {icon("up")}
      </button>
    </form>
  );
}

/** Returns the question that the user has selected, until it is answered, else the first that waits. */
function shownOf(
  open: readonly BoundElicitation[],
  chosen: Chosen | undefined,
): BoundElicitation | undefined {
  const own = open.find(({ id, status }) => {
    return id === chosen?.id && (status !== "answered" || chosen.wasAnswered);
  });
  return own ?? open.find(({ status }) => status !== "answered") ?? open[0];
}

function focusTitle(card: HTMLElement): void {
  focusCard(card.querySelector<HTMLElement>(".elicit-title") ?? card);
}

const FIELDS = "textarea, input:not([type=hidden]), [contenteditable]:not([contenteditable=false])";

function fieldOf(composer: HTMLElement | null): HTMLElement | null | undefined {
  return composer?.querySelector<HTMLElement>(FIELDS);
}

function holdsText(field: HTMLElement): boolean {
  const isInput = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  return field.matches(FIELDS) && (isInput ? field.value : field.textContent) !== "";
}

/** The line in the conversation for a request at the composer, with a link to it. */
export function WaitingLine({
  elicitation,
  catalogue,
}: {
  elicitation: BoundElicitation;
  catalogue: Catalogue;
}): ReactElement {
  const { id } = elicitation;
  return (
    <p className="elicit-wait" lang={catalogue.locale} dir={catalogue.dir}>
      <i aria-hidden="true" />
      <span>
        <span>{`${catalogue.waitsForYou} · `}</span>
        <button
          type="button"
          className="elicit-link-button"
          onClick={({ currentTarget }) =>
            currentTarget.ownerDocument.dispatchEvent(new CustomEvent(SHOW, { detail: id }))
          }
        >
          {titleText(elicitation, catalogue)}
        </button>
      </span>
    </p>
  );
}
