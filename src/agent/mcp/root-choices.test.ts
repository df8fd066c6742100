import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { withoutRootChoices } from "./root-choices.ts";

// The machine may be busy, and FC_RUNS may ask for long runs.
vi.setConfig({ testTimeout: 600_000 });
const runs = { numRuns: Number(process.env["FC_RUNS"] ?? 50) };

const text = { type: "string" };

describe("required names", () => {
  test("a definition that each choice refers to requires its names", () => {
    const base = { $ref: "#/$defs/Base" };
    const merged = withoutRootChoices({
      type: "object",
      oneOf: [
        { allOf: [base, { properties: { a: text }, required: ["a"] }] },
        { allOf: [base, { properties: { b: text }, required: ["b"] }] },
      ],
      $defs: { Base: { properties: { id: text }, required: ["id"] } },
    });
    expect(merged).toMatchObject({ properties: { id: text, a: text, b: text }, required: ["id"] });
  });

  test.each([[true], [1], [{}]])("a choice %j requires nothing", (choice) => {
    const merged = withoutRootChoices({ type: "object", anyOf: [choice, { required: ["a"] }] });
    expect(merged).toEqual({ type: "object", properties: {} });
  });
});

describe("references", () => {
  test.each([
    ["#/definitions/a~1b", { definitions: { "a/b": { required: ["id"] } } }],
    ["#/definitions/a~01", { definitions: { "a~1": { required: ["id"] } } }],
    ["#/definitions/a%20b", { definitions: { "a b": { required: ["id"] } } }],
    ["#/$defs/x/y", { $defs: { x: { y: { required: ["id"] } } } }],
    ["#/$defs/x/anyOf/1", { $defs: { x: { anyOf: [true, { required: ["id"] }] } } }],
    ["#/$defs/__proto__", JSON.parse('{"$defs":{"__proto__":{"required":["id"]}}}')],
  ])("%s is read", ($ref, definitions) => {
    expect(withoutRootChoices({ type: "object", $ref, ...definitions })).toMatchObject({ required: ["id"] });
  });

  test.each([
    "#/$defs/none",
    "#/$defs/__proto__",
    "#/$defs/list/length",
    "https://x.example",
    "#x",
    "#/%",
    1,
  ])("a reference to %s, where no schema is, is an error", ($ref) => {
    const schema = { type: "object", allOf: [{ $ref }], $defs: { list: [] } };
    expect(() => withoutRootChoices(schema)).toThrow(/no schema|malformed/);
  });

  test("definitions that refer to each other in a circle are read once", () => {
    const merged = withoutRootChoices({
      type: "object",
      $ref: "#/$defs/a",
      $defs: {
        a: { anyOf: [{ $ref: "#/$defs/b" }, { $ref: "#" }] },
        b: { $ref: "#/$defs/a", required: ["b"] },
      },
    });
    expect(merged).toMatchObject({ type: "object", properties: {} });
  });

  test("a short schema whose references repeat very many names is an error", () => {
    const names = Array.from({ length: 500 }, (_, n) => `n${n}`);
    const wrapped = names.map((name) => ({ allOf: [{ $ref: "#/$defs/names" }, { required: [name] }] }));
    const schema = { type: "object", anyOf: wrapped, $defs: { names: { required: names } } };
    expect(() => withoutRootChoices(schema)).toThrow("too many names");
  });
});

describe("a property", () => {
  test("may be as the root says, or as one of the choices", () => {
    const merged = withoutRootChoices({
      type: "object",
      properties: { kind: { type: "string", description: "The kind" } },
      oneOf: [{ properties: { kind: { const: "a" } } }, { properties: { kind: { const: "b" } } }],
    });
    expect(merged["properties"]).toEqual({
      kind: { anyOf: [{ type: "string", description: "The kind" }, { const: "a" }, { const: "b" }] },
    });
  });

  test("that the schemas say alike is as they say", () => {
    const choices = [{ properties: { id: text } }, { properties: { id: { ...text } } }];
    expect(withoutRootChoices({ type: "object", anyOf: choices })["properties"]).toEqual({ id: text });
  });
});

test.each([{ not: { required: ["a"] } }, { enum: [{}] }])("%j at the root is removed", (choice) => {
  expect(withoutRootChoices({ type: "object", ...choice })).toEqual({ type: "object", properties: {} });
});

test("a schema without choices at its root stays as it is", () => {
  const schema = { type: "object", properties: { a: { anyOf: [text, { type: "null" }] } } };
  expect(withoutRootChoices(schema)).toBe(schema);
});

const names = ["a", "b", "c"];
const values = [0, 1, "x"];
const property = fc.oneof(
  fc.boolean(),
  fc.record(
    {
      type: fc.constantFrom("number", "string"),
      enum: fc.subarray(values, { minLength: 1 }),
      anyOf: fc.uniqueArray(
        fc.constantFrom(...values).map((value) => ({ const: value })),
        { minLength: 1 },
      ),
      minimum: fc.constantFrom(0, 1),
      description: fc.constantFrom("A", "B"),
    },
    { requiredKeys: [] },
  ),
);
/** Schemas to some depth, whose references are these. */
function schemaWith(...refs: readonly string[]): fc.Arbitrary<Record<string, unknown>> {
  const { schema } = fc.letrec<{ any: unknown; schema: Record<string, unknown> }>((tie) => {
    const list = fc.array(tie("any"), { minLength: 1, maxLength: 2 });
    const members = {
      properties: fc.dictionary(fc.constantFrom(...names), property),
      required: fc.subarray(names),
      allOf: list,
      anyOf: list,
      oneOf: list,
      ...(refs.length > 0 && { $ref: fc.constantFrom(...refs) }),
    };
    return {
      any: fc.oneof({ maxDepth: 1 }, fc.boolean(), tie("schema")),
      schema: fc.record(members, { requiredKeys: [] }),
    };
  });
  return schema;
}

const $defs = fc.record({ x: schemaWith(), "y/z": schemaWith("#/$defs/x") });
const input = fc.dictionary(fc.constantFrom(...names), fc.constantFrom(...values));

// A property that only some choices name has their schema, so that the model knows what to write.
test("the merged schema accepts what the schema accepts, if each property is one of a choice that is met", () => {
  fc.assert(
    fc.property(
      schemaWith("#/$defs/x", "#/$defs/y~1z"),
      $defs,
      fc.array(input, { minLength: 10, maxLength: 40 }),
      (root, definitions, inputs) => {
        const schema = { type: "object", ...root, $defs: definitions };
        const ajv = new Ajv2020({ strict: false, logger: false, meta: false, validateSchema: false });
        const accepts = ajv.compile({ ...schema, unevaluatedProperties: false });
        const merged = ajv.compile(withoutRootChoices(schema));
        expect(inputs.filter((one) => accepts(one) && !merged(one))).toEqual([]);
      },
    ),
    runs,
  );
});
