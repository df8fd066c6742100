/** Where people put something in: inputs, and all that stands within a question of a form. */
const CONTROLS = "input, textarea, select, [contenteditable], [data-field] *";

/** Whether somebody may be putting something in there. */
export function isControl(element: Element): boolean {
  return element.closest(CONTROLS) !== null;
}

/**
 * Whether Escape does something within the control that has the focus: it empties a search box, and closes a list that
 * is open.
 */
export function usesEscape(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement && target.type === "search" && target.value !== "") return true;
  return target instanceof Element && target.closest('[aria-expanded="true"]') !== null;
}

/**
 * Takes the focus out of a control, to the question around it, from where Tab leads back in. Returns `false` when the
 * focus is in no control.
 */
export function leaveControl(target: EventTarget | null): boolean {
  const control = target instanceof Element ? target.closest(CONTROLS) : null;
  const place = control?.closest<HTMLElement>('[data-field], [data-elicitation], [role="dialog"]');
  if (place === null || place === undefined) return false;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
  return true;
}
