import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkContent } from "../../../src/form/check-content.ts";
import type { RequestedSchema } from "../../../src/contract/contract.ts";
import { formInWords, readWords } from "./words.ts";

const schemaOf = (properties: RequestedSchema["properties"]): RequestedSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

const option = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 ]{0,10}[A-Za-z0-9]$/);
const options = fc.uniqueArray(option, {
  minLength: 1,
  maxLength: 5,
  selector: (text) => text.toLowerCase(),
});

describe("an answer as text", () => {
  it("is the value of the only field, whatever its type", () => {
    const kinds = fc.oneof(
      fc.integer().map((value) => ({ property: { type: "integer" }, said: String(value), value })),
      fc.boolean().map((value) => ({ property: { type: "boolean" }, said: value ? "yes" : "No", value })),
      fc
        .stringMatching(/^\S(?:.{0,40}\S)?$/)
        .map((value) => ({ property: { type: "string" }, said: ` ${value}\n`, value })),
      fc.tuple(options, fc.nat()).map(([all, index]) => {
        const value = all[index % all.length] ?? "";
        return { property: { type: "string", enum: all }, said: value.toUpperCase(), value };
      }),
      options.map((all) => ({
        property: { type: "array", items: { type: "string", enum: all } },
        said: all.join(", "),
        value: all,
      })),
    );
    fc.assert(
      fc.property(kinds, ({ property, said, value }) => {
        const schema = schemaOf({ value: property });
        const read = readWords(said, schema);
        expect(read).toEqual({ ok: true, action: "accept", content: { value } });
        expect(checkContent(schema, { value })).toMatchObject({ ok: true });
      }),
    );
  });

  it.each([
    ["Rome, Italy", ["rome"]],
    ["paris, france, Rome, Italy", ["paris", "rome"]],
    ["Rome, Paris, France", ["Rome", "paris"]],
    ["oslo,Rome", ["oslo", "Rome"]],
    ["Rome, Italy, Oslo, north, Oslo", ["rome", "north", "oslo"]],
  ])("%s names options that contain a comma", (said, value) => {
    const anyOf = [
      { const: "rome", title: "Rome, Italy" },
      { const: "paris", title: "Paris, France" },
      { const: "oslo", title: "Oslo" },
      { const: "north", title: "Oslo, north" },
      { const: "Rome", title: "Rome, Georgia" },
    ];
    const schema = schemaOf({ cities: { type: "array", items: { anyOf } } });
    expect(readWords(said, schema)).toMatchObject({ ok: true, content: { cities: value } });
  });

  it("may contain a comma in the value of an option", () => {
    const cities = ["Rome, Italy", "Paris, France"];
    const schema = schemaOf({ cities: { type: "array", items: { type: "string", enum: cities } } });
    expect(readWords("Rome, Italy", schema)).toMatchObject({ content: { cities: ["Rome, Italy"] } });
    expect(readWords("rome, italy, Paris, France", schema)).toMatchObject({ content: { cities } });
    expect(readWords("Rome, Oslo", schema)).toMatchObject({ ok: false });
  });

  it("is a JSON object for several fields", () => {
    const schema = schemaOf({ name: { type: "string" }, seats: { type: "integer" } });
    expect(readWords('{"name":"Ada","seats":2}', schema)).toEqual({
      ok: true,
      action: "accept",
      content: { name: "Ada", seats: 2 },
    });
    for (const said of ["Ada, 2", "{", '{"name":{}}', "[1]", "null"]) {
      expect(readWords(said, schema)).toEqual({
        ok: false,
        problem: "The last answer was not a JSON object.",
      });
    }
  });

  it("may be a text that looks like JSON", () => {
    const schema = schemaOf({ filter: { type: "string" } });
    expect(readWords('{"a":1}', schema)).toMatchObject({ content: { filter: '{"a":1}' } });
    expect(readWords('{"filter":"a"}', schema)).toMatchObject({ content: { filter: "a" } });
  });

  it("says why it is not valid", () => {
    expect(readWords("seven", schemaOf({ seats: { type: "integer" } }))).toEqual({
      ok: false,
      problem: "The last answer does not fit: number.",
    });
    expect(readWords("9", schemaOf({ seats: { type: "integer", maximum: 8 } }))).toEqual({
      ok: false,
      problem: "The last answer does not fit: too large (limit 8).",
    });
  });

  it("is read without an exception, whatever the text", () => {
    const schemas = [
      schemaOf({}),
      schemaOf({ a: { type: "array", items: { enum: ["x"] } } }),
      schemaOf({ __proto__: {} }),
    ];
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.constantFrom(...schemas), (said, schema) => {
        expect(() => readWords(said, schema)).not.toThrow();
      }),
    );
  });
});

describe("a form as text", () => {
  it("says for each field what to answer, and links to the answer page", () => {
    const schema: RequestedSchema = {
      type: "object",
      properties: {
        name: { type: "string", title: "Name", description: "of the guest" },
        mail: { type: "string", format: "email" },
        area: { type: "string", oneOf: [{ const: "in", title: "Inside" }] },
        extras: { type: "array", items: { type: "string", enum: ["wine"] } },
        quiet: { type: "boolean" },
        price: { type: "number" },
      },
      required: ["name"],
    };
    expect(formInWords("Which table?", schema, "https://auth.example.com/x")).toBe(`Which table?

Answer with a JSON object of these members:
- "name": Name (of the guest), a text
- "mail": mail, a text (email), optional
- "area": area, one of: in (Inside), optional
- "extras": extras, any of: wine, optional
- "quiet": quiet, yes or no, optional
- "price": price, a number, optional

Or answer on this page: https://auth.example.com/x`);
  });
});

it.each([
  ["yes", { ok: true, action: "accept", content: { urgent: true } }],
  ["no", { ok: true, action: "decline" }],
])("in a review, %s is about the whole draft, and not its only value", (text, answer) => {
  const properties = { urgent: { type: "boolean", title: "Urgent", default: true } };
  expect(readWords(text, { type: "object", properties }, { isReview: true })).toEqual(answer);
});
