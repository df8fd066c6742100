import fc from "fast-check";
import { expect, test } from "vitest";
import { readOutcome, writeOutcome } from "./recorded-values.ts";

test("a result reads as it was written, with dates, URLs, bytes and whatever looks like the text form of one", () => {
  const leaf = fc.oneof(
    fc.string(),
    fc.constantFrom("$elicit-kit", "date", null, true),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
    fc.bigInt(),
    fc.date(),
    fc.uint8Array(),
    fc.webUrl().map((url) => new URL(url)),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie("value")), fc.dictionary(fc.string(), tie("value"))),
  }));
  fc.assert(
    fc.property(value, (given) => {
      expect(readOutcome(writeOutcome({ value: given }))).toEqual({ value: given });
    }),
  );
});

test("an error keeps its name and its message, and nothing else", () => {
  const error = Object.assign(new TypeError("not a city"), { token: "secret" });
  const text = writeOutcome({ error });
  expect(text).not.toContain("secret");
  expect(readOutcome(text)).toEqual({
    error: expect.objectContaining({ name: "TypeError", message: "not a city" }),
  });
});

test("a step without a result is not a step that failed", () => {
  expect(readOutcome(writeOutcome({ value: undefined }))).not.toHaveProperty("error");
});
