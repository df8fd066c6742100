import { isThirdParty } from "../contract/claimed-name.ts";
import type { ElicitationRequest } from "../contract/contract.ts";
import type { Field, Option } from "./field.ts";
import { hasPreviews } from "./read-options.ts";

/** Display hints of a request for its form (`context`). They are not validated, so their type is unknown. */
type Context = Readonly<Record<string, unknown>> | undefined;

/** An option that is marked as recommended, and the word for it. */
export interface Recommended {
  readonly value: string;
  readonly word: string;
}

/** The limit for the word, in UTF-16 units. */
const LONGEST_WORD = 24;

/** The control for a field: `context.fields[name].control`. */
export function controlHint(context: Context, name: string): string | undefined {
  const hint = own(hintsOf(context, name), "control");
  return typeof hint === "string" ? hint : undefined;
}

/**
 * The option of a choice that the requester recommends, with a word for it: `context.fields[name].recommended`. `word` is
 * that of the language, for a request that has none.
 */
export function recommendedOf(context: Context, field: Field, word: string): Recommended | undefined {
  const hint = own(hintsOf(context, field.name), "recommended");
  const value = own(hint, "value");
  const given = own(hint, "word");
  if (field.kind !== "choice" || !field.options.some((option) => option.value === value)) return undefined;
  return {
    value: String(value),
    word: typeof given === "string" && given.length <= LONGEST_WORD ? given : word,
  };
}

/** An option as one line of text, for lists that have nothing else. */
export function optionLine({ value, label }: Option, recommended: Recommended | undefined): string {
  return value === recommended?.value ? `${label} · ${recommended.word}` : label;
}

/** Whether questions appear one at a time or all at once: `context.layout`. */
export function layoutHint(context: Context): "steps" | "form" | undefined {
  const layout = own(context, "layout");
  return layout === "steps" || layout === "form" ? layout : undefined;
}

const MOST_TO_PRESS = 6;

/**
 * Whether pressing an option is the answer: `context.send` is `"on-press"`, and the form is one choice of up to six options,
 * without previews, and without anything else to say before it is sent. Never a form of a third party.
 */
export function sendsOnPress(
  fields: readonly Field[],
  request: { context?: Context; requester?: ElicitationRequest["requester"]; remember?: unknown },
): boolean {
  const [field, ...others] = fields;
  const { context, remember } = request;
  if (own(context, "send") !== "on-press" || remember !== undefined || others.length > 0) return false;
  // It must not shorten the way to an answer.
  if (isThirdParty(request)) return false;
  if (field?.kind !== "choice" || field.other !== undefined || hasPreviews(field.options)) return false;
  return field.options.length <= MOST_TO_PRESS;
}

const hintsOf = (context: Context, name: string): unknown => own(own(context, "fields"), name);

function own(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined;
}
