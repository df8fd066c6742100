import { describe, expect, it } from "vitest";
import { type Drafts, type Field, initialDrafts, parseRequestedSchema, validate } from "./index.ts";
import { validateField } from "./validate.ts";

function fieldsOf(properties: object, required: readonly string[] = []): readonly Field[] {
  const parsed = parseRequestedSchema({ type: "object", properties, required });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.reasons));
  return parsed.fields;
}

/** The value or error that one property gets from a draft. */
function judge(property: object, draft: Drafts[string] | undefined, required = false): unknown {
  const result = validate(
    fieldsOf({ it: property }, required ? ["it"] : []),
    draft === undefined ? {} : { it: draft },
  );
  return result.ok ? result.content["it"] : result.errors["it"];
}

const meals = { type: "array", items: { enum: ["breakfast", "dinner"] } };

describe("the initial drafts", () => {
  it("contain the defaults, with numbers as text, and no field without a default", () => {
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

  it("are the answer when the user changes nothing", () => {
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

  it.each([
    ["email", "  ada@example.com ", "ada@example.com"],
    ["email", "ada@münchen.de", "ada@xn--mnchen-3ya.de"],
    ["email", "a@b@münchen.de", { code: "email" }],
    ["email", "münchen.de", { code: "email" }],
    ["email", "ada@mün/chen.de", { code: "email" }],
    ["email", "adä@example.com", { code: "email" }],
    ["uri", " https://example.com/a ", "https://example.com/a"],
    ["uri", "https://münchen.de/ü", "https://xn--mnchen-3ya.de/%C3%BC"],
    ["uri", "ü", { code: "uri" }],
    ["date", " 2026-12-01", { code: "date" }],
    [undefined, "  Ada ", "  Ada "],
    [undefined, "", undefined],
  ])("reads the typed text of the format %s: %j as %j", (format, typed, value) => {
    expect(judge({ type: "string", ...(format && { format }) }, typed)).toEqual(value);
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
  ])("omits %s, and is an error for a required field", (_title, property, draft) => {
    expect(judge(property, draft)).toBeUndefined();
    expect(judge(property, draft, true)).toEqual({ code: "required" });
  });

  it("may be an empty choice, or an empty string that is an option", () => {
    expect(judge(meals, [], true)).toEqual([]);
    expect(judge({ enum: ["", "a"] }, "", true)).toBe("");
  });

  it("may be no as well as yes", () => {
    expect(judge({ type: "boolean" }, false, true)).toBe(false);
  });

  it("ignores inherited drafts and keeps every field name", () => {
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

it("a single field has the same error as in the whole form", () => {
  const [city] = fieldsOf({ city: { type: "string", minLength: 3 } }, ["city"]);
  expect(validateField(city!, "Li")).toEqual({ code: "too-short", limit: 3 });
  expect(validateField(city!, undefined)).toEqual({ code: "required" });
  expect(validateField(city!, "Lisbon")).toBeUndefined();
});

describe("a very long text", () => {
  // With quadratic work, a text of this length would take longer than the test's time-out.
  const long = 200_000;

  it.each([
    ["digits", "1".repeat(long)],
    ["digits with a point", `${"1".repeat(long)}.${"1".repeat(long)}`],
    ["zeros", "0".repeat(long)],
    ["spaces", `1${" ".repeat(long)}`],
  ])("is refused as a number in linear time: %s and a letter", (_what, draft) => {
    expect(judge({ type: "number" }, `${draft}x`)).toEqual({ code: "number" });
  });

  const fits = 64 * 1024 - 16;
  it.each([
    ["email", `a@${"a.".repeat(fits / 2)}`],
    ["email", `a@${`${"a".repeat(63)}.`.repeat(fits / 64)}`],
    ["email", `a@a${"-".repeat(fits)}`],
    ["uri", `a:${"b".repeat(fits)}<`],
    ["uri", `a://${"b:".repeat(fits / 2)}<`],
    ["uri", `a://${"%41".repeat(fits / 3)}<`],
    ["uri", `a://[${":".repeat(fits)}]`],
    ["uri", `a://b?${"c/".repeat(fits / 2)}<`],
    ["date", "2".repeat(fits)],
    ["date-time", `2026-01-01T00:00:60.${"1".repeat(fits - 8)}Z`],
  ])("is refused in linear time as %s", (format, draft) => {
    expect(judge({ type: "string", format }, draft)).toEqual({ code: format });
  });

  it("is refused without being read if it is longer than any answer, so that no regular expression overflows the stack", () => {
    const allowed = `a:${"b".repeat(64 * 1024 - 2)}`;
    expect(judge({ type: "string", format: "uri" }, allowed)).toBe(allowed);
    const millions = `a:${"b".repeat(20_000_000)}`;
    expect(judge({ type: "string", format: "uri" }, millions)).toEqual({ code: "uri" });
    const pattern = "^(?:a|b|:)*$";
    expect(judge({ type: "string", pattern }, allowed)).toBe(allowed);
    expect(judge({ type: "string", pattern }, millions)).toEqual({ code: "pattern" });
    expect(judge({ type: "string" }, millions)).toBe(millions);
  });

  it("with many choices is compared with the options in linear time", () => {
    let looks = 0;
    const options = Array.from({ length: 1000 }, (_, index) => ({
      label: "",
      get value() {
        looks += 1;
        return `o${index}`;
      },
    }));
    const field: Field = { name: "it", label: "It", required: false, kind: "multi-choice", options };
    const last = Array.from({ length: 50_000 }, () => "o999");
    expect(validateField(field, last)).toEqual({ code: "duplicate" });
    expect(validateField(field, [...last, "x"])).toEqual({ code: "not-an-option" });
    expect(looks).toBeLessThanOrEqual(4000);
  });
});
