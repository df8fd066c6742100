import type { Field } from "../../form/index.ts";

/** The built-in controls. Developers can replace each, and add others for hints of their own. */
export type ControlName =
  | "text"
  | "textarea"
  | "email"
  | "url"
  | "date"
  | "date-time"
  | "number"
  | "slider"
  | "rating"
  | "checkbox"
  | "yes-no"
  | "radio"
  | "select"
  | "search"
  | "checkboxes";

const MOST_RADIOS = 5;
export const MOST_WITHOUT_SEARCH = 15;
/** Code points; longer texts get a textarea. */
const LONGEST_LINE = 200;
const MOST_STARS = 11;

/**
 * Picks the control for a field. `hint` comes from the request (`context.fields[name].control`) and is ignored when it does
 * not fit the field. `alone`: the form has no other field.
 */
export function pickControl(field: Field, hint?: string, alone = false): ControlName {
  switch (field.kind) {
    case "text":
      if (field.format === "uri") return "url";
      if (field.format !== undefined) return field.format;
      return hint === "textarea" || (field.maxLength ?? 0) > LONGEST_LINE ? "textarea" : "text";
    case "number": {
      const { minimum, maximum } = field;
      if (minimum === undefined || maximum === undefined || minimum >= maximum) return "number";
      if (hint === "slider") return "slider";
      return hint === "rating" && field.integer && maximum - minimum < MOST_STARS ? "rating" : "number";
    }
    case "boolean":
      // An empty checkbox cannot tell "no" from "not answered".
      return alone || (field.required && field.default === undefined) ? "yes-no" : "checkbox";
    case "choice":
      if (hint === "radio" || hint === "select") return hint;
      if (field.options.length <= MOST_RADIOS) return "radio";
      return field.options.length <= MOST_WITHOUT_SEARCH ? "select" : "search";
    default:
      return "checkboxes";
  }
}

/** The request's hint for a field. The context is not validated, so nothing about its shape is assumed. */
export function controlHint(
  context: Readonly<Record<string, unknown>> | undefined,
  name: string,
): string | undefined {
  const hint = own(own(own(context, "fields"), name), "control");
  return typeof hint === "string" ? hint : undefined;
}

function own(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined;
}
