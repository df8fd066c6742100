import type { Draft, Field, Option } from "./field.ts";
import { isOwnWords } from "./own-words.ts";
import { hasPreviews } from "./read-options.ts";
import { isStorageLimit } from "./said-limits.ts";

/** The built-in controls. Developers can replace each, and add others for their own hints. */
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
  | "press"
  | "select"
  | "search"
  | "checkboxes";

/**
 * The layout of a built-in control:
 * - `cards`: options one below the other. `columns`: short options, two in a row if there is space.
 * - `segments`: up to 4 very short options in one row. `chips`: up to 8 short options of a multi-select.
 * - `stars`: a rating of up to 5 steps. `scale`: one of up to 11.
 * - `stepper`: an integer between two buttons.
 */
export type ControlLayout = "cards" | "columns" | "segments" | "chips" | "stars" | "scale" | "stepper";

const MOST_RADIOS = 5;
export const MOST_WITHOUT_SEARCH = 15;
/** The limit in code points. Longer texts get a textarea. */
const LONGEST_LINE = 200;
const MOST_STEPS = 11;
const MOST_STARS = 5;
/** A number in a wider range is typed. */
const WIDEST_STEPPER = 20;

/**
 * Picks the control for a field. `hint` comes from the request (`context.fields[name].control`) and is ignored if it does
 * not fit the field. `alone`: the form has no other field. `given`: a value that the user has not typed into this control,
 * which must hold it unchanged.
 */
export function pickControl(field: Field, hint?: string, alone = false, given?: Draft): ControlName {
  switch (field.kind) {
    case "text":
      if (field.format !== undefined) return pickFormatted(field.format, given ?? field.default);
      if (hint === "textarea" || isOwnWords(field) || (field.maxLength ?? 0) > LONGEST_LINE)
        return "textarea";
      return hasLines(field.default) || hasLines(given) ? "textarea" : "text";
    case "number": {
      const { minimum, maximum, integer, multipleOf, excludesMinimum, excludesMaximum } = field;
      if (minimum === undefined || maximum === undefined || minimum >= maximum) return "number";
      // The ends of a slider are among its values.
      if (excludesMinimum || excludesMaximum || multipleOf !== undefined) return "number";
      if (hint === "slider" && !isStorageLimit(minimum) && !isStorageLimit(maximum)) return "slider";
      return hint === "rating" && integer && maximum - minimum < MOST_STEPS ? "rating" : "number";
    }
    case "boolean":
      // An empty checkbox cannot distinguish "no" from "not answered".
      return alone || (field.required && field.default === undefined) ? "yes-no" : "checkbox";
    case "choice":
      // A free text is placed below options that are all visible.
      if (field.other !== undefined) return field.options.length <= MOST_WITHOUT_SEARCH ? "radio" : "search";
      if (hint === "select") return hint;
      if (field.options.length > MOST_WITHOUT_SEARCH) return "search";
      if (hint === "radio" || hasPreviews(field.options)) return "radio";
      return field.options.length <= MOST_RADIOS ? "radio" : "select";
    default:
      return "checkboxes";
  }
}

/**
 * Browsers have inputs for days of the years 1 to 9999, and for times without leap seconds. They drop other values. A year
 * below 1000 counts as half typed there.
 */
const BROWSER_DATE = /^(?!0)\d{4}-\d\d-\d\d(?:$|[Tt]\d\d:\d\d(?::[0-5]\d)?(?![\d:]))/;

function pickFormatted(format: "email" | "uri" | "date" | "date-time", given: unknown): ControlName {
  if (format === "uri") return "url";
  if (format === "email") return "email";
  return typeof given !== "string" || given === "" || BROWSER_DATE.test(given) ? format : "text";
}

/** Whether a text has several lines. An `<input>` would join them without a word. */
function hasLines(text: unknown): boolean {
  return typeof text === "string" && /[\r\n]/.test(text);
}

/** Picks the layout of a control from the size of its content. `undefined` for controls with only one layout. */
export function pickLayout(field: Field, control: ControlName, alone = false): ControlLayout | undefined {
  if (control === "yes-no") return alone ? "columns" : "segments";
  if (field.kind === "number") {
    const span = (field.maximum ?? Infinity) - (field.minimum ?? 0);
    if (control === "rating") return span < MOST_STARS ? "stars" : "scale";
    const isStepped = field.multipleOf === undefined && field.minimum !== undefined;
    const steps = control === "number" && field.integer && isStepped;
    return steps && span <= WIDEST_STEPPER ? "stepper" : undefined;
  }
  if (control === "select" || !("options" in field)) return undefined;
  const { kind, options } = field;
  if (kind === "choice" && field.other !== undefined) return "cards";
  if (options.length > MOST_WITHOUT_SEARCH || hasPreviews(options)) return "cards";
  const longest = Math.max(...options.map(({ label }) => label.length));
  const described = Math.max(...options.map(({ description = "" }) => description.length));
  if (longest > 24 || described > 32) return "cards";
  const one = kind === "choice";
  const fits = one ? options.length <= 4 && longest <= 16 && together(options) <= 32 : options.length <= 8;
  return fits && described === 0 ? (one ? "segments" : "chips") : "columns";
}

const SHORT = /^(text|email|date|number|select|checkbox)$/;

/** Whether half a row is enough for a field. The field shares the row if its neighbour is as short. */
export function isShort(field: Field, control: ControlName, layout: ControlLayout | undefined): boolean {
  const { label, description = "" } = field;
  if (label.length > 32 || description.length > 48) return false;
  if (layout === "segments") return field.kind !== "choice" || together(field.options) <= 18;
  const long = field.kind === "text" && (field.maxLength ?? 0) > 60;
  return layout === "stars" || (SHORT.test(control) && !long);
}

/** The total length of all labels, in UTF-16 units. */
export function together(options: readonly Option[]): number {
  return options.map(({ label }) => label).join("").length;
}
