import { describe, expect, it } from "vitest";
import { type Field, initialDrafts, parseRequestedSchema, validate } from "./index.ts";
import { checkContent } from "./check-content.ts";
import { validateField } from "./validate.ts";
import { choiceOrWords } from "./own-words.ts";

const SCHEMA = {
  type: "object",
  properties: {
    seat: { type: "string", enum: ["aisle", "window"] },
    seat_other: { type: "string", maxLength: 10 },
    note: { type: "string" },
  },
  anyOf: choiceOrWords("seat", "seat_other"),
};

function fieldsOf(schema: object): readonly Field[] {
  const parsed = parseRequestedSchema(schema);
  if (!parsed.ok) throw new Error(parsed.reasons[0]?.message);
  return parsed.fields;
}

const fields = fieldsOf(SCHEMA);
const contentOf = (drafts: object) => validate(fields, { ...initialDrafts(fields), ...drafts });

describe("a choice that may be answered in own words", () => {
  it("is paired with its text, and one of both must be answered", () => {
    expect(fields).toMatchObject([
      { name: "seat", required: true, other: "seat_other" },
      { name: "seat_other", required: false, otherOf: "seat" },
      { name: "note", required: false },
    ]);
    expect(contentOf({})).toEqual({ ok: false, errors: { seat: { code: "choose-or-say" } } });
    expect(contentOf({ seat_other: "  " })).toEqual({
      ok: false,
      errors: { seat: { code: "choose-or-say" } },
    });
  });

  it("takes an option, or the words; words that were typed beside an option count", () => {
    expect(contentOf({ seat: "aisle" })).toEqual({ ok: true, content: { seat: "aisle" } });
    expect(contentOf({ seat: "aisle", seat_other: " " })).toEqual({ ok: true, content: { seat: "aisle" } });
    expect(contentOf({ seat: "aisle", seat_other: "the exit" })).toEqual({
      ok: true,
      content: { seat_other: "the exit" },
    });
  });

  it("checks the words, and finds nothing wrong with a choice that is left alone", () => {
    expect(contentOf({ seat_other: "far too long" })).toEqual({
      ok: false,
      errors: { seat_other: { code: "too-long", limit: 10 } },
    });
    const [seat] = fields;
    expect(seat && validateField(seat, undefined)).toBeUndefined();
  });

  it("is checked on the server, whichever of both comes", () => {
    expect(checkContent(SCHEMA, { seat_other: "the exit" })).toMatchObject({ ok: true });
    expect(checkContent(SCHEMA, { seat: "aisle" })).toMatchObject({ ok: true });
    expect(checkContent(SCHEMA, { note: "hello" })).toMatchObject({
      ok: false,
      errors: [{ field: "seat", code: "choose-or-say" }],
    });
  });
});

it.each([
  ["another number of branches", [{ required: ["seat"] }]],
  ["more than one name", [{ required: ["seat", "note"] }, { required: ["seat_other"] }]],
  ["more than names", [{ required: ["seat"], minProperties: 2 }, { required: ["seat_other"] }]],
  ["two texts", choiceOrWords("note", "seat_other")],
  ["a name that is not there", choiceOrWords("seat", "elsewhere")],
  ["no list", { required: ["seat"] }],
])("an `anyOf` of %s pairs nothing", (_, anyOf) => {
  expect(fieldsOf({ ...SCHEMA, anyOf })).toEqual(fieldsOf({ ...SCHEMA, anyOf: undefined }));
});

it("a choice or a text that must be answered anyway is not paired", () => {
  for (const required of [["seat"], ["seat_other"]]) {
    expect(fieldsOf({ ...SCHEMA, required }).some((field) => "other" in field)).toBe(false);
  }
});
