import { describe, expect, it } from "vitest";
import { type Field, parseRequestedSchema } from "./index.ts";
import { choiceOrWords } from "./own-words.ts";
import { askedBy, askingField, isStepped, isYesNo, namesOf, questionsOf, wordsOf } from "./steps.ts";

function fieldsOf(properties: object, more: object = {}): readonly Field[] {
  const parsed = parseRequestedSchema({ type: "object", properties, ...more });
  if (!parsed.ok) throw new Error("no form");
  return parsed.fields;
}

const text = { type: "string" };
const questions = (count: number) =>
  fieldsOf(Object.fromEntries(Array.from({ length: count }, (_, index) => [`q${index}`, text])));

describe("the questions of a form", () => {
  it.each([
    [3, undefined, false],
    [4, undefined, true],
    [12, undefined, true],
    [13, undefined, false],
    [4, "form", false],
    [4, "elsewhere", true],
    [1, "steps", false],
    [2, "steps", true],
    [13, "steps", true],
  ])("%i with the layout %s come one at a time: %s", (count, layout, stepped) => {
    expect(isStepped(questions(count), { layout }, [])).toBe(stepped);
  });

  it("come all at once if one asks for a secret", () => {
    const shown = questions(4);
    expect(isStepped(shown, { layout: "steps" }, shown.slice(3))).toBe(false);
  });

  it.each([
    [{ it: { type: "boolean" } }, true],
    [{ it: text }, false],
    [{ it: { type: "boolean" }, other: { type: "boolean" } }, false],
    [{}, false],
  ])("are a single yes or no: %j", (properties, yesNo) => {
    expect(isYesNo(fieldsOf(properties))).toBe(yesNo);
  });
});

it.each([
  ["Where do you fly to?", "Where do you fly to?"],
  [" Where? ", "Where?"],
  ["どこ？", "どこ？"],
  [`${"x".repeat(79)}?`, `${"x".repeat(79)}?`],
  [`${"x".repeat(80)}?`, undefined],
  ["Where you fly to.", undefined],
  [undefined, undefined],
])("the heading of a question with the help %j is %j, or else its name", (description, heading) => {
  const [field] = fieldsOf({ to: { ...text, title: "To", description } });
  const asked =
    heading === undefined ? { text: "To", from: "label" } : { text: heading, from: "description" };
  expect(field && askedBy(field)).toEqual(asked);
});

it("a choice and the free text that can replace it are one question", () => {
  const properties = { note: text, seat: { enum: ["aisle", "window"] }, else: text };
  const fields = fieldsOf(properties, { anyOf: choiceOrWords("seat", "else") });
  const [note, seat, words] = fields;
  if (note === undefined || seat === undefined || words === undefined) throw new Error("no fields");
  expect(questionsOf(fields)).toEqual([note, seat]);
  expect(fields.map((field) => wordsOf(field, fields))).toEqual([undefined, words, undefined]);
  expect(fields.map((field) => askingField(field, fields))).toEqual([note, seat, seat]);
  expect([note, seat].map(namesOf)).toEqual([["note"], ["seat", "else"]]);
});
