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

function own(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined;
}
