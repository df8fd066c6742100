import { expect, it } from "vitest";
import { parseRequestedSchema } from "./index.ts";

function refusal(property: object, more: object = {}): string | undefined {
  const parsed = parseRequestedSchema({ type: "object", properties: { it: property }, ...more });
  return parsed.ok ? undefined : parsed.reasons[0]?.message;
}

/** As text, because an object with `then` could be taken for a promise. */
const consequence: object = JSON.parse('{"then":{"minLength":2}}');

it.each([
  ["not", { not: { const: "root" } }],
  ["not", { not: {} }],
  ["not", { not: true }],
  ["if", { if: { minLength: 3 }, ...consequence }],
  ["if", { if: { minLength: 3 }, else: { pattern: "a" } }],
  ["contains", { contains: { const: "a" } }],
  ["contains", { contains: false }],
  ["contains", { contains: null }],
  ["prefixItems", { prefixItems: [{ const: "a" }] }],
  ["divisibleBy", { divisibleBy: 2 }],
  ["disallow", { disallow: "null" }],
  ["extends", { extends: { minLength: 3 } }],
  ["$dynamicRef", { $dynamicRef: "#it" }],
  ["$recursiveRef", { $recursiveRef: "#" }],
])(
  "a field is refused by the name of its keyword %s, which would refuse answers later: %j",
  (name, keyword) => {
    expect(refusal({ type: "string", ...keyword })).toBe(`unsupported-property: ${name}`);
    const items = { type: "string", enum: ["a", "b"], ...keyword };
    expect(refusal({ type: "array", items })).toBe(`unsupported-property: ${name}`);
  },
);

it.each([
  { $ref: "#/$defs/Trip" },
  { not: { required: ["it"] } },
  { if: { required: ["it"] }, ...consequence },
  { const: { it: "a" } },
  { enum: [{ it: "a" }] },
  { dependentSchemas: { it: { minProperties: 2 } } },
  { dependencies: { it: ["other"] } },
  { disallow: "array" },
  { extends: { minProperties: 2 } },
  { $dynamicRef: "#it" },
  { $recursiveRef: "#" },
  { anyOf: { required: ["it"] } },
  { anyOf: [] },
  { anyOf: [7] },
  { anyOf: [{ minProperties: 1 }] },
  { anyOf: [{ required: "it" }] },
  { anyOf: [{ required: ["it", "other"] }], required: ["it"] },
  { minProperties: 2, required: ["it"] },
])("a form is refused by the name of its first keyword, which would refuse answers later: %j", (more) => {
  expect(refusal({ type: "string" }, more)).toBe(`unsupported-property: ${Object.keys(more)[0]}`);
});

it.each([
  [{ not: false }, {}],
  [{ if: { minLength: 3 } }, {}],
  [{ contains: true, extends: {}, prefixItems: [] }, {}],
  [{ not: undefined }, { allOf: undefined }],
  [{}, { allOf: [], dependentSchemas: {}, propertyNames: true }],
  [{}, { anyOf: [{ required: ["other"] }, { required: ["it"] }], required: ["it"] }],
  [{}, { anyOf: [{}] }],
  [{}, { minProperties: 1, maxProperties: 1, required: ["it"] }],
])("a form with keywords that every answer satisfies is shown: %j, %j", (keywords, more) => {
  expect(refusal({ type: "string", ...keywords }, more)).toBeUndefined();
});
