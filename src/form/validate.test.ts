import { describe, expect, it } from "vitest";
import {
  type Drafts,
  type Field,
  initialDrafts,
  parseRequestedSchema,
  validate,
  validateField,
} from "./index.ts";

function fieldsOf(properties: object, required: readonly string[] = []): readonly Field[] {
  const parsed = parseRequestedSchema({ type: "object", properties, required });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.reasons));
  return parsed.fields;
}

/** What one property makes of what stands in its control. */
function judge(property: object, draft: Drafts[string] | undefined, required = false): unknown {
  const result = validate(
    fieldsOf({ it: property }, required ? ["it"] : []),
    draft === undefined ? {} : { it: draft },
  );
  return result.ok ? result.content["it"] : result.errors["it"];
}

const meals = { type: "array", items: { enum: ["breakfast", "dinner"] } };

describe("what controls start with", () => {
  it("is the defaults, numbers as text; what has none is untouched", () => {
    const fields = fieldsOf({
      city: { type: "string", default: "Lisbon" },
      nights: { type: "integer", default: 2 },
      meals: { ...meals, default: ["dinner"] },
      pets: { type: "boolean", default: false },
      note: { type: "string" },
    });
    expect(Object.entries(initialDrafts(fields))).toEqual([
      ["city", "Lisbon"],
      ["nights", "2"],
      ["meals", ["dinner"]],
      ["pets", false],
    ]);
  });

  it("is sent as it is when nobody touches it", () => {
    const fields = fieldsOf({ nights: { type: "integer", default: 2 }, note: { type: "string" } });
    const result = validate(fields, initialDrafts(fields));
    expect(result.ok && Object.entries(result.content)).toEqual([["nights", 2]]);
  });
});

describe("an answer", () => {
  it.each([
    ["1", 1],
    [" 1.0 ", 1],
    ["12.5", 12.5],
    ["+.5e1", 5],
    ["-3.", -3],
    [".25", 0.25],
    ["2e-1", 0.2],
    ["", undefined],
    ["  ", undefined],
  ])("reads the typed number %j as %j", (typed, value) => {
    expect(judge({ type: "number" }, typed)).toBe(value);
  });

  it.each(["1,5", "0x10", "1e", "Infinity", "NaN", "1 2", "--1", "."])(
    "does not read %j as a number",
    (typed) => {
      expect(judge({ type: "number" }, typed)).toEqual({ code: "number" });
    },
  );

  it.each<[string, object, Drafts[string], object]>([
    ["a number with a fraction", { type: "integer" }, "1.5", { code: "integer" }],
    ["an integer no reader holds", { type: "integer" }, "1e16", { code: "too-large", limit: 2 ** 53 - 1 }],
    ["too small", { type: "number", minimum: 2 }, "1", { code: "too-small", limit: 2 }],
    ["too short", { type: "string", minLength: 2 }, "😀", { code: "too-short", limit: 2 }],
    ["too long", { type: "string", maxLength: 1 }, "ab", { code: "too-long", limit: 1 }],
    ["no address", { type: "string", format: "email" }, "ada", { code: "email" }],
    ["off the pattern", { type: "string", pattern: "^a$" }, "b", { code: "pattern" }],
    ["no option", { enum: ["a"] }, "b", { code: "not-an-option" }],
    ["too few", { ...meals, minItems: 2 }, ["dinner"], { code: "too-few", limit: 2 }],
    ["twice the same", meals, ["dinner", "dinner"], { code: "duplicate" }],
    ["a text for a yes or no", { type: "boolean" }, "true", { code: "type" }],
    ["a yes or no for a text", { type: "string" }, true, { code: "type" }],
    ["a yes or no for a number", { type: "number" }, true, { code: "type" }],
    ["a yes or no for a choice", { enum: ["a"] }, true, { code: "type" }],
    ["one text for several choices", meals, "dinner", { code: "type" }],
  ])("is refused when it is %s", (_title, property, draft, error) => {
    expect(judge(property, draft)).toEqual(error);
  });

  it.each<[string, object, Drafts[string], unknown]>([
    ["the least number", { type: "number", minimum: 2 }, "2", 2],
    ["the largest number", { type: "number", maximum: 2 }, "2", 2],
    [
      "a text of one character, whatever it takes to store",
      { type: "string", minLength: 1, maxLength: 1 },
      "😀",
      "😀",
    ],
    ["as few choices as allowed", { ...meals, minItems: 1 }, ["dinner"], ["dinner"]],
    ["as many choices as allowed", { ...meals, maxItems: 1 }, ["dinner"], ["dinner"]],
  ])("may be %s", (_title, property, draft, value) => {
    expect(judge(property, draft)).toEqual(value);
  });

  it.each<[string, object, Drafts[string] | undefined]>([
    ["a text that was never touched", { type: "string" }, undefined],
    ["a text that was cleared", { type: "string" }, ""],
    ["a number that was cleared", { type: "number" }, " "],
    ["a choice that was cleared", { enum: ["a"] }, ""],
    ["choices of which none is too few", { ...meals, minItems: 1 }, []],
    ["a yes or no that was not given", { type: "boolean" }, undefined],
  ])("leaves out %s, and asks for it where it is required", (_title, property, draft) => {
    expect(judge(property, draft)).toBeUndefined();
    expect(judge(property, draft, true)).toEqual({ code: "required" });
  });

  it("may be none of the choices, and the empty choice where it is one", () => {
    expect(judge(meals, [], true)).toEqual([]);
    expect(judge({ enum: ["", "a"] }, "", true)).toBe("");
  });

  it("may be no as well as yes", () => {
    expect(judge({ type: "boolean" }, false, true)).toBe(false);
  });

  it("takes nothing from what drafts inherit, and keeps every name", () => {
    const schema: unknown = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}},"required":["constructor"]}',
    );
    const parsed = parseRequestedSchema(schema);
    const fields = parsed.ok ? parsed.fields : [];
    const drafts: Drafts = JSON.parse('{"__proto__":"x"}');
    expect(validate(fields, {})).toEqual({ ok: false, errors: { constructor: { code: "required" } } });
    const result = validate(fields, { ...drafts, ["__proto__"]: "x", constructor: "y" });
    expect(result.ok && Object.entries(result.content)).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
  });
});

it("says on leaving a control what it would say on submit", () => {
  const [city] = fieldsOf({ city: { type: "string", minLength: 3 } }, ["city"]);
  expect(validateField(city!, "Li")).toEqual({ code: "too-short", limit: 3 });
  expect(validateField(city!, undefined)).toEqual({ code: "required" });
  expect(validateField(city!, "Lisbon")).toBeUndefined();
});
