import { systemClock } from "../../src/base/clock.ts";
import { createManualClock } from "../../src/base/testing/manual-clock.ts";
import { nextTask } from "../../src/base/deadlines.ts";
import { StoreAway } from "../../src/base/foreign-error.ts";
import { expect, test } from "vitest";
import type { RecordedStep } from "./engine.ts";
import { stopIn } from "./recorded-stop.ts";
import { TurnRun } from "./turn-run.ts";
import { writeOutcome } from "./recorded-values.ts";

const never = new AbortController().signal;

/**
 * The second run of a turn. In the first run, the model called a tool, read its result, and called another tool, which
 * waits.
 */
function runAgain({ stop = never, more = [] }: { stop?: AbortSignal; more?: readonly RecordedStep[] } = {}) {
  const changes: unknown[] = [];
  const recorded: string[] = [];
  const written: RecordedStep[] = [];
  const records = [
    ["", "model", 1, { name: "stream" }],
    ["call_1", "step", "book", { name: "book", shape: "", hasKey: true }],
    ["call_1", "tool", 0, { name: "book" }],
    ["", "model", 2, { name: "stream" }],
    ["call_2", "question", "sure", { name: "pay", shape: "", hasKey: true }],
  ];
  const { root } = new TurnRun({
    turn: { turnId: "t", input: {}, run: 2, deaths: 0, signals: { stop: never, letGo: never } },
    stop,
    async record(name, work) {
      const text = await work();
      recorded.push(JSON.parse(name)[3].name);
      written.push({ name, text });
      return text;
    },
    past: [
      ...records.map((name, index) => ({
        name: JSON.stringify(name),
        text: writeOutcome({ value: `result ${index}` }),
      })),
      ...more,
    ],
    check: async () => true,
    parking: { waitsFor() {}, pending: () => undefined, hasJustParked: () => false },
    wake() {},
    note() {},
    onFailed: (error: unknown) => changes.push(error),
    leave: () => {},
    clock: systemClock,
  });
  return { root, changes, recorded, written };
}

/** Makes a model call that the first run has recorded. */
async function repeatCall(root: TurnRun["root"]): Promise<void> {
  root.models.begin("stream", {});
  await nextTask();
}

test("when a turn runs again without a tool call that had ended, the turn ends before it makes another model call", async () => {
  const { root, changes } = runAgain();
  await repeatCall(root);
  expect(() => root.models.begin("stream", {})).toThrow("does not repeat a tool call");
  expect(changes).toHaveLength(1);
});

test("when a turn runs again, later tool calls may begin after a repeated model call", async () => {
  const { root, changes } = runAgain();
  await repeatCall(root);
  const booked = await root.call({ id: "call_1", name: "book" }, async () => "again");
  expect([booked, root.models.begin("stream", {}).known]).toEqual(["result 2", { value: "result 3" }]);
  expect(changes).toEqual([]);
});

test("when a turn ends because its code has changed, its later operations are not recorded, but its end is", async () => {
  const { root, recorded } = runAgain();
  await repeatCall(root);
  expect(() => root.models.begin("stream", {})).toThrow("does not repeat a tool call");
  const late = root.call({ id: "call_3", name: "late" }, async () => "late");
  await expect(late).rejects.toThrow("does not repeat a tool call");
  await root.step("turn end", async () => {});
  expect(recorded).toEqual(["turn end"]);
});

test("operations after a stop are recorded after it, so that the next run is stopped too", async () => {
  const stop = AbortSignal.abort(new DOMException("The user has stopped it.", "AbortError"));
  const { root, recorded, written } = runAgain({ stop });
  const done = root.call({ id: "call_3", name: "book" }, () => root.step("undo", async () => "undone"));
  await expect(done).resolves.toBe("undone");
  expect(recorded).toEqual(["stop", "undo", "book"]);
  expect(stopIn(written)).toMatchObject({ name: "AbortError", message: "The user has stopped it." });

  const next = runAgain({ stop, more: written });
  await next.root.step("turn end", async () => {});
  expect(next.recorded).toEqual(["turn end"]);
});

/** A turn whose records cannot be stored until `store` is called. */
function withoutStore() {
  const clock = createManualClock();
  const left: unknown[] = [];
  let isAway = true;
  const { root } = new TurnRun({
    turn: { turnId: "t", input: {}, run: 1, deaths: 0, signals: { stop: never, letGo: never } },
    stop: never,
    async record(_, work) {
      const text = await work();
      if (isAway) throw new StoreAway("The disk is full.");
      return text;
    },
    past: [],
    check: async () => true,
    parking: { waitsFor() {}, pending: () => undefined, hasJustParked: () => false },
    wake() {},
    note() {},
    onFailed: (error) => expect.unreachable(String(error)),
    leave: (error) => left.push(error),
    clock,
  });
  async function pass(ms: number): Promise<void> {
    await nextTask();
    clock.advance(ms);
    await nextTask();
  }
  return { root, left, pass, store: () => void (isAway = false) };
}

test("a step whose record fails is done once, and only its record is tried again", async () => {
  const { root, left, pass, store } = withoutStore();
  let times = 0;
  const booked = root.step("book", async () => (times += 1));
  await pass(100);
  await pass(500);
  store();
  await pass(2000);
  expect(await booked).toBe(1);
  expect([times, left]).toEqual([1, []]);
});

test("when the record of a step cannot be stored, the turn leaves its process with the error, and the tool sees none", async () => {
  const { root, left, pass } = withoutStore();
  let times = 0;
  let isTold = false;
  const tell = () => void (isTold = true);
  root.step("book", async () => (times += 1)).then(tell, tell);
  for (const pause of [100, 500, 2000]) await pass(pause);
  expect(left.map(String)).toEqual(["Error: The disk is full."]);
  expect([times, isTold]).toEqual([1, false]);
});
