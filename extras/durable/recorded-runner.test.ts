import { expect, test } from "vitest";
import { createManualClock } from "../../src/base/testing/manual-clock.ts";
import type { RecordedStep } from "./engine.ts";
import { createRecordedRunner } from "./recorded-runner.ts";
import { writeOutcome } from "./recorded-values.ts";
import { noErrors } from "../../test/stages/no-errors.ts";

const MODEL: RecordedStep = {
  name: JSON.stringify(["", "model", 1, { name: "stream" }]),
  text: writeOutcome({ value: [] }),
};

/** Runs a turn once. The turn makes a booking in a step. */
async function runOnce(options: {
  run?: number;
  deaths?: number;
  /** The records of earlier runs, one list for each run. */
  past?: readonly (readonly RecordedStep[])[];
  /** How long the process is frozen before its step begins, in milliseconds. */
  frozenMs?: number;
  /** Whether the turn still belongs to this run after the freeze. */
  isMine?: boolean;
}) {
  const { run: number = 1, deaths = 0, past = [], frozenMs = 0, isMine = true } = options;
  const clock = createManualClock();
  const signal = new AbortController().signal;
  let isHere = true;
  let booked = 0;
  let isStopped = false;
  const runner = createRecordedRunner({
    claims: {
      register: (_name, run) => (turnId, input) =>
        run({ turnId, input, run: number, deaths, signals: { stop: signal, letGo: signal } }),
      stop: async () => true,
      wake: async () => true,
      check: async () => isHere,
      park: async () => {},
      note() {},
      leave: () => false,
      release: async () => {},
    },
    stream: { async *read() {} },
    store: {
      run: async (_id, work) =>
        work(async (_step, effect) => {
          await clock.advanceAsync(frozenMs);
          isHere = isMine;
          return effect();
        }),
      take: async () => past,
      forget: async () => {},
    },
    parkAfterMs: false,
    clock,
    onError: noErrors(),
  });
  const start = runner.register("turn", async (_id, _input, { stop }) => {
    isStopped = stop.aborted;
    const step = runner.recorder?.step("book", async () => void (booked += 1));
    // A step of a turn that another process took over never resolves.
    await Promise.race([step, new Promise((resolve) => void setTimeout(resolve, 10))]);
  });
  await start("t1", undefined);
  return { booked, isStopped };
}

test("a process that was frozen before a step skips the step when another process has taken over the turn", async () => {
  expect(await runOnce({ frozenMs: 5000, isMine: false })).toMatchObject({ booked: 0 });
});

test("a process that was frozen before a step runs the step when it still has the turn", async () => {
  expect(await runOnce({ frozenMs: 5000 })).toMatchObject({ booked: 1 });
});

test("after three processes have died, a turn runs again if its last run recorded something", async () => {
  expect(await runOnce({ run: 4, deaths: 3, past: [[], [], [MODEL]] })).toMatchObject({ isStopped: false });
});

test("after three processes have died, a turn ends if its last run recorded nothing", async () => {
  expect(await runOnce({ run: 4, deaths: 3, past: [[MODEL], [], []] })).toMatchObject({ isStopped: true });
});

test("a turn that was stopped before its process died is also stopped when it runs again", async () => {
  const stop: RecordedStep = {
    name: JSON.stringify(["", "stop", 0, { name: "stop" }]),
    text: JSON.stringify({ name: "AbortError", message: "The user has stopped it." }),
  };
  expect(await runOnce({ run: 2, deaths: 1, past: [[MODEL, stop]] })).toMatchObject({ isStopped: true });
});
