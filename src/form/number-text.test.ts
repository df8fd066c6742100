import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatNumber, readNumber, writeNumber } from "./number-text.ts";

const ar = { locale: "ar" };
const de = { locale: "de" };
const en = { locale: "en" };
const es = { locale: "es" };
const fr = { locale: "fr" };
const ja = { locale: "ja" };

describe("a number typed in a field", () => {
  it.each([
    [de, "1,5", "1.5"],
    [de, "1.5", "1.5"],
    [de, "1.500", "1500"],
    [de, "-1.234.567,25", "-1234567.25"],
    [de, "0.125", "0.125"],
    [de, "1,500", "1.500"],
    [fr, "1 500,5", "1500.5"],
    [fr, "1\u202f500", "1500"],
    [es, "12,", "12."],
    [en, "1,500", "1500"],
    [en, "1,234,567.5", "1234567.5"],
    [en, "1,5", "1.5"],
    [en, "1.500", "1.500"],
    [en, "\u22125", "-5"],
    [en, "1e3", "1e3"],
    [ja, "１２．５", "12.5"],
    [ar, "١٢٫٥", "12.5"],
    [ar, "۴۲", "42"],
    [ja, "ー５", "-5"],
    [ja, "１２。５", "12.5"],
    [ja, "１、５００", "1500"],
    [de, "１２、５", "12.5"],
    [en, "–5", "-5"],
    [en, "—0.5", "-0.5"],
    [en, "\u202d42\u202c", "42"],
    [en, "१२३", "123"],
    [en, "-1,500", "-1500"],
    [{ ...de, locale: "de-CH" }, "1’500.5", "1500.5"],
  ])("is read by the rules of the card's language: %$ %o", (catalogue, text, plain) => {
    expect(readNumber(text, catalogue)).toBe(plain);
  });

  it.each([
    "",
    "1.",
    "-",
    "1 2",
    "1,2,3",
    "1.2.3",
    "1,50,000",
    "a lot",
    "12 34",
    "5-",
    "3–5",
    "2。a",
    "25¹",
    "10²",
    "H₂",
    "2₀",
  ])("is left unchanged if it is not a number, or not yet: %o", (text) => {
    expect(readNumber(text, en)).toBe(text);
  });

  it("keeps its value when it is formatted in a language and read back", () => {
    const number = fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).map((value) => value + 0),
    );
    const language = fc.constantFrom(ar, de, en, es, fr, ja);
    fc.assert(
      fc.property(number, language, (value, catalogue) => {
        expect(Number(readNumber(formatNumber(value, catalogue), catalogue))).toBeCloseTo(value, 10);
        expect(Number(readNumber(writeNumber(String(value), catalogue), catalogue))).toBe(value);
      }),
      { numRuns: Number(process.env["FC_RUNS"] ?? 300) },
    );
  });
});
