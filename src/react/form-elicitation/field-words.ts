import type { Field, FieldError } from "../../form/index.ts";
import type { Catalogue } from "../catalogues/catalogue.ts";
import type { ShownError } from "./form-state.ts";

/** The sentence for an error: the catalogue's, or the server's when the catalogue does not know its code. */
export function errorText(error: ShownError, field: Field, catalogue: Catalogue): string {
  // Servers send the rule that was broken, without its limit.
  const limit = ("limit" in error ? error.limit : undefined) ?? limitOf(error.code, field);
  const sentence = isKnown(error.code, catalogue) ? catalogue.errors[error.code] : undefined;
  // A sentence that takes a limit cannot be used without one.
  if (sentence !== undefined && (limit !== undefined || sentence.length === 0)) {
    return sentence(limit === undefined ? "" : formatNumber(limit, catalogue));
  }
  return "message" in error ? error.message : catalogue.errors.type("");
}

/** Help for the answer: the description and the limits, joined. Empty when there is neither. */
export function describe(field: Field, catalogue: Catalogue): string {
  return [field.description, limitsText(field, catalogue)].filter(Boolean).join(" · ");
}

function limitsText(field: Field, catalogue: Catalogue): string | undefined {
  if (field.kind === "number" && (field.minimum !== undefined || field.maximum !== undefined)) {
    const format = (limit: number | undefined) =>
      limit === undefined ? undefined : formatNumber(limit, catalogue);
    return catalogue.range(format(field.minimum), format(field.maximum));
  }
  if (field.kind === "multi-choice" && (field.minItems !== undefined || field.maxItems !== undefined)) {
    return catalogue.count(field.minItems, field.maxItems);
  }
  return undefined;
}

/** Languages that write small whole numbers as JavaScript does. */
const PLAIN_DIGITS = /^(de|en|es|fr|ja)(-[A-Z]{2})?$/;
/** Cached by catalogue: creating the first one of a page takes longer than rendering a form. */
const formats = new WeakMap<Catalogue, Intl.NumberFormat>();

export function formatNumber(value: number, catalogue: Catalogue): string {
  if (Number.isInteger(value) && Math.abs(value) < 10_000 && PLAIN_DIGITS.test(catalogue.locale)) {
    return String(value);
  }
  let format = formats.get(catalogue);
  if (format === undefined) {
    // Four digits are often a year.
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
