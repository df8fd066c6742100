import type { KeyboardEvent } from "react";
import { isAboutComposition } from "../prompt/keys.ts";

const TEXT = 'textarea, select, [contenteditable], input:not([type="radio"], [type="checkbox"])';

/** What does something else on Enter. */
const ENTERED = `${TEXT}, a, button, input, summary`;

/** The keys of a form that are not those of one of its controls. */
export function onCardKey(event: KeyboardEvent<HTMLElement>): void {
  pickByNumber(event);
  leadToSend(event);
}

/**
 * Enter on the card itself leads to the button that shows the key. It does not press it: the card may have taken the focus
 * from under a user who means something else. A held Enter does nothing, so that nobody sends what they have not read.
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

/** 1 to 9 choose and focus an option of a form with one question; the number after the last leads to own words. */
function pickByNumber(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget: card, nativeEvent } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!/^[1-9]$/.test(key) || isAboutComposition(nativeEvent)) return;
  if (target instanceof Element && target.closest(TEXT) !== null) return;
  const choices = card.querySelectorAll<HTMLElement>(
    '[data-keys] input[type="radio"], [data-own-words] textarea',
  );
  const choice = choices.item(Number(key) - 1);
  if (choice === null || card.querySelector("[data-keys]") === null) return;
  event.preventDefault();
  choice.focus();
  if (choice instanceof HTMLInputElement) choice.click();
}
