import type { Field } from "./field.ts";

/** A language, such as a catalogue of texts has it. */
export interface Language {
  readonly locale: string;
}

/** Longer than any number in a field. Sorting the marks of a text takes quadratic time. */
const MAX_LENGTH = 400;

/**
 * Converts a number in the format of a language to the format of `elicit-kit/form`: `1.500,5` in German and `1,500.5` in
 * English become `1500.5`. Number pads of phones only have the decimal sign of their language, and input methods have
 * their own digits and punctuation. Unambiguous text is read in every language. Text that is not a number is returned
 * nearly unchanged.
 */
export function readNumber(text: string, language: Language): string {
  // Numbers that are not decimal digits, such as raised and lowered ones: of a power, or of a footnote.
  if (text.length > MAX_LENGTH || /\p{No}/u.test(text)) return text;
  const plain = text
    .normalize("NFKC")
    // Direction marks, which some keyboards add around digits, and other invisible format characters.
    .replace(/[\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, "")
    .replace(/\p{Nd}/gu, (digit) => String(digitOf(digit)))
    // Dashes and the prolonged sound mark are what the minus key of input methods types.
    .replace(/^(\s*)[\u2010-\u2015\u2212\u30fc\uff70](?=\s*[\d.,\u3001\u3002])/, "$1-")
    // The full stop and the comma of Chinese and Japanese, and the decimal sign of Arabic.
    .replace(/[\u3002\u066b](?=\d|$)/g, ".")
    .replace(/[\u3001\u060c](?=\d|$)/g, ",")
    .replace(/(\d)[ '’\u066c](?=\d{3}(?!\d))/g, "$1");
  if (!/[.,]/.test(plain)) return plain;
  const grouped = hasDecimalComma(language)
    ? /^(\s*[+-]?)([1-9]\d{0,2}(?:\.\d{3})+)(?![.\d])/
    : hasLakhs(language)
      ? /^(\s*[+-]?)([1-9]\d?(?:,\d{2})*,\d{3})(?![,\d])/
      : /^(\s*[+-]?)([1-9]\d{0,2}(?:,\d{3})+)(?![,\d])/;
  const whole = plain.replace(
    grouped,
    (_all, sign: string, digits: string) => sign + digits.replace(/[.,]/g, ""),
  );
  return /^[^.,]*,[^.,]*$/.test(whole) ? whole.replace(",", ".") : whole;
}

/** The reverse of `readNumber`, for numbers that the user has not typed. */
export function writeNumber(draft: string, language: Language): string {
  return draft.includes(".") && hasDecimalComma(language) ? draft.replace(".", ",") : draft;
}

/** The value of a decimal digit of any script. Unicode places the ten digits of a script in a row. */
function digitOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return code - zero;
}

function hasDecimalComma(language: Language): boolean {
  return formatNumber(1.5, language).includes(",");
}

/** Whether a language groups as in India: 12,34,567. */
function hasLakhs(language: Language): boolean {
  return formatNumber(1_234_567, language).startsWith("12,");
}

/**
 * The on-screen keyboard for a number: the `inputmode` of its input. The number pads of phones have no minus sign, so
 * numbers below zero get a keyboard with letters.
 */
export function keyboardOf(field: Field): "numeric" | "decimal" | "text" | undefined {
  if (field.kind !== "number") return undefined;
  if ((field.minimum ?? -1) < 0) return "text";
  return field.integer ? "numeric" : "decimal";
}

/** Languages that format small integers as JavaScript does. */
const PLAIN_DIGITS = /^(de|en|es|fr|ja)(-[A-Z]{2})?$/;
/** Cached by language, because creating the first formatter of a page takes longer than rendering a form. */
const formats = new WeakMap<Language, Intl.NumberFormat>();

export function formatNumber(value: number, language: Language): string {
  if (Number.isInteger(value) && Math.abs(value) < 10_000 && PLAIN_DIGITS.test(language.locale)) {
    return String(value);
  }
  let format = formats.get(language);
  if (format === undefined) {
    // Four digits are often a year, so they are not grouped.
    const options = { maximumFractionDigits: 20, useGrouping: "min2" } as const;
    format = new Intl.NumberFormat(language.locale, options);
    formats.set(language, format);
  }
  return format.format(value);
}
