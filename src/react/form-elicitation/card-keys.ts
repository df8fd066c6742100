import type { FocusEvent, KeyboardEvent } from "react";
import { isAboutComposition } from "../prompt/keys.ts";

const TEXT = 'textarea, select, [contenteditable], input:not([type="radio"], [type="checkbox"])';

/** Elements that a user has focused, and in which Enter has another function. */
const ENTERED = `${TEXT}, a, button, input, summary`;

/** Elements in which Page Up scrolls, or changes the value. */
const PAGED = 'textarea, select, [type="range"], [contenteditable], [data-long]';

/** Handles keys of a form outside of its controls. */
export function onCardKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.defaultPrevented || isAboutComposition(event.nativeEvent)) return;
  if (event.key === "PageUp") return goBack(event);
  if (event.key !== "Enter") return pickByNumber(event);
  leadToNext(event);
  leadToSend(event);
}

/**
 * Labels the Enter key of a phone's keyboard by what it does: it leads to the next question, or sends the form. In a form
 * that asks one question at a time, it always leads to the next one.
 */
export function labelEnter({ target, currentTarget }: FocusEvent<HTMLElement>, isStep: boolean): void {
  if (!(target instanceof HTMLInputElement)) return;
  target.enterKeyHint = isStep || nextQuestion(target, currentTarget) !== undefined ? "next" : "send";
}

/** With a mouse, Enter in an input sends the form, as on any page. A phone's keyboard shows "Next" instead. */
function leadToNext(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget: card } = event;
  if (!(target instanceof HTMLInputElement) || !matchMedia("(pointer: coarse)").matches) return;
  const next = nextQuestion(target, card);
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** The control of the question after the one that contains `control`. */
function nextQuestion(control: Element, card: Element): HTMLElement | undefined {
  const questions = [...card.querySelectorAll("[data-field]")];
  const at = questions.findIndex((question) => question.contains(control));
  const next = at === -1 ? undefined : questions[at + 1];
  return next?.querySelector<HTMLElement>("input:checked, select, textarea, input") ?? undefined;
}

/**
 * Enter on the card itself focuses the button that shows the key. It does not press it, because the card may have taken
 * the focus while the user meant something else. A held Enter does nothing, so that users do not send a form before
 * reading it.
 */
function leadToSend(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget: card } = event;
  if (!(target instanceof Element) || target.closest("textarea, [contenteditable]") !== null) return;
  if (event.repeat) return event.preventDefault();
  if (target.closest(ENTERED) !== null || event.ctrlKey || event.metaKey || event.altKey) return;
  const submit = card.querySelector<HTMLElement>('[type="submit"]:has([data-icon="enter"])');
  if (submit === null) return;
  event.preventDefault();
  submit.focus();
}

/** Page Up presses the button that leads to the question before. */
function goBack(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget: card } = event;
  const back = card.querySelector<HTMLElement>("[data-back]");
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || back === null) return;
  if (target instanceof Element && target.closest(PAGED) !== null) return;
  event.preventDefault();
  back.click();
}

/**
 * The keys 1 to 9 select and focus an option in a form with one question. Where pressing is the answer, they do so
 * only from a control of the card. The number after the last option focuses the free text. In a rating, a key is the
 * number itself.
 */
function pickByNumber(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget: card } = event;
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || !/^[1-9]$/.test(key)) return;
  if (!(target instanceof Element) || target.closest(TEXT) !== null) return;
  const choices = card.querySelectorAll<HTMLElement>(
    '[data-keys] :is(input[type="radio"], button), [data-own-words] textarea',
  );
  const first = card.querySelector<HTMLElement>("[data-keys]")?.dataset["keys"];
  const choice = choices.item(Number(key) - Number(first));
  if (choice === null || first === undefined) return;
  // The card may have taken the focus while the user meant something else.
  if (choice.matches("button") && target.closest(ENTERED) === null) return;
  event.preventDefault();
  choice.focus();
  if (!choice.matches("textarea")) choice.click();
}
