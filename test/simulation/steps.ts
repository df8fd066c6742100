import type { StepStore } from "../../extras/durable/engine.ts";
import { createFencedSteps } from "../../extras/durable/fenced-steps.ts";
import type { SimulatedDatabase } from "./database.ts";
import type { SimulatedProcess } from "./process.ts";

/** As on PostgreSQL: half a sweep. */
const FRESH_MS = 500;

/** Records steps in the simulated database, with the same statements as on PostgreSQL. */
export function simulatedSteps(
  database: SimulatedDatabase,
  process: SimulatedProcess,
  onRecorded: (turnId: string, text: string) => void,
): StepStore {
  const { key: here } = process;
  return createFencedSteps(
    {
      record: ({ turnId, run }, place, step) =>
        process.call(
          () =>
            database.recordStep(turnId, { process: here, run, place }, step, () =>
              onRecorded(turnId, step.text),
            ),
          { isMarked: true },
        ),
      async isMine({ turnId, run }) {
        const row = await process.call(() => database.readRun(turnId));
        return row?.process === here && row.run === run;
      },
      read: ({ turnId, run }) => process.call(() => database.stepsOf(turnId, run)),
    },
    FRESH_MS,
    () => process.clock.now(),
  );
}
