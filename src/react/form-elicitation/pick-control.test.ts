import { describe, expect, it } from "vitest";
import { type Field, parseRequestedSchema } from "../../form/index.ts";
import { chooseControls } from "./field-shared.tsx";
import { controlHint } from "../../form/hints.ts";
import { presentForm } from "../../form/present-field.ts";
import { choiceOrWords } from "../../form/own-words.ts";
import { isShort, pickControl, pickLayout } from "../../form/pick-control.ts";

function fieldOf(schema: object, required = false): Field {
  const parsed = parseRequestedSchema({
    type: "object",
    properties: { value: schema },
    required: required ? ["value"] : [],
  });
  const field = parsed.ok ? parsed.fields[0] : undefined;
  if (field === undefined) throw new Error("not a field");
  return field;
}

const options = (count: number) => Array.from({ length: count }, (_, index) => `option ${index}`);

describe("pickControl", () => {
  it.each([
    ["text", { type: "string" }],
    ["text", { type: "string", maxLength: 200 }],
    ["textarea", { type: "string", maxLength: 201 }],
    ["textarea", { type: "string", default: "two\nlines" }],
    ["email", { type: "string", format: "email" }],
    ["email", { type: "string", format: "email", default: "ada@example.com" }],
    ["url", { type: "string", format: "uri" }],
    ["date", { type: "string", format: "date" }],
    ["date", { type: "string", format: "date", default: "2026-12-01" }],
    ["text", { type: "string", format: "date", default: "0900-12-01" }],
    ["date-time", { type: "string", format: "date-time" }],
    ["text", { type: "string", format: "date-time", default: "2016-12-31T23:59:60Z" }],
    ["number", { type: "number" }],
    ["number", { type: "integer", minimum: 1, maximum: 5 }],
    ["checkbox", { type: "boolean" }],
    ["radio", { type: "string", enum: options(5) }],
    ["select", { type: "string", enum: options(6) }],
    ["select", { type: "string", enum: options(15) }],
    ["search", { type: "string", enum: options(16) }],
    ["checkboxes", { type: "array", items: { type: "string", enum: options(3) } }],
  ])("picks %s for %j", (control, schema) => {
    expect(pickControl(fieldOf(schema))).toBe(control);
  });

  it.each([
    ["slider", { type: "integer", minimum: 0, maximum: 100 }],
    ["slider", { type: "number", minimum: 0, maximum: 1 }],
    ["rating", { type: "integer", minimum: 1, maximum: 5 }],
    ["rating", { type: "integer", minimum: 1, maximum: 10 }],
    ["textarea", { type: "string" }],
    ["radio", { type: "string", enum: options(15) }],
    ["select", { type: "string", enum: options(2) }],
  ])("follows the hint %s for %j", (hint, schema) => {
    expect(pickControl(fieldOf(schema), hint)).toBe(hint);
  });

  it.each([
    ["slider", { type: "integer", minimum: 0 }, "number"],
    ["rating", { type: "integer", minimum: 0, maximum: 100 }, "number"],
    ["rating", { type: "number", minimum: 1, maximum: 5 }, "number"],
    ["rating", { type: "integer", minimum: 0, maximum: 11 }, "number"],
    ["slider", { type: "integer", maximum: 9 }, "number"],
    ["slider", { type: "integer", minimum: 9, maximum: 9 }, "number"],
    ["slider", { type: "number", exclusiveMinimum: 0, maximum: 9 }, "number"],
    ["slider", { type: "number", minimum: 0, exclusiveMaximum: 9 }, "number"],
    ["slider", { type: "number", minimum: 0, maximum: 9, multipleOf: 2 }, "number"],
    ["slider", { type: "integer", minimum: 0, maximum: 2 ** 31 - 1 }, "number"],
    ["slider", { type: "integer", minimum: -(2 ** 31), maximum: 0 }, "number"],
    ["textarea", { type: "string", format: "email" }, "email"],
    ["rating", { type: "boolean" }, "checkbox"],
    ["radio", { type: "string", enum: options(16) }, "search"],
  ])("ignores the hint %s, which does not fit %j", (hint, schema, control) => {
    expect(pickControl(fieldOf(schema), hint)).toBe(control);
  });

  it.each([
    [5, undefined, "radio"],
    [15, "select", "radio"],
    [16, undefined, "search"],
  ])("shows %i options with a free text below them, with the hint %s: %s", (count, hint, control) => {
    const properties = { value: { enum: options(count) }, words: { type: "string" } };
    const anyOf = choiceOrWords("value", "words");
    const parsed = parseRequestedSchema({ type: "object", properties, anyOf });
    const [field, words] = parsed.ok ? parsed.fields : [];
    expect(field && pickControl(field, hint)).toBe(control);
    expect(field && pickLayout(field, "radio")).toBe("cards");
    expect(words && pickControl(words)).toBe("textarea");
  });

  it("shows all options that have previews", () => {
    const oneOf = options(9).map((value) => ({ const: value, preview: value }));
    expect(pickControl(fieldOf({ oneOf }))).toBe("radio");
    expect(pickLayout(fieldOf({ oneOf }), "radio")).toBe("cards");
  });

  it.each([
    [{ type: "string" }, "two\nlines", "textarea"],
    [{ type: "string" }, "one line", "text"],
    [{ type: "string", default: "two\nlines" }, "one line", "textarea"],
    [{ type: "string", format: "date" }, "next Monday", "text"],
    [{ type: "string", format: "date" }, "", "date"],
    [{ type: "string", format: "date", default: "0900-12-01" }, "2026-12-01", "date"],
    [{ type: "string", format: "date-time" }, "2026-12-01T10:00:00Z", "date-time"],
  ])("shows for %j a value that was not typed there, %j, unchanged", (schema, given, control) => {
    expect(pickControl(fieldOf(schema), undefined, false, given)).toBe(control);
  });

  it("picks yes and no if an empty checkbox would be ambiguous", () => {
    expect(pickControl(fieldOf({ type: "boolean" }), undefined, true)).toBe("yes-no");
    expect(pickControl(fieldOf({ type: "boolean" }, true))).toBe("yes-no");
    expect(pickControl(fieldOf({ type: "boolean", default: false }, true))).toBe("checkbox");
  });
});

describe("pickLayout", () => {
  const short = (count: number) => options(count).map((option) => option.slice(-2));
  const several = (items: object) => ({ type: "array", items });
  const described = [{ const: "a", title: "A", description: "Free until the day before" }, { const: "b" }];

  it.each([
    ["segments", { type: "string", enum: ["Economy", "Premium", "Business"] }, undefined],
    ["segments", { type: "string", enum: short(4) }, undefined],
    ["columns", { type: "string", enum: short(5) }, undefined],
    ["columns", { type: "string", enum: ["Economy class", "Premium economy", "Business"] }, undefined],
    ["columns", { type: "string", oneOf: described }, undefined],
    ["columns", { type: "string", enum: ["a", "b".repeat(24)] }, undefined],
    ["cards", { type: "string", enum: ["a", "b".repeat(25)] }, undefined],
    ["segments", { type: "string", enum: ["b".repeat(16), "c".repeat(16)] }, undefined],
    ["columns", { type: "string", enum: ["b".repeat(17), "c"] }, undefined],
    ["columns", { type: "string", enum: ["b".repeat(16), "c".repeat(16), "d"] }, undefined],
    ["columns", { type: "string", oneOf: [{ const: "a", description: "b".repeat(32) }] }, undefined],
    ["cards", { type: "string", oneOf: [{ const: "a", description: "b".repeat(33) }] }, undefined],
    ["cards", { type: "string", enum: options(16) }, undefined],
    [undefined, { type: "string", enum: short(4) }, "select"],
    ["chips", several({ type: "string", enum: short(8) }), undefined],
    ["columns", several({ type: "string", enum: short(9) }), undefined],
    ["columns", several({ anyOf: described }), undefined],
    ["columns", several({ type: "string", enum: short(15) }), undefined],
    ["cards", several({ type: "string", enum: short(16) }), undefined],
    ["stars", { type: "integer", minimum: 1, maximum: 5 }, "rating"],
    ["scale", { type: "integer", minimum: 0, maximum: 5 }, "rating"],
    ["scale", { type: "integer", minimum: 0, maximum: 10 }, "rating"],
    ["stepper", { type: "integer", minimum: 0, maximum: 20 }, undefined],
    [undefined, { type: "integer", minimum: 0, maximum: 21 }, undefined],
    [undefined, { type: "integer", minimum: 0 }, undefined],
    [undefined, { type: "integer", maximum: 9 }, undefined],
    [undefined, { type: "integer", minimum: 0, maximum: 9, multipleOf: 3 }, undefined],
    [undefined, { type: "number", minimum: 0, maximum: 9 }, undefined],
    [undefined, { type: "integer", minimum: 0, maximum: 9 }, "slider"],
    [undefined, { type: "string" }, undefined],
  ])("picks %s for %j with the hint %s", (layout, schema, hint) => {
    const field = fieldOf(schema);
    expect(pickLayout(field, pickControl(field, hint))).toBe(layout);
  });

  it("gives the answers of a single yes-or-no question more space than those among others", () => {
    const field = fieldOf({ type: "boolean" }, true);
    expect(pickLayout(field, "yes-no", true)).toBe("columns");
    expect(pickLayout(field, "yes-no")).toBe("segments");
  });
});

describe("two short fields side by side", () => {
  const halvesOf = (properties: Record<string, object>, control?: string, controls = {}) => {
    const parsed = parseRequestedSchema({ type: "object", properties });
    if (!parsed.ok) throw new Error("no fields");
    const fields = Object.fromEntries(Object.keys(properties).map((name) => [name, { control }]));
    const choices = chooseControls({
      ...presentForm({ fields: parsed.fields, secretFields: [], context: { fields } }),
      controls,
      isStepped: false,
    });
    return parsed.fields.filter((field) => choices.get(field)?.half).map(({ name }) => name);
  };
  const text = { type: "string" };
  const date = { type: "string", format: "date" };
  const long = { type: "string", maxLength: 900 };

  it("share a row in their order, and a field without a short neighbour gets a whole row", () => {
    expect(halvesOf({ a: text, b: date, c: long, d: text, e: long })).toEqual(["a", "b"]);
    expect(halvesOf({ a: text, b: text, c: text })).toEqual(["a", "b"]);
    expect(halvesOf({ a: long, b: text, c: { type: "boolean" } })).toEqual(["b", "c"]);
  });

  it.each([
    ["a label of 32 characters", { ...text, title: "x".repeat(32) }],
    ["a description of 48 characters", { ...text, description: "x".repeat(48) }],
    ["answers of 60 characters", { ...text, maxLength: 60 }],
    ["options of 18 characters", { type: "string", enum: ["123456789", "abcdefghi"] }],
    ["a yes or no", { type: "boolean" }],
    ["a choice in a list", { type: "string", enum: options(6) }],
    ["a number", { type: "number" }],
  ])("share a row when one has %s", (_, schema) => {
    expect(halvesOf({ a: text, b: schema })).toEqual(["a", "b"]);
  });

  it("share a row when one is a rating with stars or must be a yes or a no", () => {
    expect(halvesOf({ a: text, b: { type: "integer", minimum: 1, maximum: 5 } }, "rating")).toEqual([
      "a",
      "b",
    ]);
    expect(halvesOf({ a: text, b: { type: "integer", minimum: 0, maximum: 5 } }, "rating")).toEqual([]);
    expect(isShort(fieldOf({ type: "boolean" }, true), "yes-no", "segments")).toBe(true);
  });

  it.each([
    ["a long label", { ...text, title: "x".repeat(33) }],
    ["a long description", { ...text, description: "x".repeat(49) }],
    ["long answers", { ...text, maxLength: 61 }],
    ["options of 19 characters", { type: "string", enum: ["123456789", "abcdefghij"] }],
    ["wide options", { type: "string", enum: ["Economy", "Premium", "Business"] }],
    ["a web address", { ...text, format: "uri" }],
    ["several options", { type: "array", items: { type: "string", enum: ["a", "b"] } }],
  ])("do not share a row when one has %s", (_, schema) => {
    expect(halvesOf({ a: text, b: schema })).toEqual([]);
  });

  it("do not share a row when a developer's own control may need more space", () => {
    expect(halvesOf({ a: text, b: text }, "colour", { colour: () => null })).toEqual([]);
  });
});

describe("controlHint", () => {
  it("reads the hint of a field", () => {
    expect(controlHint({ trigger: "tool", fields: { stars: { control: "rating" } } }, "stars")).toBe(
      "rating",
    );
  });

  it.each([
    undefined,
    {},
    { fields: null },
    { fields: "stars" },
    { fields: { stars: null } },
    { fields: { stars: { control: 5 } } },
  ])("finds no hint in %j", (context) => {
    expect(controlHint(context, "stars")).toBeUndefined();
  });

  it("ignores inherited properties", () => {
    expect(controlHint({ fields: {} }, "constructor")).toBeUndefined();
    expect(controlHint({ fields: {} }, "__proto__")).toBeUndefined();
  });
});
