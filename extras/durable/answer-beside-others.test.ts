/** A tool asks several questions at once, and one of them is answered just when the turn is about to be parked. */
import { expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { createDeferred, nextTask } from "../../src/base/deadlines.ts";
import { TurnRun } from "./turn-run.ts";

/** A turn that waits for the answers of a and b, and may be parked at any time. */
function setUp() {
  const check = createDeferred<boolean>();
  const letGo = new AbortController();
  let waits: readonly string[] = [];
  let pending: Promise<void> | undefined;
  let woken = 0;
  const run = new TurnRun({
    turn: {
      turnId: "t",
      input: {},
      run: 1,
      deaths: 0,
      signals: { stop: new AbortController().signal, letGo: letGo.signal },
    },
    stop: new AbortController().signal,
    record: async (_, work) => work(),
    past: [],
    check: () => check.promise,
    parking: {
      waitsFor: (ids) => void (waits = ids),
      pending: () => pending,
      hasJustParked: () => letGo.signal.aborted,
    },
    wake: () => void (woken += 1),
    note() {},
    leave() {},
    onFailed(error) {
      throw error;
    },
    clock: systemClock,
  });
  const answers = { a: createDeferred<string>(), b: createDeferred<string>() };
  const ask = (elicitationId: "a" | "b") =>
    run.root.ask(
      { kind: "question", name: "trip", identity: elicitationId, shape: "", hasKey: true, elicitationId },
      () => answers[elicitationId].promise,
    );
  return {
    run,
    ask,
    answer: answers.a.resolve,
    finishCheck: () => check.resolve(true),
    waits: () => waits,
    woken: () => woken,
    /** Parks the turn as its next work begins. */
    park() {
      pending = Promise.resolve().then(() => letGo.abort());
    },
  };
}

test("the turn is not parked while it looks whether the answer still counts", async () => {
  const { ask, answer, finishCheck, waits } = setUp();
  const first = ask("a");
  void ask("b");
  await nextTask();
  expect(waits()).toEqual(["a", "b"]);
  answer("Rome");
  await nextTask();
  expect(waits()).toEqual([]);
  finishCheck();
  expect(await first).toBe("Rome");
  await nextTask();
  expect(waits()).toEqual(["b"]);
});

test("a turn that was parked just before it continued with an answer is woken", async () => {
  const { run, ask, answer, finishCheck, park, woken } = setUp();
  const first = ask("a");
  void ask("b");
  answer("Rome");
  finishCheck();
  await first;
  park();
  void run.hold(async () => {});
  await nextTask();
  expect(woken()).toBe(1);
});
