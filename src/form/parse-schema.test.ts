import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { type Field, parseRequestedSchema } from "./index.ts";
import { checkContent } from "./check-content.ts";

// The machine may be busy, and FC_RUNS may ask for long runs.
vi.setConfig({ testTimeout: 600_000 });
const runs = { numRuns: Number(process.env["FC_RUNS"] ?? 300) };

function fieldOf(property: unknown): Field | undefined {
  const parsed = parseRequestedSchema({ type: "object", properties: { it: property } });
  return parsed.ok ? parsed.fields[0] : undefined;
}

function reasonsFor(schema: unknown): readonly (readonly [string, string | undefined, string])[] {
  const parsed = parseRequestedSchema(schema);
  return parsed.ok ? [] : parsed.reasons.map(({ code, property, message }) => [code, property, message]);
}

function reasonFor(property: unknown): readonly [string, string] | undefined {
  const [first] = reasonsFor({ type: "object", properties: { it: property } });
  return first && [first[0], first[2]];
}

const yes = { value: "y", label: "Yes", description: undefined };
const no = { value: "n", label: "n", description: undefined };

describe("the reader of a property", () => {
  it.each<[string, unknown, object]>([
    ["text", { type: "string", minLength: 1, maxLength: 9 }, { kind: "text", minLength: 1, maxLength: 9 }],
    ["text of a format", { type: "string", format: "email" }, { kind: "text", format: "email" }],
    [
      "number",
      { type: "number", minimum: -0.5, maximum: 2 },
      { kind: "number", integer: false, minimum: -0.5 },
    ],
    ["integer", { type: "integer" }, { kind: "number", integer: true }],
    ["boolean", { type: "boolean", default: false }, { kind: "boolean", default: false }],
    ["enum", { type: "string", enum: ["y", "n"] }, { kind: "choice", options: [{ ...yes, label: "y" }, no] }],
    ["boolean with both of its values", { type: "boolean", enum: [true, false] }, { kind: "boolean" }],
    ["boolean that can only be true", { type: "boolean", enum: [true] }, { kind: "choice" }],
    ["boolean that can only be false", { type: "boolean", enum: [false] }, { kind: "choice" }],
    [
      "boolean that can only be agreed to",
      { type: "boolean", const: true, title: "I agree" },
      { kind: "choice", options: [{ value: "true", answer: true, label: "I agree" }] },
    ],
    [
      "boolean with a title for its only value",
      { title: "Terms", oneOf: [{ const: true, title: "I agree" }] },
      { label: "Terms", options: [{ label: "I agree" }] },
    ],
    ["single number", { const: 7, title: "Bags" }, { options: [{ label: "7", answer: 7 }] }],
    ["choice of booleans", { enum: [true, false] }, { options: [{ label: "true" }, { label: "false" }] }],
    ["enum with values of two lists", { enum: ["y", "n"], oneOf: [{ const: "n" }] }, { options: [no] }],
    ["enum without what its limits refuse", { enum: ["n", "yes"], maxLength: 1 }, { options: [no] }],
    ["enum without what its pattern refuses", { enum: ["n", "yes"], pattern: "^n" }, { options: [no] }],
    ["pattern that is not text", { type: "string", pattern: 7 }, { kind: "text", pattern: undefined }],
    [
      "enum with enumNames",
      { type: "string", enum: ["y"], enumNames: ["Yes"] },
      { kind: "choice", options: [yes] },
    ],
    ["enum with enumLabels", { enum: ["y"], enumLabels: ["Yes"] }, { kind: "choice", options: [yes] }],
    [
      "titled enum",
      { type: "string", oneOf: [{ const: "y", title: "Yes", description: "Go on" }, { const: "n" }] },
      { kind: "choice", options: [{ ...yes, description: "Go on" }, no] },
    ],
    [
      "titled enum with previews, cut after 2,000 characters, without what turns the text around it",
      {
        oneOf: [
          { const: "y", title: "Yes", preview: "a\n  b\u202e" },
          { const: "n", preview: "x".repeat(2001) },
        ],
      },
      {
        kind: "choice",
        options: [
          { ...yes, preview: "a\n  b" },
          { ...no, preview: `${"x".repeat(1999)}…` },
        ],
      },
    ],
    ["a preview that is not text", { oneOf: [{ const: "y", title: "Yes", preview: 7 }] }, { options: [yes] }],
    [
      "multi-select",
      {
        type: "array",
        items: { type: "string", enum: ["y", "n"] },
        minItems: 1,
        maxItems: 2,
        default: ["n"],
      },
      {
        kind: "multi-choice",
        options: [{ ...yes, label: "y" }, no],
        minItems: 1,
        maxItems: 2,
        default: ["n"],
      },
    ],
    [
      "titled multi-select",
      { type: "array", items: { anyOf: [{ const: "y", title: "Yes" }] } },
      { kind: "multi-choice", options: [yes] },
    ],
  ])("reads %s", (_title, property, expected) => {
    expect(fieldOf(property)).toMatchObject(expected);
  });

  it("labels a field by its title, or by its name if the title is missing or empty", () => {
    expect(fieldOf({ type: "string", title: "City", description: "Where to" })).toMatchObject({
      label: "City",
      description: "Where to",
    });
    expect(fieldOf({ type: "string", title: "" })).toMatchObject({ label: "it" });
    expect(fieldOf({ type: "string", title: 7 })).toMatchObject({ label: "it" });
  });

  it.each([
    [["Lisbon", "Porto"], "Lisbon"],
    [[7], "7"],
    [[{}], undefined],
    [[], undefined],
    ["Lisbon", undefined],
  ])("uses the first of the examples %j as placeholder", (examples, placeholder) => {
    expect(fieldOf({ type: "string", examples })?.placeholder).toBe(placeholder);
  });

  it("keeps a default only if it is a value that the field can hold", () => {
    expect(fieldOf({ type: "string", format: "date", default: "2026-02-30" })).not.toHaveProperty("default");
    expect(fieldOf({ type: "integer", default: 1.5 })).not.toHaveProperty("default");
    expect(fieldOf({ enum: ["y"], default: "n" })).not.toHaveProperty("default");
    expect(fieldOf({ type: "string", default: "" })).toHaveProperty("default", "");
  });

  it("treats an unknown format as plain text, even one with the name of an inherited property", () => {
    expect(fieldOf({ type: "string", format: "iban" })).toMatchObject({ kind: "text", format: undefined });
    expect(fieldOf({ type: "string", format: "toString" })).toMatchObject({ format: undefined });
  });

  it("keeps a pattern only if it is proven to be linear", () => {
    expect(fieldOf({ type: "string", pattern: "^\\d+$" })).toMatchObject({ pattern: /^\d+$/u });
    expect(fieldOf({ type: "string", pattern: "^(a+)+$" })).toMatchObject({ pattern: undefined });
  });

  it.each([
    [{ type: "string", format: "password" }, true],
    [{ type: "string", writeOnly: true }, true],
    [{ type: "string", writeOnly: "true" }, false],
    [{ type: "string" }, false],
  ])("detects whether %j asks for a secret: %j", (property, secret) => {
    expect(fieldOf(property)).toMatchObject({ secret });
  });

  it("uses enumNames only if there is one for each value", () => {
    expect(fieldOf({ enum: ["y", "n"], enumNames: ["Yes"] })).toMatchObject({
      options: [{ label: "y" }, { label: "n" }],
    });
  });

  it("offers a repeated enum value once", () => {
    expect(fieldOf({ enum: ["y", "y"] })).toMatchObject({ options: [{ value: "y" }] });
  });
});

describe("the reader of a schema", () => {
  it("keeps the order of the properties, whatever their names", () => {
    const schema: unknown = JSON.parse(
      '{"type":"object","properties":{"b":{"type":"string"},"__proto__":{"type":"boolean"},"constructor":{"type":"number"}},"required":["__proto__"]}',
    );
    const parsed = parseRequestedSchema(schema);
    expect(parsed.ok && parsed.fields.map(({ name, kind, required }) => [name, kind, required])).toEqual([
      ["b", "text", false],
      ["__proto__", "boolean", true],
      ["constructor", "number", false],
    ]);
  });

  it("treats a schema without properties as a form that asks only for consent", () => {
    expect(parseRequestedSchema({ type: "object", properties: {} })).toEqual({ ok: true, fields: [] });
  });

  it.each([
    null,
    [],
    "object",
    {},
    { type: "object" },
    { type: "array", properties: {} },
    { properties: {} },
  ])("refuses %j, which is not an object schema", (schema) => {
    expect(reasonsFor(schema)).toEqual([
      ["not-an-object-schema", undefined, "not-an-object-schema: type, properties"],
    ]);
  });

  it("ignores inherited properties of a schema", () => {
    expect(reasonsFor(Object.create({ type: "object", properties: {} }))).toHaveLength(1);
  });

  it.each([[["other"]], ["it"], [[1]]])("refuses the required list %j", (required) => {
    const schema = { type: "object", properties: { it: { type: "string" } }, required };
    expect(reasonsFor(schema)).toEqual([["invalid-keyword", undefined, "invalid-keyword: required"]]);
  });

  it("reports every property that cannot be shown, not only the first", () => {
    const properties = { a: { type: "object" }, b: { type: "string" }, c: { type: "string", minLength: -1 } };
    expect(reasonsFor({ type: "object", properties })).toEqual([
      ["unsupported-property", "a", "unsupported-property: type"],
      ["invalid-keyword", "c", "invalid-keyword: minLength"],
    ]);
  });

  it.each([
    [{}, "unsupported-property: type"],
    [null, "unsupported-property: type"],
    [{ type: ["string", "integer"] }, "unsupported-property: type"],
    [{ type: "null" }, "unsupported-property: type"],
    [{ type: "array" }, "unsupported-property: enum or anyOf"],
    [{ type: "array", items: { type: "string" } }, "unsupported-property: enum or anyOf"],
    [{ type: "integer", enum: ["1"] }, "invalid-keyword: enum"],
    [{ type: "integer", enum: [1, 1.5] }, "invalid-keyword: enum"],
    [{ type: "string", enum: "y" }, "unsupported-property: enum"],
    [{ anyOf: [{ type: "string" }, { type: "integer" }] }, "unsupported-property: anyOf"],
    [{ type: "array", items: { enum: [1, 2] } }, "unsupported-property: items"],
    [{ type: "array", items: { enum: ["y", 2] } }, "unsupported-property: items"],
    [{ type: "array", items: { enum: ["y"], minLength: "1" } }, "invalid-keyword: minLength"],
    [{ type: "array", items: { allOf: 1 } }, "unsupported-property: allOf"],
    [{ enum: ["y"], const: "n" }, "invalid-keyword: enum"],
    [{ type: "integer", enum: [1, 2], minimum: 3 }, "invalid-keyword: enum"],
    [{ enum: [] }, "invalid-keyword: enum"],
    [{ enum: [{}] }, "invalid-keyword: enum"],
    [{ oneOf: [{ const: {} }, { const: "y" }] }, "invalid-keyword: oneOf"],
    [{ oneOf: [] }, "invalid-keyword: oneOf"],
    [{ oneOf: [{ const: "y" }, { const: "y" }] }, "invalid-keyword: oneOf"],
    [{ type: "array", items: { anyOf: [{}, {}] } }, "unsupported-property: anyOf"],
    [{ type: "string", minLength: "1" }, "invalid-keyword: minLength"],
    [{ type: "string", maxLength: 1.5 }, "invalid-keyword: maxLength"],
    [{ type: "array", items: { enum: ["y"] }, minItems: -1 }, "invalid-keyword: minItems"],
    [{ type: "array", items: { enum: ["y"] }, maxItems: true }, "invalid-keyword: maxItems"],
    [{ type: "number", minimum: "0" }, "invalid-keyword: minimum"],
    [{ type: "number", maximum: [] }, "invalid-keyword: maximum"],
  ])("refuses the property %j: %s", (property, message) => {
    expect(reasonFor(property)).toEqual([message.split(":")[0], message]);
  });
});

// Some generators write null for what is absent.
it.each([
  [{ type: "string" }, ["minLength", "maxLength"]],
  [{ type: "number" }, ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
  [{ type: "array", items: { enum: ["y"] } }, ["minItems", "maxItems"]],
])("a limit of %j that is null is no limit", (property, limits) => {
  const nulls = Object.fromEntries(limits.map((limit) => [limit, null]));
  expect(fieldOf({ ...property, ...nulls })).toEqual(fieldOf(property));
});

describe("the limits of a schema", () => {
  const manyOptions = (count: number) => Array.from({ length: count }, (_, index) => `o${index}`);
  const manyProperties = (count: number) =>
    Object.fromEntries(manyOptions(count).map((name) => [name, { type: "string" }]));

  it("allow 1,000 options and no more", () => {
    expect(fieldOf({ enum: manyOptions(1000) })).toBeDefined();
    for (const property of [
      { enum: manyOptions(1001) },
      { oneOf: [{ enum: manyOptions(125_000).map(() => 1) }, { const: 2 }] },
    ])
      expect(reasonFor(property)).toEqual(["too-many-options", "too-many-options: 1000"]);
  });

  it("allow 200 properties and no more, and no further property is read", () => {
    expect(reasonsFor({ type: "object", properties: manyProperties(200) })).toEqual([]);
    const properties = new Proxy(manyProperties(201), {
      get: () => {
        throw new Error("looked at");
      },
    });
    expect(reasonsFor({ type: "object", properties })).toEqual([
      ["too-many-properties", undefined, "too-many-properties: 200"],
    ]);
  });

  it("allow 4,096 characters of patterns to be checked here, and leave the rest to the server", () => {
    const pattern = `^${"a".repeat(255)}`;
    const patternsOf = (last: string) => {
      const names = [...manyOptions(15).map((name) => [name, pattern]), ["last", last]];
      const properties = Object.fromEntries(
        names.map(([name, source]) => [name, { type: "string", pattern: source }]),
      );
      const parsed = parseRequestedSchema({ type: "object", properties });
      return parsed.ok
        ? parsed.fields.map((field) => field.kind === "text" && field.pattern !== undefined)
        : [];
    };
    expect(patternsOf(pattern)).toEqual(Array.from({ length: 16 }, () => true));
    expect(patternsOf(`${pattern}a`)).toEqual([...Array.from({ length: 15 }, () => true), false]);
  });

  it("end the reading of a schema at 256 KiB", () => {
    let read = 0;
    const endless = new Proxy(
      Array.from({ length: 1_000_000 }, () => 0),
      {
        get: (target, key, receiver): unknown => {
          read += 1;
          return Reflect.get(target, key, receiver);
        },
      },
    );
    const properties = { a: { type: "array", items: { enum: endless } } };
    expect(reasonsFor({ type: "object", properties })).toEqual([
      ["too-large", undefined, "too-large: 262144"],
    ]);
    expect(read).toBeLessThan(263_000);
  });

  it("allow a schema of 256 KiB and not one character more", () => {
    const schema = { type: "object", properties: {}, note: "" };
    const room = 256 * 1024 - JSON.stringify(schema).length;
    expect(reasonsFor({ ...schema, note: "x".repeat(room) })).toEqual([]);
    const tooLarge = ["too-large", undefined, "too-large: 262144"];
    expect(reasonsFor({ ...schema, note: "x".repeat(room + 1) })).toEqual([tooLarge]);
  });

  it("refuse a cyclic or very deeply nested schema as too large", () => {
    const cycle: Record<string, unknown> = { type: "object", properties: {} };
    cycle["self"] = cycle;
    expect(reasonsFor(cycle)).toEqual([["too-large", undefined, "too-large: 262144"]]);
    let deep: unknown = {};
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    expect(reasonsFor({ type: "object", properties: {}, deep })).toHaveLength(1);
  });
});

it("any value can be given as schema and as content, without an error or a changed prototype", () => {
  const before = Object.getOwnPropertyNames(Object.prototype);
  const key = fc.oneof(
    fc.string(),
    fc.constantFrom("type", "properties", "enum", "items", "oneOf", "required", "__proto__", "constructor"),
  );
  const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, key });
  const property = fc.record(
    {
      type: fc.constantFrom("string", "number", "integer", "boolean", "array", "object"),
      enum: anything,
      items: anything,
      oneOf: fc.array(anything),
      pattern: fc.string(),
      default: anything,
      minLength: anything,
    },
    { requiredKeys: [] },
  );
  const schema = fc.oneof(
    anything,
    fc.record({ type: fc.constant("object"), properties: fc.dictionary(key, property), required: anything }),
    fc.record({ type: fc.constant("object"), properties: fc.dictionary(key, property) }),
  );
  fc.assert(
    fc.property(schema, anything, (one, content) => {
      parseRequestedSchema(one);
      checkContent(one, content);
    }),
    runs,
  );
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
});
