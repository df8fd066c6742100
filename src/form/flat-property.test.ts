import { describe, expect, it } from "vitest";
import { type Field, parseRequestedSchema } from "./index.ts";

const list = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);

/** The field for a property, or why it is refused. */
function read(property: unknown, $defs: object = {}): Field | string | undefined {
  const parsed = parseRequestedSchema({ type: "object", $defs, properties: { it: property } });
  return parsed.ok ? parsed.fields[0] : parsed.reasons[0]?.message;
}

const text = { type: "string" };
const labelled = (title: string) => ({ ...text, title });
const to = (name: string) => ({ $ref: `#/$defs/${name}` });

describe("a form shows", () => {
  it.each<[string, unknown, object]>([
    [
      "the title and help that stand next to a part",
      { title: "Out", allOf: [labelled("In")] },
      { label: "Out" },
    ],
    [
      "the title of a part if there is no other",
      { allOf: [labelled("In"), { description: "Why" }] },
      { label: "In", description: "Why" },
    ],
    [
      "an integer for a part with integers and one with numbers",
      { type: "number", allOf: [{ type: "integer" }] },
      { kind: "number", integer: true },
    ],
    [
      "a number for a type of integers and numbers",
      { type: ["integer", "number", "null"] },
      { kind: "number", integer: false },
    ],
    [
      "the options that all parts have",
      { allOf: [{ enum: ["a", "b"] }, { enum: ["b", "c"] }] },
      { options: [{ value: "b" }] },
    ],
    ["the options of a list without null", { enum: ["a", null] }, { options: [{ value: "a" }] }],
    [
      "the only branch that is not null",
      { anyOf: [{ enum: [null] }, text, { const: null }] },
      { kind: "text" },
    ],
    [
      "an option that may be left out",
      { title: "Terms", oneOf: [{ const: "a", title: "Agreed" }, { type: "null" }] },
      { label: "Terms", options: [{ label: "Agreed" }] },
    ],
    [
      "a default next to a part with another",
      { default: "b", allOf: [{ ...text, default: "a" }] },
      { default: "b" },
    ],
    [
      "what both parts say in the same words",
      { multipleOf: 5, allOf: [{ type: "integer", multipleOf: 5 }] },
      { multipleOf: 5 },
    ],
    [
      "a text with a keyword that would change the object that holds it",
      JSON.parse('{"allOf":[{"type":"string"}],"__proto__":{"enum":["a"]}}'),
      { kind: "text" },
    ],
  ])("%s", (_, property, field) => {
    expect(read(property)).toMatchObject(field);
  });

  it.each<[string, object, object, object]>([
    [
      "length of a text",
      { ...text, minLength: 1, maxLength: 12 },
      { minLength: 3, maxLength: 9 },
      { minLength: 3, maxLength: 9 },
    ],
    [
      "range of a number",
      { type: "number", minimum: 1, maximum: 12 },
      { minimum: 3, maximum: 9 },
      { minimum: 3, maximum: 9 },
    ],
    [
      "open range of a number",
      { type: "number", exclusiveMinimum: 1, exclusiveMaximum: 12 },
      { exclusiveMinimum: 3, exclusiveMaximum: 9 },
      { minimum: 3, maximum: 9 },
    ],
    [
      "number of choices",
      { type: "array", items: { enum: ["a"] }, minItems: 0, maxItems: 9 },
      { minItems: 1, maxItems: 5 },
      { minItems: 1, maxItems: 5 },
    ],
  ])("the stricter %s of two parts, in any order", (_, one, other, field) => {
    expect(read({ allOf: [one, other] })).toMatchObject(field);
    expect(read({ ...one, allOf: [other] })).toMatchObject(field);
  });

  it("a text that must match the patterns of both parts", () => {
    const field = read({ pattern: "^a", allOf: [{ ...text, pattern: "z$" }] });
    const matches = (answer: string) =>
      typeof field === "object" && field.kind === "text" && field.pattern?.test(answer);
    expect(["abz", "ab", "bz"].map(matches)).toEqual([true, false, false]);
  });

  it.each(["a~1b", "c~0d", "e%20f", "100%", "of/deeper"])("what a reference to %s leads to", (name) => {
    const $defs = { "a/b": text, "c~d": text, "e f": text, "100%": text, of: { deeper: text } };
    expect(read(to(name), $defs)).toMatchObject({ kind: "text" });
  });

  it("the property at the end of a chain of up to eight references", () => {
    const chain = Object.fromEntries(list(9).map((at) => [`d${at}`, at === 0 ? text : to(`d${at - 1}`)]));
    expect(read(to("d7"), chain)).toMatchObject({ kind: "text" });
    expect(read(to("d8"), chain)).toBe("unsupported-property: $ref");
  });
});

describe("a form is refused by the name of the keyword", () => {
  it.each<[string, unknown, object?]>([
    ["$ref", { $ref: 7 }],
    ["$ref", { $ref: "#" }],
    ["$ref", { $ref: "$defs/A" }, { A: text }],
    ["$ref", to("Nowhere")],
    ["$ref", to("Nowhere/deeper")],
    ["$ref", to("toString")],
    ["$ref", to("A/enum"), { A: { enum: ["a"] } }],
    ["$ref", to("A"), { A: { allOf: [to("A")] } }],
    ["$ref", to("A"), { A: { anyOf: [to("A"), { type: "null" }] } }],
    ["allOf", { ...text, allOf: text }],
    ["type", { ...text, allOf: [{ type: "integer" }] }],
    ["minLength", { ...text, minLength: "1", allOf: [{ minLength: 2 }] }],
    ["maximum", { type: "number", maximum: 1, allOf: [{ maximum: "2" }] }],
    ["multipleOf", { type: "integer", multipleOf: 2, allOf: [{ multipleOf: 3 }] }],
    ["enum", { enum: "a", allOf: [{ enum: ["a", "b"] }] }],
    ["enum", { enum: ["a", "b"], allOf: [{ enum: "a" }] }],
    ["anyOf", { anyOf: [{ type: "integer", minimum: 1 }, { type: "number" }] }],
    ["anyOf", { anyOf: [{ type: "number" }, { type: "string" }] }],
  ])("%s in %j", (keyword, property, $defs) => {
    expect(read(property, $defs)).toBe(`unsupported-property: ${keyword}`);
  });
});

describe("a short schema whose parts are very long together is refused", () => {
  const parts = (count: number, part: object) => Array.from({ length: count }, () => part);

  it.each<[string, unknown, object?]>([
    ["many parts beside many keywords", { ...list(9000), allOf: parts(100, {}) }],
    ["many references to a long list", { allOf: parts(40, to("A")) }, { A: { enum: list(20_000) } }],
    [
      "many references to two long lists",
      { allOf: parts(40, to("C")) },
      { A: { enum: list(5000) }, B: { enum: list(5000, 5000) }, C: { allOf: [to("A"), to("B")] } },
    ],
  ])("%s", (_, property, $defs) => {
    expect(read(property, $defs)).toBe("unsupported-property: $ref");
  });
});
