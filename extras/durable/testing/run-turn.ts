import { systemClock } from "../../../src/base/clock.ts";
import type { CallScope } from "../call-scope.ts";
import type { RecordedStep } from "../engine.ts";
import { TurnRun } from "../turn-run.ts";

const never = new AbortController().signal;

/** Starts one run of a turn, with what earlier runs have recorded. `changes`: the errors of a turn whose code has changed. */
export function runTurn(past: readonly RecordedStep[] = []): {
  root: CallScope;
  recorded: RecordedStep[];
  changes: unknown[];
} {
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
    onFailed: (error) => changes.push(error),
    leave: () => {},
    clock: systemClock,
  });
  return { root, recorded, changes };
}
