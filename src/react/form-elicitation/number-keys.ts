import type { KeyboardEvent } from "react";
import { isAboutComposition } from "../prompt/keys.ts";

const TEXT = 'textarea, select, [contenteditable], input:not([type="radio"], [type="checkbox"])';

/** 1 to 9 choose and focus an option of a form with one question; the number after the last leads to own words. */
export function pickByNumber(event: KeyboardEvent<HTMLElement>): void {
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
