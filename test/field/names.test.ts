import { parseRequestedSchema } from "elicit-kit/form";
import { expect } from "vitest";
import { claimedNameOf } from "../../src/contract/claimed-name.ts";
import { fieldCase } from "./field-case.ts";

/** Texts without ink, by what is in them. */
const UNSEEN = [
  "\u3164\u3164",
  "\u2800",
  "\u034f",
  "\ufe0f\ufe0e",
  "\u{e0101}",
  "\u0301".repeat(100),
  "\u200b\u2060",
];

const optionOf = (title: string) => {
  const oneOf = [{ const: "a", title }];
  const parsed = parseRequestedSchema({ type: "object", properties: { it: { type: "string", oneOf } } });
  const field = parsed.ok ? parsed.fields[0] : undefined;
  return field?.kind === "choice" ? field.options[0]?.label : undefined;
};

fieldCase(
  { sources: ["https://www.unicode.org/reports/tr36/"], before: "failed" },
  "a name or a choice that shows nothing is shown by what is known of it instead",
  () => {
    expect(UNSEEN.map(claimedNameOf)).toEqual(UNSEEN.map(() => undefined));
    expect(UNSEEN.map(optionOf)).toEqual(UNSEEN.map(() => "a"));
  },
);

fieldCase(
  { sources: ["https://www.unicode.org/reports/tr36/"], before: "failed" },
  "a name cannot hide letters, or cover the lines around it",
  () => {
    expect(claimedNameOf("Travel\u3164Bot")).toBe("TravelBot");
    expect(claimedNameOf("Travel\u2800Bot")).toBe("Travel Bot");
    expect(claimedNameOf("Git\u034f\ufe0fHub")).toBe("GitHub");
    expect([...(claimedNameOf(`a${"\u0301".repeat(100)}b`) ?? "")].length).toBe(6);
    expect(optionOf("Yes\u3164")).toBe("Yes");
  },
);

fieldCase(
  { sources: ["https://www.unicode.org/reports/tr51/"], before: "passed" },
  "choices keep the marks and joiners of their scripts and emoji",
  () => {
    for (const name of ["❤️ Heart", "👩‍🚀", "می‌خواهم", "क्षि", "Việt Nam", "ที่นี่", "שָׁלוֹם", "ﷺ"]) {
      expect(optionOf(name)).toBe(name);
    }
  },
);
