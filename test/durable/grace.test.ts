import { expect, test } from "vitest";
import type { RunTurn } from "../../src/runtime/index.ts";
import { createDeferred } from "../../src/base/deadlines.ts";
import { createManualClock } from "../../src/base/testing/manual-clock.ts";
import { createDurableProcesses } from "../stages/durable-processes.ts";
import { text } from "../stages/test-runtime.ts";
import { createRecordedRunner } from "../../extras/durable/recorded-runner.ts";

/** A runner whose turn is inside a step, on a clock that does not advance. */
async function inStep(graceMs: number) {
  const clock = createManualClock();
  const did: string[] = [];
  const begun = createDeferred<void>();
  const booked = createDeferred<string>();
  const runner = createRecordedRunner({
    claims: {
      register: (_name, run) => (turnId, input) => {
        const { signal } = new AbortController();
        return run({ turnId, input, run: 1, deaths: 0, signals: { stop: signal, letGo: signal } });
      },
      stop: async () => true,
      wake: async () => true,
      check: async () => true,
      park: async () => {},
      note() {},
      leave: () => false,
      release: async () => void did.push("let go"),
    },
    stream: { async *read() {} },
    store: {
      async run(_id, work) {
        await work(async (_step, effect) => {
          const result = await effect();
          did.push("recorded");
          return result;
        });
      },
      take: async () => [],
      forget: async () => {},
    },
    parkAfterMs: false,
    graceMs,
    clock,
    onError: (error) => void did.push(String(error)),
  });
  const start = runner.register("turn", async () => {
    await runner.recorder?.step("book", () => {
      begun.resolve();
      return booked.promise;
    });
  });
  void start("t1", undefined).catch((error: unknown) => void did.push(String(error)));
  await begun.promise;
  return { runner, clock, did, booked };
}

test("a shutdown releases its turns as soon as a step ends, if it ends within the grace period", async () => {
  const { runner, clock, did, booked } = await inStep(25_000);
  const released = runner.release();
  await clock.advanceAsync(24_999);
  expect(did).toEqual([]);
  booked.resolve("booked");
  await released;
  expect(did).toEqual(["recorded", "let go"]);
});

test("a shutdown releases its turns at the end of the grace period, even if a step has not ended", async () => {
  const { runner, clock, did } = await inStep(25_000);
  const released = runner.release();
  await clock.advanceAsync(25_000);
  await released;
  expect(did).toEqual(["let go"]);
});

test("a shutdown waits for a step as long as the application configures, and another process then repeats the step", async () => {
  const { startProcess } = await createDurableProcesses();
  let tries = 0;
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    const booked = await turn.runner.step("book", async () => {
      tries += 1;
      return tries === 1 ? new Promise<never>(() => {}) : `booked in try ${tries}`;
    });
    yield* text(booked);
  };
  const first = await startProcess(runTurn, { graceMs: 20 });
  const stream = await first.ada.send("c1");
  stream.done.catch(() => {});
  await expect.poll(() => tries).toBe(1);
  // If the wait had no limit, this would never resolve.
  await first.runtime.close();
  const second = await startProcess(runTurn);
  await expect.poll(() => second.kept).toHaveLength(1);
  expect(tries).toBe(2);
  expect([...first.errors(), ...second.errors()]).toEqual([]);
});
