import { useCallback, useState } from "react";
import { Icon } from "./icons.tsx";
import type { Words } from "./words/en.ts";

interface WaitingPillProps {
  words: Words;
  /** The number of requests that wait for an answer. */
  count: number;
  /** The first card among them that is not visible. */
  next: Hidden | undefined;
}

/**
 * In the strip of a turn that waits: the number of waiting requests, while a card is out of view. A click scrolls to that
 * card. While the pill has the focus, it stays: a card that came into view would take it away under the user's press.
 */
export function WaitingPill({ words, count, next }: WaitingPillProps): React.JSX.Element {
  const [held, setHeld] = useState<Hidden>();
  const shown = next ?? held;
  if (shown === undefined) return <span>{words.waitingForYou}</span>;

  function jump(): void {
    shown?.card.scrollIntoView({ block: "start" });
    shown?.card.querySelector<HTMLElement>("h3")?.focus({ preventScroll: true });
  }

  return (
    <button
      type="button"
      className="pill"
      // Safari gives a pressed button no focus.
      onPointerDown={({ currentTarget }) => currentTarget.focus()}
      onMouseDown={(event) => event.preventDefault()}
      onFocus={() => setHeld(shown)}
      onBlur={() => setHeld(undefined)}
      onClick={jump}
    >
      {words.questionsWaiting(count)}
      <Icon name={shown.isAbove ? "up" : "down"} />
    </button>
  );
}

/** A card that is almost completely out of view. */
interface Hidden {
  readonly card: HTMLElement;
  /** Whether the card is above the visible area. */
  readonly isAbove: boolean;
}

/** For the `ref` of a card: observes it until it is removed. */
export type Watch = (card: HTMLElement | null) => (() => void) | undefined;

/** The height of the header, plus the part of a card that a user would notice. */
const TOP = "-96px";
/** The same for the composer. */
const BOTTOM = "-200px";
/** Below any card. */
const ENDLESS = "1000000px";

/** Returns the first observed card on the page that is out of sight. */
export function useOutOfSight(): [Hidden | undefined, Watch] {
  const [hidden, setHidden] = useState<readonly Hidden[]>([]);
  const watch: Watch = useCallback((card) => {
    if (card === null) return;
    let isInView = true;
    let isAbove = false;
    const tell = (): void =>
      setHidden((all) => {
        const others = all.filter((one) => one.card !== card);
        return isInView ? others : [...others, { card, isAbove }].toSorted(byPlace);
      });
    const stop = [
      observe(card, `${TOP} 0px ${BOTTOM} 0px`, (isSeen) => {
        isInView = isSeen;
        tell();
      }),
      // If the page jumps past a card, the card never enters the view.
      observe(card, `${TOP} 0px ${ENDLESS} 0px`, (isSeen) => {
        isAbove = !isSeen;
        tell();
      }),
    ];
    return () => {
      for (const end of stop) end();
      setHidden((all) => all.filter((one) => one.card !== card));
    };
  }, []);
  return [hidden[0], watch];
}

function observe(card: HTMLElement, rootMargin: string, tell: (isSeen: boolean) => void): () => void {
  const observer = new IntersectionObserver((entries) => tell(entries.at(-1)?.isIntersecting === true), {
    rootMargin,
  });
  observer.observe(card);
  return () => observer.disconnect();
}

function byPlace(a: Hidden, b: Hidden): number {
  return a.card.compareDocumentPosition(b.card) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}
