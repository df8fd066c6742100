/** The key code of keys that an input method handles. */
const TAKEN = 229;

/**
 * Whether a key belongs to an input method that composes a character. Safari ends the composition before it reports the
 * key that ended it, and marks that key only by its code.
 */
export function isAboutComposition({
  isComposing,
  keyCode,
}: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean {
  return isComposing || keyCode === TAKEN;
}

/** Elements in which users type or select: inputs, and everything inside a question. */
const CONTROLS = "input, textarea, select, [contenteditable], [data-field] *";

/** Whether the element is a control, or inside of one. */
export function isControl(element: Element): boolean {
  return element.closest(CONTROLS) !== null;
}

/**
 * Whether the focused control handles Escape itself: a search box is cleared, an open list or the code for a phone is
 * closed.
 */
export function usesEscape(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement && target.type === "search" && target.value !== "") return true;
  return target instanceof Element && target.closest('[aria-expanded="true"], .elicit-code') !== null;
}

/**
 * Moves the focus from a control to the question around it. Tab then returns to the control. Returns `false` if the
 * target is not in a control.
 */
export function leaveControl(target: EventTarget | null): boolean {
  const control = target instanceof Element ? target.closest(CONTROLS) : null;
  const place = control?.closest<HTMLElement>('[data-field], [data-elicitation], [role="dialog"]');
  if (place === null || place === undefined) return false;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
  return true;
}
