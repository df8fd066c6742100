import { expect, test } from "vitest";
import { readRunInput } from "./run-input.ts";

const RUN = { threadId: "t1", runId: "r1", messages: [{ id: "m1", role: "user", content: "Book" }] };

test.each([
  ["leaves it out", RUN],
  ["has null", { ...RUN, resume: null }],
  ["has an empty list", { ...RUN, resume: [] }],
])("a client that resumes nothing and %s starts a run", (_, body) => {
  expect(readRunInput(body)).toMatchObject({ ok: true, value: { threadId: "t1", resume: undefined } });
});

test("a run that resumes with something other than a list is refused", () => {
  expect(readRunInput({ ...RUN, resume: {} })).toMatchObject({ ok: false });
});
