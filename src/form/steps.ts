import type { Field } from "./field.ts";
import { layoutHint } from "./hints.ts";
import { isOwnWords, otherOf } from "./own-words.ts";

/** The most questions that a card shows at once. */
const MOST_AT_ONCE = 3;
/** A longer form would need too many steps, and there is no space for more dots. */
const MOST_STEPS = 12;
/** The limit in UTF-16 units: two lines of a card. */
const LONGEST_QUESTION = 80;
/** Question marks of other scripts. */
const IS_QUESTION = /[?？؟]$/;

/**
 * Whether a form asks one question at a time: from 4 to 12 questions, unless the request says otherwise (`context.layout`).
 * A form that asks for secrets shows all of them before the first one is typed.
 */
export function isStepped(
  shown: readonly Field[],
  context: Readonly<Record<string, unknown>> | undefined,
  secrets: readonly Field[],
): boolean {
  const { length } = shown;
  if (length < 2 || secrets.length > 0) return false;
  const hint = layoutHint(context);
  return hint === undefined ? length > MOST_AT_ONCE && length <= MOST_STEPS : hint === "steps";
}

/** The fields without the free texts that are part of another question. */
export function questionsOf(fields: readonly Field[]): readonly Field[] {
  return fields.filter((field) => !isOwnWords(field));
}

/** The free text that can replace the field's options. */
export function wordsOf(field: Field, fields: readonly Field[]): Field | undefined {
  const name = otherOf(field);
  return fields.find((one) => one.name === name);
}

/** The field that asks the question: for the free text of a choice, that choice. */
export function askingField(field: Field, fields: readonly Field[]): Field {
  return fields.find((one) => otherOf(one) === field.name) ?? field;
}

/** Whether a form is a single yes-or-no question. Its "no" is an answer, so it needs no button to decline. */
export function isYesNo(fields: readonly Field[]): boolean {
  return fields.length === 1 && fields[0]?.kind === "boolean";
}

/** The names of the fields in one question: its own, and that of its free text. */
export function namesOf(field: Field): readonly string[] {
  const words = otherOf(field);
  return words === undefined ? [field.name] : [field.name, words];
}

/** The text of a question for a heading: its description if that is a short question, else its label. */
export function askedBy({ label, description }: Field): {
  readonly text: string;
  readonly from: "label" | "description";
} {
  const asks = description?.trim() ?? "";
  return IS_QUESTION.test(asks) && asks.length <= LONGEST_QUESTION
    ? { text: asks, from: "description" }
    : { text: label, from: "label" };
}
