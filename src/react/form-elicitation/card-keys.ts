import type { KeyboardEvent } from "react";
import { isAboutComposition } from "../prompt/keys.ts";

const TEXT = 'textarea, select, [contenteditable], input:not([type="radio"], [type="checkbox"])';

/** Elements in which Enter has another function. */
const ENTERED = `${TEXT}, a, button, input, summary`;

/** Handles keys of a form outside of its controls. */
export function onCardKey(event: KeyboardEvent<HTMLElement>): void {
  pickByNumber(event);
  leadToSend(event);
}

/**
 * Enter on the card itself focuses the button that shows the key. It does not press it, because the card may have taken
 * the focus while the user meant something else. A held Enter does nothing, so that users do not send a form before
 * reading it.
 */
function leadToSend(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget: card, nativeEvent } = event;
  if (key !== "Enter" || event.defaultPrevented || isAboutComposition(nativeEvent)) return;
  if (!(target instanceof Element) || target.closest("textarea, [contenteditable]") !== null) return;
  if (event.repeat) return event.preventDefault();
  if (target.closest(ENTERED) !== null || event.ctrlKey || event.metaKey || event.altKey) return;
  const submit = card.querySelector<HTMLElement>('[type="submit"]:has([data-icon="enter"])');
  if (submit === null) return;
  event.preventDefault();
  submit.focus();
}

/**
 * The keys 1 to 9 select and focus an option in a form with one question, and press it where that is the answer. The number
 * after the last option focuses the free text.
 */
function pickByNumber(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget: card, nativeEvent } = event;
  if (event.repeat || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!/^[1-9]$/.test(key) || isAboutComposition(nativeEvent)) return;
  if (target instanceof Element && target.closest(TEXT) !== null) return;
  const choices = card.querySelectorAll<HTMLElement>(
    '[data-keys] :is(input[type="radio"], button), [data-own-words] textarea',
  );
  const choice = choices.item(Number(key) - 1);
  if (choice === null || card.querySelector("[data-keys]") === null) return;
  event.preventDefault();
  choice.focus();
  if (!choice.matches("textarea")) choice.click();
}
