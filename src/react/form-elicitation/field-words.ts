import type { Draft, Field } from "../../form/index.ts";
import type { FieldError } from "../../form/field.ts";
import type { Catalogue } from "../../words/cards/catalogue.ts";
import type { ShownError } from "./form-state.ts";
import type { ControlName } from "./pick-control.ts";

/** The text for an error: the catalogue's, or the server's if the catalogue does not know its code. */
export function errorText(error: ShownError, field: Field, catalogue: Catalogue): string {
  // Servers send the rule that was broken, without its limit.
  const limit = ("limit" in error ? error.limit : undefined) ?? limitOf(error.code, field);
  const sentence = isKnown(error.code, catalogue) ? catalogue.errors[error.code] : undefined;
  // A catalogue text that mentions the limit cannot be used if the limit is unknown.
  if (sentence !== undefined && (limit !== undefined || sentence.length === 0)) {
    return sentence(limit === undefined ? "" : formatNumber(limit, catalogue));
  }
  return "message" in error ? error.message : catalogue.errors.type("");
}

/** Help for the answer: the description, followed by how many options to select. Empty if there is neither. */
export function describe(field: Field, catalogue: Catalogue): string {
  const { kind, description } = field;
  const counted = kind === "multi-choice" && (field.minItems !== undefined || field.maxItems !== undefined);
  const count = counted ? catalogue.count(field.minItems, field.maxItems) : undefined;
  return [description, count].filter(Boolean).join(" · ");
}

/** The limits of an answer, with the used part. Empty if there are none to show. */
export function limitsText(
  field: Field,
  control: ControlName,
  draft: Draft | undefined,
  catalogue: Catalogue,
): string {
  const format = (limit: number | undefined) =>
    limit === undefined ? undefined : formatNumber(limit, catalogue);
  if (field.kind === "number") {
    const low = format(field.minimum);
    const high = format(field.maximum);
    return control === "rating" || (low ?? high) === undefined ? "" : catalogue.range(low, high);
  }
  const choices = field.kind === "multi-choice";
  const most = choices ? field.maxItems : control === "textarea" && "maxLength" in field && field.maxLength;
  if (most === undefined || most === false || typeof draft === "boolean") return "";
  // The characters of a text as users see them, not UTF-16 units.
  const used = catalogue.outOf(
    formatNumber([...(draft ?? "")].length, catalogue),
    formatNumber(most, catalogue),
  );
  return choices ? catalogue.chosen(used) : used;
}

/** An answer as a receipt shows it: the labels of selected options, dates and numbers in the format of the language. */
export function answerText(field: Field, value: unknown, catalogue: Catalogue): string {
  if (field.kind === "boolean") return value === true ? catalogue.yes : catalogue.no;
  if (typeof value === "number") return formatNumber(value, catalogue);
  const values = [value].flat().map(String);
  if ("options" in field) {
    const labels = new Map(field.options.map((option) => [option.value, option.label]));
    return values.map((chosen) => labels.get(chosen)).join(", ");
  }
  const [text = ""] = values;
  const date = new Date(text);
  // The input may not be a date yet.
  const isDate = "format" in field && field.format?.startsWith("date") === true;
  if (!isDate || Number.isNaN(date.getTime())) return text;
  const time = field.format === "date" ? { timeZone: "UTC" } : ({ timeStyle: "short" } as const);
  return new Intl.DateTimeFormat(catalogue.locale, { dateStyle: "medium", ...time }).format(date);
}

/** Languages that format small integers as JavaScript does. */
const PLAIN_DIGITS = /^(de|en|es|fr|ja)(-[A-Z]{2})?$/;
/** Cached by catalogue, because creating the first formatter of a page takes longer than rendering a form. */
const formats = new WeakMap<Catalogue, Intl.NumberFormat>();

export function formatNumber(value: number, catalogue: Catalogue): string {
  if (Number.isInteger(value) && Math.abs(value) < 10_000 && PLAIN_DIGITS.test(catalogue.locale)) {
    return String(value);
  }
  let format = formats.get(catalogue);
  if (format === undefined) {
    // Four digits are often a year, so they are not grouped.
    const options = { maximumFractionDigits: 20, useGrouping: "min2" } as const;
    format = new Intl.NumberFormat(catalogue.locale, options);
    formats.set(catalogue, format);
  }
  return format.format(value);
}

function isKnown(code: string, { errors }: Catalogue): code is FieldError["code"] {
  return Object.hasOwn(errors, code);
}

function limitOf(code: string, field: Field): number | undefined {
  if (field.kind === "text") return code === "too-short" ? field.minLength : field.maxLength;
  if (field.kind === "number") return code === "too-small" ? field.minimum : field.maximum;
  if (field.kind === "multi-choice") return code === "too-few" ? field.minItems : field.maxItems;
  return undefined;
}
