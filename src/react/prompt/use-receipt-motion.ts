import { type RefObject, useRef } from "react";
import { useBrowserLayoutEffect } from "../browser-layout-effect.ts";

const MOTION = { duration: 180, easing: "cubic-bezier(0.2, 0, 0, 1)" };

/** Lets the height of a card follow when it becomes a receipt, so that what stands below does not jump. */
export function useReceiptMotion(rootRef: RefObject<HTMLElement | null>, over: boolean): void {
  const height = useRef<number>(undefined);
  useBrowserLayoutEffect(() => {
    const card = rootRef.current;
    if (card === null || typeof ResizeObserver === "undefined") return undefined;
    if (over) {
      const from = height.current;
      height.current = undefined;
      if (from === undefined || matchMedia("(prefers-reduced-motion: reduce)").matches) return undefined;
      const heights = [`${from}px`, `${card.offsetHeight}px`];
      card.animate({ height: heights, overflow: ["clip", "clip"] }, MOTION);
      return undefined;
    }
    // Measured when the browser has laid out anyway: reading a height after each change would make it do so.
    const watch = new ResizeObserver(() => {
      height.current = card.offsetHeight;
    });
    watch.observe(card);
    return () => watch.disconnect();
  }, [rootRef, over]);
}
