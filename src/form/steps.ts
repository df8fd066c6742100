import type { Field } from "./field.ts";
import { layoutHint } from "./hints.ts";
import { isOwnWords, otherOf } from "./own-words.ts";

/** As many are seen at a glance. */
const MOST_AT_ONCE = 3;
/** A longer way has no end in sight, and its pips no room. */
const MOST_STEPS = 12;
/** UTF-16 units: two lines of a card. */
const LONGEST_QUESTION = 80;
/** Question marks of scripts that do not share the Latin one. */
const IS_QUESTION = /[?？؟]$/;

/**
 * Whether a form asks one question at a time: from 4 to 12 questions, unless the request says otherwise (`context.layout`).
 * A form that asks for secrets shows all of them before the first one is typed.
 */
export function isStepped(
  fields: readonly Field[],
  { context, secrets }: { context: Readonly<Record<string, unknown>> | undefined; secrets: readonly Field[] },
): boolean {
  const { length } = questionsOf(fields);
  if (length < 2 || secrets.length > 0) return false;
  const hint = layoutHint(context);
  return hint === undefined ? length > MOST_AT_ONCE && length <= MOST_STEPS : hint === "steps";
}

/** The fields without the texts that are shown with their choice. */
export function questionsOf(fields: readonly Field[]): readonly Field[] {
  return fields.filter((field) => !isOwnWords(field));
}

/** The names of what one question holds: its own, and that of the own words beside it. */
export function namesOf(field: Field): readonly string[] {
  const words = otherOf(field);
  return words === undefined ? [field.name] : [field.name, words];
}

/** What a question asks, for a heading: its description where that is a short question, else its label. */
export function askedBy({ label, description }: Field): {
  readonly text: string;
  readonly from: "label" | "description";
} {
  const asks = description?.trim() ?? "";
  return IS_QUESTION.test(asks) && asks.length <= LONGEST_QUESTION
    ? { text: asks, from: "description" }
    : { text: label, from: "label" };
}
