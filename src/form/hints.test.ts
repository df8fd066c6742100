import { describe, expect, it } from "vitest";
import { optionLine, recommendedOf, sendsOnPress } from "./hints.ts";
import { type Field, parseRequestedSchema } from "./index.ts";
import { choiceOrWords } from "./own-words.ts";

function fieldsOf(properties: object, more: object = {}): readonly Field[] {
  const parsed = parseRequestedSchema({ type: "object", properties, ...more });
  if (!parsed.ok) throw new Error("no form");
  return parsed.fields;
}

const options = (count: number) => ({ enum: Array.from({ length: count }, (_, index) => `${index}`) });

describe("a recommended option", () => {
  const [choice] = fieldsOf({ it: { oneOf: [{ const: "a", title: "Aisle" }, { const: "b" }] } });
  const [text] = fieldsOf({ it: { type: "string" } });
  const marked = (recommended: unknown, field = choice) =>
    field && recommendedOf({ fields: { it: { recommended } } }, field, "Recommended");

  it.each([
    [{ value: "a" }, "Recommended"],
    [{ value: "a", word: "Quiet" }, "Quiet"],
    [{ value: "a", word: "x".repeat(24) }, "x".repeat(24)],
    [{ value: "a", word: "x".repeat(25) }, "Recommended"],
    [{ value: "a", word: 7 }, "Recommended"],
  ])("as %j has the word %s", (recommended, word) => {
    expect(marked(recommended)).toEqual({ value: "a", word });
  });

  it.each([[{ value: "c" }], [{ value: undefined }], ["a"], [undefined]])(
    "is not there in %j",
    (recommended) => {
      expect(marked(recommended)).toBeUndefined();
    },
  );

  it("does not exist in a question without options", () => {
    expect(marked({ value: "a" }, text)).toBeUndefined();
  });

  it("has its word in a list of texts, where the other options have none", () => {
    const list = choice?.kind === "choice" ? choice.options : [];
    expect(list.map((option) => optionLine(option, marked({ value: "a" })))).toEqual([
      "Aisle · Recommended",
      "b",
    ]);
    expect(list.map((option) => optionLine(option, undefined))).toEqual(["Aisle", "b"]);
  });
});

describe("pressing an option is the answer", () => {
  const context = { send: "on-press" };

  it.each<[string, boolean, object, object?]>([
    ["of a choice of six", true, { it: options(6) }],
    ["never of a choice of seven", false, { it: options(7) }],
    ["never of two questions", false, { it: options(2), other: { type: "string" } }],
    ["never of a text", false, { it: { type: "string" } }],
    ["never without a question", false, {}],
    [
      "never where a preview must be read",
      false,
      { it: { oneOf: [{ const: "a", preview: "A" }, { const: "b" }] } },
    ],
    ["only if the request asks for it", false, { it: options(2) }, { context: { send: "later" } }],
    ["never if the answer may be remembered", false, { it: options(2) }, { remember: { days: 1 } }],
    [
      "never of a third party",
      false,
      { it: options(2) },
      { requester: { name: "Acme", claimedName: "Shop" } },
    ],
  ])("%s", (_, sends, properties, request = {}) => {
    expect(sendsOnPress(fieldsOf(properties), { context, ...request })).toBe(sends);
  });

  it("but not in a choice with a free text", () => {
    const properties = { it: options(2), other: { type: "string" } };
    const [choice] = fieldsOf(properties, { anyOf: choiceOrWords("it", "other") });
    expect(choice && sendsOnPress([choice], { context })).toBe(false);
  });
});
