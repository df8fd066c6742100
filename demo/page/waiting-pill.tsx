import { useCallback, useState } from "react";
import { Icon } from "./icons.tsx";
import type { Words } from "./words/words.ts";

interface WaitingPillProps {
  words: Words;
  /** How many questions wait for an answer. */
  count: number;
  /** The first card of them that is out of sight. */
  next: HTMLElement | undefined;
}

/** How many questions wait, when the card of one of them is out of sight. A press leads to that card. */
export function WaitingPill({ words, count, next }: WaitingPillProps): React.JSX.Element | null {
  if (next === undefined) return null;

  function jump(): void {
    next?.scrollIntoView({ block: "start" });
    next?.querySelector<HTMLElement>("h3")?.focus({ preventScroll: true });
  }

  return (
    <button type="button" className="pill" onClick={jump}>
      <Icon name="pause" />
      {words.questionsWaiting(count)}
      <Icon name="down" />
    </button>
  );
}

/** For the `ref` of a card: observes it until it is removed. */
export type Watch = (card: HTMLElement | null) => (() => void) | undefined;

/** Returns the first observed card on the page that is almost completely out of view. */
export function useOutOfSight(): [HTMLElement | undefined, Watch] {
  const [hidden, setHidden] = useState<readonly HTMLElement[]>([]);
  const watch: Watch = useCallback((card) => {
    if (card === null) return;
    const forget = (): void => setHidden((all) => all.filter((one) => one !== card));
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.at(-1)?.isIntersecting === true) forget();
        else setHidden((all) => [...all.filter((one) => one !== card), card].toSorted(byPlace));
      },
      // Reduced by what the header and the composer cover, and by the part of a card that is enough to notice it.
      { rootMargin: "-96px 0px -200px 0px" },
    );
    observer.observe(card);
    return () => {
      observer.disconnect();
      forget();
    };
  }, []);
  return [hidden[0], watch];
}

function byPlace(a: HTMLElement, b: HTMLElement): number {
  return a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}
