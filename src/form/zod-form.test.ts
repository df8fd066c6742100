import { ElicitorError } from "../contract/kit-error.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import * as older from "zod/v3";
import { parseRequestedSchema } from "./index.ts";
import { checkContent } from "./check-content.ts";
import { controlsOf, parseAnswer, toRequestedSchema } from "./zod-form.ts";

test("the title of a zod object is the title of the form", () => {
  const trip = z.object({ to: z.string() }).meta({ title: "Flight" });
  const properties = { to: { type: "string" } };
  expect(toRequestedSchema(trip)).toEqual({ type: "object", title: "Flight", properties, required: ["to"] });
});

test.each([
  ["zod 3", older.object({ to: older.string() })],
  ["no library", { to: "string" }],
  ["nothing", undefined],
])("a schema of %s is refused with the version that is needed", (_, schema) => {
  const ask = () => Reflect.apply(toRequestedSchema, undefined, [schema]);
  expect(ask).toThrow("elicit-kit: This schema cannot be asked for: it is not a schema of zod 4.");
});

test("zod can describe every kind of form field", () => {
  const seat = z.union([
    z.literal("a").meta({ title: "Aisle" }),
    z.literal("w").meta({ title: "Window", description: "With a view", preview: "[ ] [x]" }),
    z.literal("m"),
  ]);
  const schema = z.object({
    name: z
      .string()
      .min(2)
      .max(40)
      .meta({ title: "Name", description: "As in the passport", examples: ["Robin"] }),
    email: z.email(),
    site: z.url(),
    day: z.iso.date(),
    at: z.iso.datetime({ offset: true }),
    code: z.string().regex(/^[A-Z]{3}$/),
    bags: z.number().min(0.5).max(3),
    seats: z.int().gt(0).lt(10),
    pets: z.boolean().default(false),
    cabin: z.enum(["economy", "business"]).default("economy"),
    only: z.literal("yes"),
    seat: seat.optional(),
    meals: z
      .array(z.enum(["vegan", "fish"]))
      .min(1)
      .max(2),
    sides: z.array(seat),
  });
  const requested = toRequestedSchema(schema);
  expect(requested).toEqual({
    type: "object",
    properties: {
      name: {
        type: "string",
        title: "Name",
        description: "As in the passport",
        examples: ["Robin"],
        minLength: 2,
        maxLength: 40,
      },
      email: { type: "string", format: "email" },
      site: { type: "string", format: "uri" },
      day: { type: "string", format: "date" },
      at: { type: "string", format: "date-time" },
      code: { type: "string", pattern: "^[A-Z]{3}$" },
      bags: { type: "number", minimum: 0.5, maximum: 3 },
      seats: { type: "integer", minimum: 1, maximum: 9 },
      pets: { type: "boolean", default: false },
      cabin: { type: "string", enum: ["economy", "business"], default: "economy" },
      only: { type: "string", enum: ["yes"] },
      seat: {
        type: "string",
        oneOf: [
          { const: "a", title: "Aisle" },
          { const: "w", title: "Window", description: "With a view", preview: "[ ] [x]" },
          { const: "m", title: "m" },
        ],
      },
      meals: { type: "array", items: { type: "string", enum: ["vegan", "fish"] }, minItems: 1, maxItems: 2 },
      sides: {
        type: "array",
        items: {
          anyOf: [
            { const: "a", title: "Aisle" },
            { const: "w", title: "Window", description: "With a view", preview: "[ ] [x]" },
            { const: "m", title: "m" },
          ],
        },
      },
    },
    required: ["name", "email", "site", "day", "at", "code", "bags", "seats", "only", "meals", "sides"],
  });
  expect(parseRequestedSchema(requested)).toMatchObject({ ok: true });
});

test("a format of zod that no control is made for is checked by its pattern", () => {
  const { properties } = toRequestedSchema(z.object({ host: z.ipv4() }));
  expect(properties).toEqual({ host: { type: "string", pattern: expect.stringContaining("25[0-5]") } });
});

test("a field names its control", () => {
  const stars = z.int().min(1).max(5).meta({ control: "rating" });
  const schema = z.object({ stars, size: z.string().meta({ control: 7 }), note: z.string() });
  expect(controlsOf(schema)).toEqual({ stars: "rating" });
});

test("an answer passes all of the schema, also what a form cannot say", async () => {
  const schema = z.object({
    city: z.string().refine(async (city) => city !== "Atlantis"),
    constructor: z.string(),
  });
  const answer = { city: "Lisbon", constructor: "Lego" };
  expect(await parseAnswer(schema, answer)).toEqual({ success: true, data: answer });
  expect(await parseAnswer(schema, { ...answer, city: "Atlantis" })).toMatchObject({ success: false });
  expect(await parseAnswer(schema, Object.fromEntries([["city", "Lisbon"]]))).toMatchObject({
    success: false,
  });
});

test("zod/mini can describe a form, too", () => {
  expect(
    toRequestedSchema(mini.object({ city: mini.string(), days: mini.optional(mini.int()) })),
  ).toMatchObject({
    properties: { city: { type: "string" }, days: { type: "integer" } },
    required: ["city"],
  });
});

test("the limits of a number are those that a user can break", () => {
  const schema = z.object({
    guests: z.int(),
    rooms: z.number().int().positive(),
    floor: z.int().gt(0.5).lt(9.5),
    port: z.uint32(),
    price: z.number().gt(0).lt(100).multipleOf(0.5),
    space: z.number().multipleOf(2 ** 32),
  });
  const requested = toRequestedSchema(schema);
  expect(requested.properties).toEqual({
    guests: { type: "integer" },
    rooms: { type: "integer", minimum: 1 },
    floor: { type: "integer", minimum: 1, maximum: 9 },
    port: { type: "integer", minimum: 0 },
    price: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 100, multipleOf: 0.5 },
    space: { type: "number", multipleOf: 2 ** 32 },
  });
  const content = { space: 0, guests: 2, rooms: 1, floor: 1, port: 8080, price: 0.5 };
  expect(checkContent(requested, content)).toMatchObject({ ok: true });
  expect(checkContent(requested, { ...content, price: 0 })).toMatchObject({ ok: false });
});

const manyNames = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);

test.each([
  ["an object in a form", z.object({ address: z.object({ street: z.string() }) }), /"address".*parts fields/],
  ["a choice between types", z.object({ id: z.union([z.literal("a"), z.email()]) }), /"id".*z\.literal/],
  ["null", z.object({ note: z.string().nullable() }), /"note".*\.optional\(\)/],
  ["a list of free texts", z.object({ tags: z.array(z.string()) }), /"tags".*z\.array\(z\.enum/],
  ["a date object", z.object({ day: z.date() }), /Date cannot be represented/],
  ["a union of types", z.object({ id: z.union([z.string(), z.number()]) }), /"id".*use a string/],
  ["a choice of numbers", z.object({ n: z.literal([1, 2]) }), /"n".*only strings/],
  ["a choice of texts and numbers", z.object({ n: z.literal(["a", 2]) }), /"n".*only strings/],
  ["a choice of too many", z.object({ n: z.enum(manyNames(1001)) }), /"n".*too-many-options: 1000/],
  [
    "a form of too many fields",
    z.object(Object.fromEntries(manyNames(201).map((name) => [name, z.string()]))),
    /^elicit-kit: This schema .*too-many-properties: 200/,
  ],
  ["a time in UTC only", z.object({ at: z.iso.datetime() }), /"at".*offset: true/],
  ["anything", z.object({ it: z.unknown() }), /"it".*use a string/],
  ["something that is no object", z.string(), /z\.object/],
])("%s is not supported, and the error names the supported types", (_, schema, message) => {
  expect(() => toRequestedSchema(schema)).toThrow(ElicitorError);
  expect(() => toRequestedSchema(schema)).toThrow(message);
});

test("a form accepts an answer exactly when zod does, for every schema of texts, numbers and choices", () => {
  const kind = fc.oneof(
    fc.tuple(fc.nat(4), fc.nat(6)).map(
      ([min, more]) =>
        z
          .string()
          .min(min)
          .max(min + more) as z.ZodType,
    ),
    fc.tuple(fc.integer({ min: -9, max: 9 }), fc.nat(9)).map(([min, more]) =>
      z
        .int()
        .min(min)
        .max(min + more),
    ),
    fc.constant(z.boolean()),
    fc.constant(z.enum(["a", "b", "c"])),
    fc.constant(z.array(z.enum(["a", "b", "c"])).max(2)),
  );
  const field = fc.tuple(kind, fc.boolean()).map(([type, optional]) => (optional ? type.optional() : type));
  const value = fc.oneof(
    fc.constantFrom("", "a", "b", "abc", "constructor", "longer than all"),
    fc.integer({ min: -20, max: 20 }),
    fc.boolean(),
    fc.uniqueArray(fc.constantFrom("a", "b", "c", "d")),
  );
  const names = fc.constantFrom("one", "two", "constructor", "toString");
  fc.assert(
    fc.property(fc.dictionary(names, field), fc.dictionary(names, value), (shape, content) => {
      // A form rejects unknown fields; zod drops them.
      const asked = Object.entries(content).filter(([name]) => Object.hasOwn(shape, name));
      const answer: unknown = Object.assign(Object.create(null), Object.fromEntries(asked));
      const schema = z.object(Object.fromEntries(Object.entries(shape)));
      expect(checkContent(toRequestedSchema(schema), answer).ok).toBe(schema.safeParse(answer).success);
    }),
    { numRuns: Number(process.env["FC_RUNS"] ?? 300) },
  );
});
