/** Numbers as people type them, read as a card reads them: {@link readNumber} gives plain digits, or the text unchanged. */
import { expect } from "vitest";
import { readNumber } from "../../src/form/number-text.ts";
import { fieldCase } from "./field-case.ts";

const read = (text: string, locale: string) => Number(readNumber(text, { locale }));

fieldCase(
  { sources: ["mui/base-ui#3361", "Qalculate/libqalculate#926"], before: "passed" },
  "a Swiss user groups a number with either apostrophe",
  () => {
    expect([read("1'234.5", "de-CH"), read("1’234.5", "de-CH")]).toEqual([1234.5, 1234.5]);
  },
);

fieldCase(
  { sources: ["infor-design/enterprise#441", "micro-manager/micro-manager#2444"], before: "failed" },
  "a user in India groups a number in lakhs",
  () => {
    expect([read("12,34,567.5", "en-IN"), read("1,50,000", "hi")]).toEqual([1_234_567.5, 150_000]);
  },
);

fieldCase(
  { sources: ["ing-bank/lion#1731", "open-mercato/open-mercato#5827"], before: "passed" },
  "a decimal comma in an English number is read as one, and stray marks make no other number",
  () => {
    expect([read("1,23", "en"), read("1'2", "en"), read("1 2", "en")]).toEqual([1.23, NaN, NaN]);
  },
);

fieldCase(
  { sources: ["dm4t2/vue-currency-input#102"], before: "passed" },
  "a German user groups thousands with a full stop",
  () => {
    expect([read("1.234", "de"), read("1.234,56", "de")]).toEqual([1234, 1234.56]);
  },
);

fieldCase(
  { sources: ["ex-money/money#112", "globalizejs/globalize#816"], before: "passed" },
  "a number with separators in wrong places is refused, and no digit moves",
  () => {
    expect([read("100,0,00.00", "en"), read("1,27,54", "en"), read("1.27.54", "de")]).toEqual([
      NaN,
      NaN,
      NaN,
    ]);
  },
);
