const MOTION = { duration: 180, easing: "cubic-bezier(0.2, 0, 0, 1)" };
const followed = new WeakSet<HTMLElement>();

/** Animates the height of a card when it becomes a receipt, so that content below does not jump. */
export function followHeight(card: HTMLElement): void {
  if (followed.has(card) || typeof ResizeObserver === "undefined") return;
  followed.add(card);
  let height: number | undefined;
  // Measured when the browser has already computed the layout, because reading a height after each change would force a
  // layout.
  const size = new ResizeObserver(() => {
    height = card.offsetHeight;
  });
  size.observe(card);
  // Called before the browser paints the change.
  const end = new MutationObserver(() => {
    size.disconnect();
    end.disconnect();
    if (height === undefined || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const heights = [`${height}px`, `${card.offsetHeight}px`];
    card.animate({ height: heights, overflow: ["clip", "clip"] }, MOTION);
  });
  end.observe(card, { attributeFilter: ["data-over"] });
}
