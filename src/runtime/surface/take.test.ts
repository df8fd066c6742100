import { expect, test } from "vitest";
import { createManualClock, promisesSettled } from "../../base/testing/manual-clock.ts";
import type { SurfaceAnswerResult } from "../turn/surface.ts";
import { takeInTime } from "./take.ts";

const ANSWER = { elicitationId: "e1", action: "accept", content: { city: "Oslo" } } as const;
const LIMITED: SurfaceAnswerResult = { kind: "limited", retryAfter: 30 };

/** A turn that replies to answers in this order, and repeats the last reply. */
function setUp(...results: readonly SurfaceAnswerResult[]) {
  const clock = createManualClock();
  const stop = new AbortController();
  let [answers, rejected] = [0, 0];
  const turn = {
    async answer() {
      answers += 1;
      return results.slice(Math.min(answers, results.length) - 1).slice(0, 1);
    },
    async rejectAnswer() {
      rejected += 1;
      return 2;
    },
  };
  const taken = takeInTime(turn, ANSWER, { clock, signal: stop.signal });
  return { clock, stop, taken, counts: () => ({ answers, rejected }) };
}

test("a rate-limited answer is sent again after the wait, and does not count as an attempt", async () => {
  const { clock, taken, counts } = setUp(LIMITED, LIMITED, {
    kind: "settled",
    outcome: "accepted",
    alreadyProcessed: false,
  });
  await clock.advanceAsync(29_999);
  expect(counts()).toEqual({ answers: 1, rejected: 0 });
  await clock.advanceAsync(30_001);
  expect(await taken).toEqual({ kind: "settled" });
  expect(counts()).toEqual({ answers: 3, rejected: 0 });
});

test("an abort ends the wait before the next try of a rate-limited answer, and leaves no timer", async () => {
  const { clock, stop, taken, counts } = setUp(LIMITED);
  await promisesSettled();
  expect(clock.waiting).toBe(1);
  stop.abort();
  expect(await taken).toEqual({ kind: "gone" });
  expect(clock.waiting).toBe(0);
  expect(counts()).toEqual({ answers: 1, rejected: 0 });
});
