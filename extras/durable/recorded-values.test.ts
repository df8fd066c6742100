import fc from "fast-check";
import { expect, test } from "vitest";
import { readOutcome, writeOutcome } from "./recorded-values.ts";

test("a recorded result is read back unchanged, with dates, URLs, bytes and values that look like the record's own encoding", () => {
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

test("a recorded error has only the name and the message of the original", () => {
  const error = Object.assign(new TypeError("not a city"), { token: "secret" });
  const text = writeOutcome({ error });
  expect(text).not.toContain("secret");
  expect(readOutcome(text)).toEqual({
    error: expect.objectContaining({ name: "TypeError", message: "not a city" }),
  });
});

test("a step without a result is not read back as a failed step", () => {
  expect(readOutcome(writeOutcome({ value: undefined }))).not.toHaveProperty("error");
});
