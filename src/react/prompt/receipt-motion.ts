const MOTION = { duration: 180, easing: "cubic-bezier(0.2, 0, 0, 1)" };
const followed = new WeakSet<HTMLElement>();

/**
 * Lets a card become a receipt without a jump or an empty frame: the rows that React has removed fade where they were, and
 * the height follows, so that content below does not jump.
 */
export function followReceipt(card: HTMLElement): void {
  if (followed.has(card) || typeof ResizeObserver === "undefined") return;
  followed.add(card);
  let height: number | undefined;
  // Measured by the browser itself, after its own layout and before it paints. Reading a height here would force a layout.
  const size = new ResizeObserver(([entry]) => {
    const now = entry?.borderBoxSize[0]?.blockSize;
    if (card.dataset["over"] === undefined) return void (height = now);
    size.disconnect();
    if (height === undefined || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    card.animate({ height: [`${height}px`, `${now}px`], overflow: ["clip", "clip"] }, MOTION);
  });
  size.observe(card);
  // Called before the browser paints the change.
  const end = new MutationObserver((changes) => {
    if (card.dataset["over"] === undefined) return;
    end.disconnect();
    const rows = changes.flatMap(({ target, removedNodes }) =>
      isPlaceOfRows(target, card) ? [...removedNodes] : [],
    );
    if (card.matches(".elicit-card") && rows.length > 0) fade(rows, card);
  });
  end.observe(card, { subtree: true, childList: true, attributeFilter: ["data-over"] });
}

function isPlaceOfRows(target: Node, card: HTMLElement): boolean {
  return target === card || (target.parentNode === card && target.nodeName === "FORM");
}

/** Shows removed rows once more, out of the flow. The style sheet fades them. Without an animation there is nothing to show. */
function fade(rows: readonly Node[], card: HTMLElement): void {
  // The style sheet lays out rows in a form differently.
  const ghost = card.ownerDocument.createElement(
    card.querySelector(":scope > form") === null ? "div" : "form",
  );
  ghost.className = "elicit-ghost";
  ghost.inert = true;
  ghost.setAttribute("aria-hidden", "true");
  ghost.append(...rows);
  card.append(ghost);
  const motions = ghost.getAnimations().map(({ finished }) => finished);
  const remove = () => ghost.remove();
  if (motions.length === 0) return remove();
  void Promise.all(motions).then(remove, remove);
}
