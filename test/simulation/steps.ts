import type { StepStore } from "../../src/durable/engine.ts";
import type { SimulatedDatabase } from "./database.ts";
import type { SimulatedProcess } from "./process.ts";

/** Records steps as DBOS does: not in a cancelled run, and a running step is recorded afterwards. */
export function simulatedSteps(
  database: SimulatedDatabase,
  process: SimulatedProcess,
  onRecorded: (id: string, text: string) => void,
): StepStore {
  return {
    async run(id, work) {
      await process.call(() => database.beginWorkflow(id));
      await work(async (name, step) => {
        await process.call(() => database.ensureUncancelled(id));
        const text = await step();
        await process.call(
          () => {
            database.recordStep(id, { name, text });
            onRecorded(id, text);
          },
          { isMarked: true },
        );
        return text;
      });
    },
    async take(ids) {
      await Promise.all(ids.map((id) => process.call(() => database.cancelWorkflow(id))));
      return Promise.all(ids.map((id) => process.call(() => database.stepsOf(id))));
    },
    forget: (ids) => process.call(() => database.forgetWorkflows(ids)),
  };
}
