import { expect, test } from "vitest";
import { acceptLanguage, acceptedLanguages } from "./accept-language.ts";

test.each([
  [null, []],
  ["", []],
  ["de-CH,de;q=0.9,en;q=0.8", ["de-CH", "de", "en"]],
  ["en;q=0.5, fr;q=0.9, zh-Hant-TW", ["zh-Hant-TW", "fr", "en"]],
  ["ja;q=0, en;Q=0.1", ["en"]],
  ["nl,*;q=0.5", ["nl"]],
  ["de;q=x, <b>, ../de, en us", []],
  [`${"x,".repeat(600)}de`, Array.from({ length: 10 }, () => "x")],
])("a browser that sends %j prefers %j", (header, languages) => {
  expect(acceptedLanguages(header)).toEqual(languages);
});

test("languages survive the header of another HTTP request, in their order", () => {
  const tags = ["de-CH", "fr", "ja", "ar", "es", "en", "nl", "it", "pt", "pl"];
  expect(acceptedLanguages(acceptLanguage([...tags, "sv"]) ?? null)).toEqual(tags);
  expect(acceptLanguage(["de", "x\r\nx-admin: 1", "fr"])).toBe("de, fr;q=0.9");
  expect(acceptLanguage([])).toBeUndefined();
});
