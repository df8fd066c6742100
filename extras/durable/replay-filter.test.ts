import { expect, test } from "vitest";
import { createPastLog } from "./replay-filter.ts";

const logOf = (...types: readonly string[]) => types.map((type, seq) => ({ seq, at: 0, chunk: { type } }));

test("when a process dies after it wrote the end of a stopped turn, the turn gets no second end", () => {
  const past = createPastLog(logOf("start", "start-step", "finish-step", "finish"), 1);
  expect(past.has({ type: "abort" })).toBe(true);
});

test("an end of a turn that was discarded with the text of a model call is written again", () => {
  const past = createPastLog(logOf("start", "start-step", "abort"), 0);
  expect(past.discardFrom).toBe(1);
  expect(past.has({ type: "abort" })).toBe(false);
});
