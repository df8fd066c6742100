import { assert, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { isolate } from "./isolate.ts";

describe("isolate", () => {
  it("leaves ordinary words alone", () => {
    expect(isolate("Acme Assistant – Zürich")).toBe("Acme Assistant – Zürich");
  });

  it("keeps right-to-left names to themselves", () => {
    expect(isolate("בנק")).toBe("\u2068בנק\u2069");
  });

  it("takes away what would turn the sentence around it, and what would break out", () => {
    expect(isolate("moc.evil\u2069\u202e")).toBe("\u2068moc.evil\u2069");
  });

  it("never lets a direction mark out", () => {
    const marks = /[\u061c\u200e\u200f\u202a-\u202e\u2066\u2067]/;
    assert(
      property(string({ unit: "binary" }), (text) => {
        const isolated = isolate(text);
        expect(marks.test(isolated)).toBe(false);
        expect(isolated.split("\u2068").length).toBe(isolated.split("\u2069").length);
      }),
      { numRuns: Number(process.env["FC_RUNS"] ?? 300) },
    );
  });
});
