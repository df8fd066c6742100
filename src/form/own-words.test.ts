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

describe("a choice that allows a free text answer", () => {
  it("is paired with its text field, and one of both must be answered", () => {
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

  it("accepts an option or a text, and a text takes precedence over an option", () => {
    expect(contentOf({ seat: "aisle" })).toEqual({ ok: true, content: { seat: "aisle" } });
    expect(contentOf({ seat: "aisle", seat_other: " " })).toEqual({ ok: true, content: { seat: "aisle" } });
    expect(contentOf({ seat: "aisle", seat_other: "the exit" })).toEqual({
      ok: true,
      content: { seat_other: "the exit" },
    });
  });

  it("checks the text, and reports no error for an unanswered choice with a text", () => {
    expect(contentOf({ seat_other: "far too long" })).toEqual({
      ok: false,
      errors: { seat_other: { code: "too-long", limit: 10 } },
    });
    const [seat] = fields;
    expect(seat && validateField(seat, undefined)).toBeUndefined();
  });

  it("is checked on the server, whether the option or the text is sent", () => {
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
])("a form is refused whose `anyOf` asks for more than a choice or a free text: %s", (_, anyOf) => {
  expect(() => fieldsOf({ ...SCHEMA, anyOf })).toThrow("unsupported-property: anyOf");
});

it("a choice that allows a free text is not recognised if the choice or the text is required anyway", () => {
  for (const required of [["seat"], ["seat_other"]]) {
    expect(fieldsOf({ ...SCHEMA, required }).some((field) => "other" in field)).toBe(false);
  }
});
