import { assert, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { directionOf, isolate, startsRightToLeft } from "./isolate.ts";

describe("isolate", () => {
  it("returns left-to-right text unchanged", () => {
    expect(isolate("Acme Assistant – Zürich")).toBe("Acme Assistant – Zürich");
  });

  it("wraps right-to-left names in direction isolates", () => {
    expect(isolate("בנק")).toBe("\u2068בנק\u2069");
    expect(isolate("\u{1e900}\u{1e901}")).toBe("\u2068\u{1e900}\u{1e901}\u2069");
  });

  it("removes characters that change the direction of the text around it", () => {
    expect(isolate("moc.evil\u2069\u202e")).toBe("\u2068moc.evil\u2069");
  });

  it("returns no direction mark outside of an isolate", () => {
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

describe("directionOf", () => {
  it("returns undefined for left-to-right text on a left-to-right card", () => {
    expect(directionOf("Wie groß? Ё, ω, 12 € – 都市 👍🏽", "ltr")).toBeUndefined();
  });

  it("returns auto on a right-to-left card", () => {
    expect(directionOf("City", "rtl")).toBe("auto");
  });

  it("returns auto for text that contains a right-to-left letter", () => {
    const letter =
      /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\u200f]/u;
    assert(
      property(string({ unit: "binary" }), (text) => {
        if (letter.test(text)) expect(directionOf(text, "ltr")).toBe("auto");
      }),
      { numRuns: Number(process.env["FC_RUNS"] ?? 300) },
    );
    for (const text of ["City עיר", "\u{1e900}", "12 \u200f!"]) expect(directionOf(text, "ltr")).toBe("auto");
  });
});

it.each([
  ["Where should the parcel go?", false],
  ["نحتاج إلى إذنك.", true],
  ["“2 – שלום”", true],
  ["GitHub يحتاج إلى إذنك", false],
  ["42", false],
])("whether the text %s starts from the right is %s", (text, expected) => {
  expect(startsRightToLeft(text)).toBe(expected);
});
