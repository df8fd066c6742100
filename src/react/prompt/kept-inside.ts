import type { KeyboardEvent, SyntheticEvent } from "react";

function stop(event: SyntheticEvent): void {
  event.stopPropagation();
}

/**
 * Handlers of a card's outermost element. React events reach all components around it: a form of the app would take
 * answers, also secret ones, for changes of its own fields.
 */
export const keptInside = {
  onChange: stop,
  onInput: stop,
  onInvalid: stop,
  onReset: stop,
} as const;

/** Enter in a card must not send the message of a chat around it. Call it after the card has handled the key. */
export function keepEnterInside(event: KeyboardEvent): void {
  if (event.key === "Enter") event.stopPropagation();
}

/** Handlers around a portal, whose events reach the app's components although its elements are somewhere else. */
export const keptInPortal = {
  ...keptInside,
  onSubmit: stop,
  onClick: stop,
  onDoubleClick: stop,
  onKeyDown: stop,
  onKeyUp: stop,
  onPaste: stop,
  onDrop: stop,
  onMouseDown: stop,
  onTouchStart: stop,
} as const;
