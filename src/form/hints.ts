/** Hints of a request for how its form is shown (`context`). They are not validated, so nothing about their shape is assumed. */
type Context = Readonly<Record<string, unknown>> | undefined;

/** An option that is marked, and with which word. */
export interface Recommended {
  readonly value: string;
  readonly word: string | undefined;
}

/** UTF-16 units. */
const LONGEST_WORD = 24;

/** The control for a field: `context.fields[name].control`. */
export function controlHint(context: Context, name: string): string | undefined {
  const hint = own(own(own(context, "fields"), name), "control");
  return typeof hint === "string" ? hint : undefined;
}

/** The option that the asker recommends, with a word for it: `context.fields[name].recommended`. */
export function recommendedOf(context: Context, name: string): Recommended | undefined {
  const hint = own(own(own(context, "fields"), name), "recommended");
  const value = own(hint, "value");
  const word = own(hint, "word");
  if (typeof value !== "string") return undefined;
  return { value, word: typeof word === "string" && word.length <= LONGEST_WORD ? word : undefined };
}

/** Whether questions come one at a time or all at once: `context.layout`. */
export function layoutHint(context: Context): "steps" | "form" | undefined {
  const layout = own(context, "layout");
  return layout === "steps" || layout === "form" ? layout : undefined;
}

function own(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined;
}
