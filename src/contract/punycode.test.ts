import * as fc from "fast-check";
import { encode } from "punycode/punycode.js";
import { describe, expect, test, vi } from "vitest";
import { decodePunycode } from "./punycode.ts";

// The machine may be busy, and FC_RUNS may ask for long runs.
vi.setConfig({ testTimeout: 600_000 });
const runs = { numRuns: Number(process.env["FC_RUNS"] ?? 300) };

describe("decodePunycode", () => {
  // RFC 3492, section 7.1, and the RFC's own example of a name that is all basic characters.
  test.each([
    ["egbpdaj6bu4bxfgehfvwxn", "ليهمابتكلموشعربي؟"],
    ["ihqwcrb4cv8a8dqg056pqjye", "他们为什么不说中文"],
    ["ihqwctvzc91f659drss3x8bo0yb", "他們爲什麽不說中文"],
    ["4dbcagdahymbxekheh6e0a7fei0b", "למההםפשוטלאמדבריםעברית"],
    ["b1abfaaepdrnnbgefbadotcwatmq2g4l", "почемужеонинеговорятпорусски"],
    ["3b-ww4c5e180e575a65lsy2b", "3年b組金八先生"],
    ["de-jg4avhby1noc0d", "パフィーdeルンバ"],
    ["d9juau41awczczp", "そのスピードで"],
    ["bcher-kva", "bücher"],
    ["ls8h", "💩"],
    ["abc-", "abc"],
    ["", ""],
  ])("reads %s as %s", (encoded, text) => {
    expect(decodePunycode(encoded)).toBe(text);
  });

  test("throws when the last number is incomplete", () => {
    expect(() => decodePunycode("99999")).toThrow(RangeError);
  });

  test("throws for a number that is not a code point", () => {
    expect(() => decodePunycode("9999999999a")).toThrow(RangeError);
  });

  test("decodes every text that punycode encodes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
        expect(decodePunycode(encode(text))).toBe(text);
      }),
      runs,
    );
  });
});
