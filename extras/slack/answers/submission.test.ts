import { expect, test } from "vitest";
import { formRequest, ownWordsQuestion, question } from "../../../src/contract/testing/requests.ts";
import { describeAnswers, readDrafts, readSubmission } from "./submission.ts";
import { suggestOptions } from "./suggestions.ts";

const option = (index: number) => ({ text: { type: "plain_text", text: "x" }, value: String(index) });
const values = (value: object) => ({ "field:0": { "elicit_kit:field": value } });
const list = (count: number) => Array.from({ length: count }, (_, index) => `o${index}`);
const rating = { trigger: "tool", fields: { value: { control: "rating" } } };

test.each<[string, object, object, unknown]>([
  ["text", { type: "string" }, { value: "Rome" }, "Rome"],
  ["email", { type: "string", format: "email" }, { value: "ada@example.com" }, "ada@example.com"],
  ["URL", { type: "string", format: "uri" }, { value: "https://example.com" }, "https://example.com"],
  ["number", { type: "number" }, { value: "2.5" }, 2.5],
  ["date", { type: "string", format: "date" }, { selected_date: "2026-11-23" }, "2026-11-23"],
  [
    "date and time",
    { type: "string", format: "date-time" },
    { selected_date_time: 1795435200 },
    "2026-11-23T12:00:00Z",
  ],
  ["yes", { type: "boolean" }, { selected_option: option(0) }, true],
  ["no", { type: "boolean" }, { selected_option: option(1) }, false],
  ["one of several", { type: "string", enum: list(1000) }, { selected_option: option(999) }, "o999"],
  [
    "several",
    { type: "array", items: { type: "string", enum: list(20) } },
    { selected_options: [option(3), option(5)] },
    ["o3", "o5"],
  ],
])("a submitted %s becomes the value of the schema", (_title, schema, value, expected) => {
  const read = readSubmission(question(schema, true), values(value));
  expect(read).toEqual({
    answer: { elicitationId: "form-1", action: "accept", content: { value: expected } },
  });
});

test("a rating is submitted as its number", () => {
  const request = question({ type: "integer", minimum: 1, maximum: 5 }, true, rating);
  expect(readSubmission(request, values({ selected_option: option(3) }))).toMatchObject({
    answer: { content: { value: 4 } },
  });
});

test("empty inputs are omitted, and an option that was not offered is ignored", () => {
  for (const value of [{ value: null }, { selected_option: null }, { selected_option: { value: "77" } }]) {
    expect(readSubmission(question({ type: "string", enum: ["a"] }), values(value))).toMatchObject({
      answer: { content: {} },
    });
  }
  expect(readSubmission(question({ type: "string" }), "nonsense")).toMatchObject({ answer: { content: {} } });
});

test("a choice to which the user has added their own words is sent as those words, and shown below the choice", () => {
  const asked = ownWordsQuestion();
  const submit = (seat: object, words: string | null) =>
    readSubmission(asked, { "field:0": { a: seat }, "field:1": { a: { value: words } } });
  const chosen = { selected_option: option(1) };
  expect(submit(chosen, null)).toMatchObject({ answer: { content: { seat: "window" } } });
  expect(submit(chosen, "By the exit")).toMatchObject({ answer: { content: { seat_other: "By the exit" } } });
  expect(submit({ selected_option: null }, null)).toMatchObject({
    errors: { errors: { "field:0": "Choose one, or say it in your own words." } },
  });
  expect(describeAnswers(asked, { seat_other: "By the exit" })).toEqual([
    { label: "Seat", value: "By the exit" },
  ]);
});

test("each error is a sentence beside its input", () => {
  const state = { "field:0": { a: { value: "x" } }, "field:1": { a: { value: "no" } } };
  expect(readSubmission(formRequest(), state)).toEqual({
    errors: {
      response_action: "errors",
      errors: {
        "field:0": "At least 2 characters, please.",
        "field:1": "Please enter an email address, such as name@example.com.",
      },
    },
  });
});

test("a form that Slack cannot show cannot be submitted in Slack", () => {
  expect(
    readSubmission(question({ type: "string", title: "Password" }), values({ value: "x" })),
  ).toBeUndefined();
  expect(readDrafts(question({ type: "object" }), {})).toBeUndefined();
});

test("a search finds options regardless of case and accents, at most 100, and returns their positions", () => {
  const names = ["Österreich", ...list(150)];
  const request = question({ type: "string", enum: names });
  expect(suggestOptions(request, "field:0", "oster").options).toMatchObject([
    { text: { text: "Österreich" }, value: "0" },
  ]);
  expect(suggestOptions(request, "field:0", "").options).toHaveLength(100);
  expect(suggestOptions(request, "field:7", "o").options).toEqual([]);
  expect(suggestOptions(request, "__proto__", "o").options).toEqual([]);
});

test("the summary of an answer uses the labels of the form, and writes a day as its language does", () => {
  const request = formRequest({
    requestedSchema: {
      type: "object",
      properties: {
        size: { type: "string", title: "Size", oneOf: [{ const: "l", title: "Large" }] },
        extras: { type: "array", title: "Extras", items: { type: "string", enum: ["a", "b"] } },
        gift: { type: "boolean", title: "Gift" },
        count: { type: "integer", title: "Count" },
        day: { type: "string", title: "Day", format: "date" },
      },
    },
  });
  const content = { size: "l", extras: ["a", "b"], gift: true, count: 1200, day: "2027-03-04" };
  expect(describeAnswers(request, content)).toEqual([
    { label: "Size", value: "Large" },
    { label: "Extras", value: "a, b" },
    { label: "Gift", value: "Yes" },
    { label: "Count", value: "1200" },
    { label: "Day", value: "Mar 4, 2027" },
  ]);
});
