import { expect, test } from "vitest";
import { misfitNote } from "./legacy-ask.ts";

test.each([
  ["data/answer must be <= 200", "Please check: answer does not fit."],
  [
    "data/a~1b must be string, data must have required property 'answer'",
    "Please check: answer does not fit; a/b does not fit.",
  ],
  ["data must be object", "Please check: The answer does not fit."],
])("the user reads which answer does not fit, and not the validator's sentence %s", (sentence, note) => {
  const properties = { answer: { type: "integer" }, "a/b": { type: "string" } };
  const question = {
    mode: "form",
    message: "How many?",
    requestedSchema: { type: "object", properties },
  } as const;
  const error = `Elicitation response content does not match requested schema: ${sentence}`;
  expect(misfitNote(question, error)).toBe(note);
});
