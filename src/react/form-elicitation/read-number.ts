import type { Catalogue } from "../../words/cards/catalogue.ts";
import { formatNumber } from "./field-words.ts";

/** Longer than any number in a field. Sorting the marks of a text takes quadratic time. */
const MAX_LENGTH = 400;

/**
 * Converts a number in the format of the catalogue's language to the format of `elicit-kit/form`: `1.500,5` in German and
 * `1,500.5` in English become `1500.5`. Number pads of phones only have the decimal sign of their language, and input
 * methods have their own digits. Unambiguous text is read in every language. Text that is not a number is returned nearly
 * unchanged.
 */
export function readNumber(text: string, catalogue: Catalogue): string {
  if (text.length > MAX_LENGTH) return text;
  const plain = text
    .normalize("NFKC")
    .replace(/[\u061c\u200e\u200f]/g, "")
    // The last four bits of the code of an Arabic digit are its value.
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .replace("\u2212", "-")
    .replace("\u066b", ".")
    .replace(/(\d)[ '’\u066c](?=\d{3}(?!\d))/g, "$1");
  if (!/[.,]/.test(plain)) return plain;
  const grouped = hasDecimalComma(catalogue)
    ? /^[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?![.\d])/
    : /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?![,\d])/;
  const whole = plain.replace(grouped, (digits) => digits.replace(/[.,]/g, ""));
  return /^[^.,]*,[^.,]*$/.test(whole) ? whole.replace(",", ".") : whole;
}

/** The reverse of `readNumber`, for numbers that the user has not typed. */
export function writeNumber(draft: string, catalogue: Catalogue): string {
  return draft.includes(".") && hasDecimalComma(catalogue) ? draft.replace(".", ",") : draft;
}

function hasDecimalComma(catalogue: Catalogue): boolean {
  return formatNumber(1.5, catalogue).includes(",");
}
