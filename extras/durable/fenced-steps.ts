import { KitError } from "../../src/contract/kit-error.ts";
import type { RecordedStep, RunKey, StepStore } from "./engine.ts";

/** The table of recorded steps, beside that of the runs. Each function is one statement, which may be repeated. */
export interface StepTable {
  /**
   * Stores a step under its place in its run, if the turn still belongs to this run. Resolves with `false` if it does not.
   */
  record(key: RunKey, place: number, step: RecordedStep): Promise<boolean>;
  /** Whether the turn still belongs to this run. */
  isMine(key: RunKey): Promise<boolean>;
  /** The steps of earlier runs, in the order of their runs and places. */
  read(key: RunKey): Promise<readonly { readonly run: number; readonly step: RecordedStep }[]>;
}

/**
 * Records steps in a table that belongs to the claims of turns: only the run that has the turn can record, so no run must
 * be cancelled. The steps go with the turn, so there is nothing to delete.
 *
 * @param freshMs A step begins without a look at the claim if the claim was seen this short a time ago, in milliseconds.
 *   Shorter than any process waits before it claims a turn of another one.
 * @param now a time in milliseconds that never goes back
 */
export function createFencedSteps(table: StepTable, freshMs: number, now: () => number): StepStore {
  return {
    async run(key, work) {
      // The runner looks at the claim after this, before it does any work.
      let seenAt = now();
      /** By name. A step that is recorded again, because the reply was lost, keeps its place. */
      const places = new Map<string, number>();

      async function ensureMine(look: () => Promise<boolean>): Promise<void> {
        const askedAt = now();
        if (!(await look())) throw new KitError("elicit-kit: another process has taken over the turn.");
        seenAt = askedAt;
      }

      await work(async (name, doStep) => {
        const place = places.get(name) ?? places.size;
        places.set(name, place);
        if (now() - seenAt > freshMs) await ensureMine(() => table.isMine(key));
        const text = await doStep();
        await ensureMine(() => table.record(key, place, { name, text }));
        return text;
      });
    },
    async take(key) {
      if (key.run === 1) return [];
      const runs: RecordedStep[][] = Array.from({ length: key.run - 1 }, () => []);
      for (const { run, step } of await table.read(key)) runs[run - 1]?.push(step);
      return runs;
    },
    async forget() {},
  };
}
