import { expect, it } from "vitest";
import { parseRequestedSchema } from "./index.ts";

function read(property: object): unknown {
  const parsed = parseRequestedSchema({ type: "object", properties: { it: property } });
  return parsed.ok ? parsed.fields[0] : parsed.reasons[0]?.message;
}

const from = (limits: object) => ({ type: "number", ...limits });
const whole = (limits: object) => ({ type: "integer", ...limits });

it.each<[{ type: string }, object]>([
  [from({ exclusiveMinimum: 2 }), { minimum: 2, excludesMinimum: true }],
  [from({ minimum: 2, exclusiveMinimum: 2 }), { minimum: 2, excludesMinimum: true }],
  [from({ minimum: 3, exclusiveMinimum: 2 }), { minimum: 3 }],
  [from({ exclusiveMaximum: 9 }), { maximum: 9, excludesMaximum: true }],
  [from({ maximum: 9, exclusiveMaximum: 9 }), { maximum: 9, excludesMaximum: true }],
  [from({ maximum: 8, exclusiveMaximum: 9 }), { maximum: 8 }],
  [from({ minimum: 2, maximum: 9 }), { minimum: 2, maximum: 9 }],
  [from({}), {}],
  // Draft 4 of JSON Schema.
  [from({ minimum: 2, exclusiveMinimum: true }), { minimum: 2, excludesMinimum: true }],
  [from({ maximum: 9, exclusiveMaximum: true }), { maximum: 9, excludesMaximum: true }],
  [from({ maximum: 9, exclusiveMaximum: false }), { maximum: 9 }],
  [whole({ exclusiveMinimum: 0.5, exclusiveMaximum: 9.5 }), { minimum: 1, maximum: 9 }],
  [whole({ exclusiveMinimum: 1, exclusiveMaximum: 9 }), { minimum: 2, maximum: 8 }],
  [whole({ minimum: -0.5, maximum: 9.5 }), { minimum: 0, maximum: 9 }],
  [whole({ multipleOf: 5 }), { integer: true, multipleOf: 5 }],
  [from({ multipleOf: 5 }), { multipleOf: 5 }],
  [from({ multipleOf: 1, minimum: 0.5 }), { integer: true, minimum: 1 }],
])("the numbers of %j are those of a field with %j", (property, limits) => {
  const field = { name: "it", label: "it", required: false, kind: "number" };
  expect(read(property)).toEqual({ ...field, integer: property.type === "integer", ...limits });
});

it.each<[string, object]>([
  ["multipleOf", from({ multipleOf: 0 })],
  ["multipleOf", from({ multipleOf: -1 })],
  ["exclusiveMinimum", from({ exclusiveMinimum: true })],
  ["minItems", { type: "array", items: { enum: ["a"] }, minItems: true }],
  ["minLength", { type: "string", minLength: -1 }],
  ["maxLength", { type: "string", maxLength: 0.5 }],
])("a limit that no value can be compared with is refused by its name: %s of %j", (keyword, property) => {
  expect(read(property)).toBe(`invalid-keyword: ${keyword}`);
});

it("a length of zero and limits below zero are limits", () => {
  expect(read({ type: "string", minLength: 0, maxLength: 0 })).toMatchObject({ minLength: 0, maxLength: 0 });
  expect(read(from({ minimum: -9, maximum: -2.5 }))).toMatchObject({ minimum: -9, maximum: -2.5 });
});
