import { systemClock } from "../../src/base/clock.ts";
import { expect, test } from "vitest";
import type { RecordedStep } from "./engine.ts";
import { TurnRun } from "./turn-run.ts";

const never = new AbortController().signal;

function runOf(past: readonly RecordedStep[]) {
  const recorded: RecordedStep[] = [];
  const changes: unknown[] = [];
  const { root } = new TurnRun({
    turn: { turnId: "t", input: {}, run: 1, deaths: 0, signals: { stop: never, letGo: never } },
    stop: never,
    async record(name, work) {
      const text = await work();
      recorded.push({ name, text });
      return text;
    },
    past,
    check: async () => true,
    parking: { waitsFor() {}, pending: () => undefined, hasJustParked: () => false },
    wake() {},
    note() {},
    onFailed: (error: unknown) => changes.push(error),
    leave: () => {},
    clock: systemClock,
  });
  return { root, recorded, changes };
}

/** This question has a key, so it may be asked in any order. */
const CITY = { kind: "question", name: "book", identity: "city", shape: "", hasKey: true } as const;

test("when a turn runs again with another tool in a waiting call, the turn ends", async () => {
  const before = runOf([]);
  const isAsked = new Promise<void>((resolve) => {
    void before.root.call({ id: "c1", name: "book" }, (scope) =>
      scope.ask(CITY, () => {
        resolve();
        return new Promise(() => {});
      }),
    );
  });
  await isAsked;

  const after = runOf(before.recorded);
  const asks = after.root.call({ id: "c1", name: "reserve" }, (scope) =>
    scope.ask({ ...CITY, name: "reserve", identity: "city of reserve" }, async () => "asked"),
  );
  await expect(asks).rejects.toThrow('calls "reserve" where it called another tool');
  expect(after.changes).toHaveLength(1);
  expect(after.recorded).toEqual([]);
});
