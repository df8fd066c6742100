import type { FormElicitationRequest } from "../contract/contract.ts";
import type { Field } from "./field.ts";
import { hasPreviews } from "./read-options.ts";

/** Display hints of a request for its form (`context`). They are not validated, so their type is unknown. */
type Context = Readonly<Record<string, unknown>> | undefined;

/** An option that is marked as recommended, and the word for it. */
export interface Recommended {
  readonly value: string;
  readonly word: string | undefined;
}

/** The limit for the word, in UTF-16 units. */
const LONGEST_WORD = 24;

/** The control for a field: `context.fields[name].control`. */
export function controlHint(context: Context, name: string): string | undefined {
  const hint = own(own(own(context, "fields"), name), "control");
  return typeof hint === "string" ? hint : undefined;
}

/** The option that the requester recommends, with a word for it: `context.fields[name].recommended`. */
export function recommendedOf(context: Context, name: string): Recommended | undefined {
  const hint = own(own(own(context, "fields"), name), "recommended");
  const value = own(hint, "value");
  const word = own(hint, "word");
  if (typeof value !== "string") return undefined;
  return { value, word: typeof word === "string" && word.length <= LONGEST_WORD ? word : undefined };
}

/** Whether questions appear one at a time or all at once: `context.layout`. */
export function layoutHint(context: Context): "steps" | "form" | undefined {
  const layout = own(context, "layout");
  return layout === "steps" || layout === "form" ? layout : undefined;
}

const MOST_TO_PRESS = 6;

/**
 * Whether pressing an option is the answer: `context.send` is `"on-press"`, and the form is one choice of up to six options,
 * without previews, and without anything else to say before it is sent.
 */
export function sendsOnPress(
  fields: readonly Field[],
  { context, remember }: Pick<FormElicitationRequest, "context" | "remember">,
): boolean {
  const [field, ...others] = fields;
  if (own(context, "send") !== "on-press" || remember !== undefined || others.length > 0) return false;
  if (field?.kind !== "choice" || field.other !== undefined || hasPreviews(field.options)) return false;
  return field.options.length <= MOST_TO_PRESS;
}

function own(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined;
}
