import type { Catalogue } from "../catalogues/catalogue.ts";
import { formatNumber } from "./field-words.ts";

/**
 * A number as people of the catalogue's language write it, as `elicit-kit/form` reads it: `1.500,5` in German and `1,500.5`
 * in English are `1500.5`. Number pads of phones offer no other decimal sign than the one of the language, and input
 * methods have digits of their own. What can be read in one way only is taken in every language; what is no number
 * comes back nearly as it was.
 */
export function readNumber(text: string, catalogue: Catalogue): string {
  const plain = text
    .normalize("NFKC")
    .replace(/[\u061c\u200e\u200f]/g, "")
    // Arabic digits end with the same four bits as their values.
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

/** The other way round, for numbers that nobody has typed here. */
export function writeNumber(draft: string, catalogue: Catalogue): string {
  return draft.includes(".") && hasDecimalComma(catalogue) ? draft.replace(".", ",") : draft;
}

function hasDecimalComma(catalogue: Catalogue): boolean {
  return formatNumber(1.5, catalogue).includes(",");
}
