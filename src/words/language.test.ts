import { expect, test } from "vitest";
import { kitLanguageOf } from "./language.ts";

test.each([
  [[], "en"],
  [["de-CH", "en"], "de"],
  [["pt-BR", "pt", "es", "en"], "es"],
  [["AR-eg"], "ar"],
  [["nl"], "en"],
  [["constructor", "__proto__", "den"], "en"],
])("a user who prefers %j gets %s", (languages, expected) => {
  expect(kitLanguageOf(languages)).toBe(expected);
});
