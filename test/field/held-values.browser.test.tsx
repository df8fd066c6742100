import { expect } from "vitest";
import { formFields } from "../../src/connect/page/answer/answer-form.ts";
import { readDrafts } from "../../src/connect/page/answer/answer-drafts.ts";
import { type Field, initialDrafts, parseRequestedSchema, validate } from "../../src/form/index.ts";
import { ar } from "../../src/words/cards/ar.ts";
import { de } from "../../src/words/cards/de.ts";
import { en } from "../../src/words/cards/en.ts";
import { fieldCase } from "./field-case.ts";

/** Defaults that a control of HTML writes in its own way, or cannot hold at all. */
const PROPERTIES: Readonly<Record<string, unknown>> = {
  lines: { type: "string", default: "one\ntwo\n\nthree" },
  windows: { type: "string", default: "one\r\ntwo" },
  old: { type: "string", default: "one\rtwo" },
  first: { type: "string", maxLength: 500, default: "\n\nafter two breaks" },
  spaces: { type: "string", default: "  two spaces\tand a tab " },
  quotes: { type: "string", default: '<b title="x">&amp; \u0000' },
  fine: { type: "string", format: "date-time", default: "2026-03-01T09:30:00.123456+05:30" },
  small: { type: "string", format: "date-time", default: "2026-03-01t09:30:00z" },
  whole: { type: "string", format: "date-time", default: "2026-03-01T09:30:00.000Z" },
  leap: { type: "string", format: "date-time", default: "2016-12-31T23:59:60Z" },
  early: { type: "string", format: "date", default: "0000-02-29" },
  half: { type: "number", default: 1.5 },
  thousand: { type: "number", default: 1500.25 },
  huge: { type: "number", default: 1e21 },
  tiny: { type: "number", default: 1e-7 },
  order: { type: "array", items: { type: "string", enum: ["a", "b", "c"] }, default: ["c", "a"] },
  none: { type: "array", items: { type: "string", enum: ["a", "b"] }, default: [] },
  broken: { type: "string", enum: ["a\nb", "a b", ""], default: "a\nb" },
  empty: { type: "string", enum: ["", "a", "b", "c", "d", "e"], default: "" },
  rooms: { type: "integer", enum: [1, 2, 3], default: 2 },
  yes: { type: "boolean", default: true },
  no: { type: "boolean", default: false },
};

function fieldsOf(properties: Readonly<Record<string, unknown>>): readonly Field[] {
  const parsed = parseRequestedSchema({ type: "object", properties });
  if (!parsed.ok) throw new Error(parsed.reasons.map(({ message }) => message).join());
  return parsed.fields;
}

fieldCase(
  { sources: ["UKGovernmentBEIS/inspect_ai#5191"], before: "failed" },
  "an answer page that the user only sends returns each default unchanged",
  async () => {
    const fields = fieldsOf(PROPERTIES);
    expect(fields.filter((field) => field.default === undefined)).toEqual([]);
    const drafts = initialDrafts(fields);
    for (const catalogue of [en, de, ar]) {
      const page = String(
        await formFields(
          { fields, drafts, errors: {}, secrets: [], isPressed: false, context: undefined },
          catalogue,
        ),
      );
      const { forms } = new DOMParser().parseFromString(`<form>${page}</form>`, "text/html");
      const request = new Request("/", { method: "POST", body: new FormData(forms[0]) });
      const sent = await request.formData();
      const read = readDrafts(fields, (name) => sent.getAll(name).map(String), catalogue);
      expect(validate(fields, read)).toEqual(validate(fields, drafts));
    }
  },
);
