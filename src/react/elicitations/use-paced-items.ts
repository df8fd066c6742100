import { useEffect, useState } from "react";
import type { ElicitationItem } from "../../client/elicitation.ts";
import { hasEnded, isOpen } from "../../client/ended.ts";

/** An answer that is delivered within this time is never shown as being sent. */
const BUSY_AFTER_MS = 100;
/** The receipt gives the agent's next word this time to appear first. */
const RECEIPT_AFTER_MS = 60;

type Items = readonly ElicitationItem[];

/**
 * The items as the cards show them. After an answer the user waits for the agent's next word, so a card changes a moment
 * later: to "being sent" only if that takes long, and to its receipt after that word. Every other change is shown at once.
 */
export function usePacedItems(items: Items): Items {
  const [shown, setShown] = useState(items);
  const pause = shown === items ? 0 : pauseBetween(shown, items);
  if (pause === 0 && shown !== items) setShown(items);
  useEffect(() => {
    if (pause === 0) return undefined;
    const timer = setTimeout(() => setShown(items), pause);
    return () => clearTimeout(timer);
  }, [items, pause]);
  return pause === 0 ? items : shown;
}

/** How long the cards can still show the first items. */
function pauseBetween(shown: Items, items: Items): number {
  if (shown.length !== items.length) return 0;
  const pauses = items
    .map((item, index) => pauseOf(shown[index], item))
    .filter((pause) => pause !== undefined);
  return pauses.length === 0 ? 0 : Math.min(...pauses);
}

/** `undefined`: the item has not changed. */
function pauseOf(shown: ElicitationItem | undefined, item: ElicitationItem): number | undefined {
  if (shown === item) return undefined;
  if (shown === undefined || shown.id !== item.id || !isOpen(shown)) return 0;
  if (item.status === "submitting") return shown.status === "submitting" ? 0 : BUSY_AFTER_MS;
  return hasEnded(item.status) && item.action !== undefined ? RECEIPT_AFTER_MS : 0;
}
