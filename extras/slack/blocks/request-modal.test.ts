import { expect, test } from "vitest";
import type { FormElicitationRequest } from "../../../src/contract/contract.ts";
import { formRequest, question } from "../../../src/contract/testing/requests.ts";
import { readSubmission } from "../answers/submission.ts";
import { requestModal } from "./request-modal.ts";
import { english } from "./text.ts";
import { checkModal } from "../testing/block-kit.ts";

test("a form of 40 fields fits in a modal, and one of 99 is answered on the page", () => {
  const form = (count: number) =>
    formRequest({
      requestedSchema: {
        type: "object",
        properties: Object.fromEntries(
          Array.from({ length: count }, (_, i) => [`f${i}`, { type: "string" }]),
        ),
      },
    });
  const forty = requestModal(form(40));
  expect(forty.ok && checkModal(forty.view)).toEqual([]);
  expect(requestModal(form(99))).toEqual({ ok: false, because: "page" });
});

test.each([
  ["its message", "Delete it?", "Delete it?"],
  ["its title if it has no message", "", english.catalogue.title("form")],
])("a form without fields shows %s, and Slack accepts it", (_, message, shown) => {
  const made = requestModal(
    formRequest({ message, requester: undefined, requestedSchema: { type: "object", properties: {} } }),
  );
  expect(made.ok && checkModal(made.view)).toEqual([]);
  expect(JSON.stringify(made.ok && made.view.blocks)).toContain(shown);
});

const element = (schema: object, required = false, context?: FormElicitationRequest["context"]) => {
  const made = requestModal(question(schema, required, context));
  if (!made.ok) throw new Error(made.because);
  return made.view.blocks.at(-1)?.["element"];
};
const list = (count: number) => Array.from({ length: count }, (_, index) => `o${index}`);

test.each<[string, object, boolean, object]>([
  [
    "text",
    { type: "string", minLength: 2, maxLength: 9 },
    true,
    { type: "plain_text_input", min_length: 2, max_length: 18 },
  ],
  ["long text", { type: "string", maxLength: 500 }, true, { type: "plain_text_input", multiline: true }],
  ["email", { type: "string", format: "email" }, true, { type: "email_text_input" }],
  ["URL", { type: "string", format: "uri" }, true, { type: "url_text_input" }],
  [
    "date",
    { type: "string", format: "date", default: "2026-11-23" },
    true,
    { type: "datepicker", initial_date: "2026-11-23" },
  ],
  [
    "date and time",
    { type: "string", format: "date-time", default: "2026-11-23T12:00:00Z" },
    true,
    { type: "datetimepicker", initial_date_time: 1795435200 },
  ],
  [
    "number",
    { type: "number", minimum: 0.5 },
    true,
    { type: "number_input", is_decimal_allowed: true, min_value: "0.5" },
  ],
  [
    "whole number",
    { type: "integer", minimum: 0.5, maximum: 9.5, default: 3 },
    true,
    { is_decimal_allowed: false, min_value: "1", max_value: "9", initial_value: "3" },
  ],
  ["required yes or no", { type: "boolean" }, true, { type: "radio_buttons" }],
  [
    "optional yes or no",
    { type: "boolean", default: true },
    false,
    { type: "static_select", initial_option: { value: "0" } },
  ],
  ["few options", { type: "string", enum: list(5) }, true, { type: "radio_buttons" }],
  [
    "100 options",
    { type: "string", enum: list(100) },
    true,
    { type: "static_select", options: { length: 100 } },
  ],
  [
    "200 options",
    { type: "string", enum: list(200) },
    true,
    { type: "static_select", option_groups: { length: 2 } },
  ],
  ["1,000 options", { type: "string", enum: list(1000) }, true, { type: "external_select" }],
  [
    "several of 10",
    { type: "array", items: { type: "string", enum: list(10) } },
    true,
    { type: "checkboxes" },
  ],
  [
    "several of 50",
    { type: "array", items: { type: "string", enum: list(50) }, maxItems: 3 },
    true,
    { type: "multi_static_select", max_selected_items: 3 },
  ],
  [
    "several of 1,000",
    { type: "array", items: { type: "string", enum: list(1000) } },
    true,
    { type: "multi_external_select" },
  ],
])("%s gets the matching Slack input", (_title, schema, required, expected) => {
  expect(element(schema, required)).toMatchObject(expected);
});

test.each<[string, object, object]>([
  [
    "a day before the pickers of Slack",
    { type: "string", format: "date", default: "0000-01-01" },
    { initial_value: "0000-01-01" },
  ],
  [
    "a time that its picker has not",
    { type: "string", format: "date-time", default: "1999-12-31T23:59:59Z" },
    { initial_value: "1999-12-31T23:59:59Z" },
  ],
  ["a number that its input has not", { type: "number", default: 1e21 }, { initial_value: "1e+21" }],
])("%s is shown in an input for text, so that the default is not lost", (_title, schema, shown) => {
  expect(element(schema)).toMatchObject({ type: "plain_text_input", ...shown });
});

test.each<[string, object, string | undefined]>([
  ["a number", { type: "integer", minimum: 1, maximum: 9, description: "Nights" }, "Nights · 1 to 9"],
  [
    "several options",
    { type: "array", items: { type: "string", enum: list(4) }, minItems: 1, maxItems: 2 },
    "Choose 1 to 2",
  ],
  ["a text, whose limit Slack shows itself", { type: "string", maxLength: 500 }, undefined],
])("the hint of %s says its limits", (_title, schema, hint) => {
  const made = requestModal(question(schema));
  const block = made.ok ? made.view.blocks.at(-1) : undefined;
  expect(block?.["hint"]).toEqual(hint === undefined ? undefined : expect.objectContaining({ text: hint }));
});

test("a choice has the visible options or the list that the requester asks for", () => {
  const hint = (control: string) => ({ trigger: "tool", fields: { value: { control } } });
  expect(element({ type: "string", enum: list(8) }, true, hint("radio"))).toMatchObject({
    type: "radio_buttons",
  });
  expect(element({ type: "string", enum: list(3) }, true, hint("select"))).toMatchObject({
    type: "static_select",
  });
});

test("a rating offers each of its steps as an option", () => {
  const context = { trigger: "tool", fields: { value: { control: "rating" } } };
  const rating = element({ type: "integer", minimum: 1, maximum: 5, default: 4 }, true, context);
  expect(rating).toMatchObject({
    type: "static_select",
    options: { length: 5 },
    initial_option: { text: { text: "4" }, value: "3" },
  });
});

test("a modal that is opened again contains the user's earlier input", () => {
  const made = requestModal(formRequest(), { drafts: { city: "Rome" } });
  expect(made.ok && made.view.blocks.find((block) => block["block_id"] === "field:0")).toMatchObject({
    element: { initial_value: "Rome" },
  });
});

test.each<[string, object, boolean]>([
  ["a yes or no with a default", { type: "boolean", default: false }, false],
  ["a choice with a default", { type: "string", enum: ["a", "b"], default: "a" }, false],
  ["a number with a default", { type: "integer", default: 0 }, false],
  ["a text with a default, which may be emptied", { type: "string", default: "x" }, true],
  ["a choice without a default", { type: "string", enum: ["a", "b"] }, true],
])("%s is marked optional only if it may be left empty", (_title, schema, optional) => {
  const made = requestModal(question(schema));
  expect(made.ok && made.view.blocks.at(-1)).toMatchObject({ optional });
});

const SEVERAL = { type: "array", items: { type: "string", enum: ["a", "b"] }, default: ["a"] };
test.each<[string, object, boolean, boolean]>([
  ["that need no choice may be emptied", SEVERAL, true, true],
  ["of which one is needed must not be emptied", { ...SEVERAL, minItems: 1 }, true, false],
  ["that may be left out may be emptied", { ...SEVERAL, minItems: 1 }, false, true],
])("options with a default %s", (_title, schema, required, optional) => {
  const request = question(schema, required);
  const made = requestModal(request);
  expect(made.ok && made.view.blocks.at(-1)).toMatchObject({ optional });
  const emptied = readSubmission(request, { "field:0": { value: { selected_options: [] } } });
  expect(emptied?.errors === undefined).toBe(optional);
});

test("with the checkbox to remember the answer, a modal does not exceed Slack's maximum of blocks", () => {
  const requestOf = (count: number) => {
    const names = Array.from({ length: count }, (_, index) => `f${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
    return formRequest({ remember: { days: 30 }, requestedSchema: { type: "object", properties } });
  };
  const made = requestModal(requestOf(97));
  expect(made.ok && [made.view.blocks.length, checkModal(made.view)]).toEqual([100, []]);
  expect(requestModal(requestOf(98))).toEqual({ ok: false, because: "page" });
});
