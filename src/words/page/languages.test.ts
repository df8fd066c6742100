import { expect, test } from "vitest";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { localize, wordsFor } from "./languages.ts";

test.each([
  [[], "en"],
  [["de-CH", "en"], "de"],
  [["pt-BR", "es"], "es"],
  [["nl"], "en"],
])("a browser that prefers %j gets %s", (languages, locale) => {
  expect(wordsFor(languages).locale).toBe(locale);
});

test("texts of the operator are shown in the language of the page, or in English", () => {
  const text = { en: "Read issues", de: "Aufgaben lesen" };
  expect([localize(text, de), localize(text, fr), localize("Read", ja)]).toEqual([
    "Aufgaben lesen",
    "Read issues",
    "Read",
  ]);
});

/** All texts of a language by their path. Functions are called with arguments of their own. */
function textsOf(value: unknown, at = ""): Record<string, string> {
  if (typeof value === "string") return { [at]: value };
  if (typeof value === "function") {
    const outcomes = ["accepted", "declined", "cancelled", "expired", "withdrawn", "failed"];
    if (at === ".ended") {
      return Object.assign(
        {},
        ...outcomes.map((outcome) => textsOf(value(outcome, "SERVICE"), `${at}.${outcome}`)),
      );
    }
    return textsOf(value("SERVICE", "CODE"), at);
  }
  return Object.assign(
    {},
    ...Object.entries(Object(value)).map(([name, child]) => textsOf(child, `${at}.${name}`)),
  );
}

test.each([de, es, fr, ja, ar])(
  "the page language $locale has every text, with service and code where English has them",
  (words) => {
    const english = textsOf(en);
    const texts = textsOf(words);
    expect(Object.keys(texts)).toEqual(Object.keys(english));
    for (const [at, text] of Object.entries(texts)) {
      // The texts before and after a name may be swapped.
      if (
        at.startsWith(".asksToUse") ||
        at.startsWith(".apiKey.asksForKey") ||
        at.startsWith(".asksYou") ||
        at.startsWith(".youAre")
      )
        continue;
      expect([at, text.trim()]).not.toEqual([at, ""]);
      for (const name of ["SERVICE", "CODE"]) {
        expect([at, text.includes(name)]).toEqual([at, english[at]?.includes(name)]);
      }
    }
    expect(words.asksToUse("SERVICE").join("")).toContain("SERVICE");
  },
);
