import { expect, it } from "vitest";
import { checkContent } from "./check-content.ts";

const schema = {
  type: "object",
  properties: {
    city: { type: "string", minLength: 3 },
    nights: { type: "integer", minimum: 1, maximum: 30 },
    meals: { type: "array", items: { enum: ["breakfast", "dinner"] }, maxItems: 1 },
  },
  required: ["city"],
};

it("valid content is accepted, and is returned without a prototype", () => {
  const result = checkContent(schema, { city: "Lisbon", nights: 2, meals: ["dinner"] });
  expect(result).toEqual({ ok: true, content: { city: "Lisbon", nights: 2, meals: ["dinner"] } });
  expect(result.ok && Object.getPrototypeOf(result.content)).toBe(null);
});

it("missing content counts as empty", () => {
  expect(checkContent({ type: "object", properties: {} })).toEqual({ ok: true, content: {} });
  expect(checkContent(schema)).toEqual({
    ok: false,
    errors: [{ field: "city", code: "required", message: "does not fit: required" }],
  });
});

it.each([null, [], "Lisbon"])("%j is refused as content", (content) => {
  expect(checkContent(schema, content)).toEqual({
    ok: false,
    errors: [{ field: "", code: "type", message: "does not fit: type" }],
  });
});

it("an answer's errors contain every invalid field, and the limit that it breaks", () => {
  expect(checkContent(schema, { city: "Ur", nights: 31, meals: ["breakfast", "dinner"] })).toEqual({
    ok: false,
    errors: [
      { field: "city", code: "too-short", message: "does not fit: too short (limit 3)" },
      { field: "nights", code: "too-large", message: "does not fit: too large (limit 30)" },
      { field: "meals", code: "too-many", message: "does not fit: too many (limit 1)" },
    ],
  });
});

it("fields that were not asked for are refused, whatever their name", () => {
  const content: unknown = JSON.parse('{"city":"Lisbon","__proto__":"x","admin":true}');
  expect(checkContent(schema, content)).toEqual({
    ok: false,
    errors: [
      { field: "__proto__", code: "unknown-field", message: "does not fit: unknown field" },
      { field: "admin", code: "unknown-field", message: "does not fit: unknown field" },
    ],
  });
});

it("an answer to a schema that cannot be shown is refused with the reasons", () => {
  const nested = { type: "object", properties: { address: { type: "object" } } };
  expect(checkContent(nested, {})).toEqual({
    ok: false,
    errors: [{ field: "address", code: "unsupported-property", message: "unsupported-property: type" }],
  });
  expect(checkContent("none", {})).toMatchObject({ errors: [{ field: "", code: "not-an-object-schema" }] });
});
