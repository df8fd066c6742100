import { afterEach, describe, expect, it, vi } from "vitest";
import { ar } from "../../words/cards/ar.ts";
import { de } from "../../words/cards/de.ts";
import { en } from "../../words/cards/en.ts";
import { es } from "../../words/cards/es.ts";
import { fr } from "../../words/cards/fr.ts";
import { ja } from "../../words/cards/ja.ts";
import { formatNumber } from "../../form/number-text.ts";

afterEach(() => vi.unstubAllGlobals());

const OPTIONS = { maximumFractionDigits: 20, useGrouping: "min2" } as const;

describe.each([ar, de, en, es, fr, ja, { ...en, locale: "fr-CH" }, { ...en, locale: "en-u-nu-deva" }])(
  "a number in $locale",
  (catalogue) => {
    it("has the format that Intl gives it", () => {
      const format = new Intl.NumberFormat(catalogue.locale, OPTIONS);
      const whole = Array.from({ length: 20_000 }, (_, index) => index - 10_000 || 0);
      const all = [...whole, 0.5, -1.25, 10_000, 12_345, -99_999, 1e21];
      expect(all.map((value) => formatNumber(value, catalogue))).toEqual(
        all.map((value) => format.format(value)),
      );
    });
  },
);

it("only numbers that need it are formatted with Intl", () => {
  vi.stubGlobal("Intl", {});
  expect(formatNumber(100, { ...en })).toBe("100");
  expect(() => formatNumber(10_000, { ...en })).toThrow("NumberFormat");
});
