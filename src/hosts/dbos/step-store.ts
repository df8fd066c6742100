import { AsyncLocalStorage } from "node:async_hooks";
import type { DBOS } from "@dbos-inc/dbos-sdk";
import type { RecordStep, StepStore } from "../../durable/engine.ts";
import { KitError } from "../../contract/kit-error.ts";

/** `DBOS` of `@dbos-inc/dbos-sdk`. */
export type Dbos = typeof DBOS;

const WORKFLOW = "elicit-kit turn";

/** The work of runs of this process, and the workflow that runs it. Several runners may use one DBOS. */
interface Registration {
  readonly works: Map<string, (record: RecordStep) => Promise<void>>;
  readonly workflow: (id: string) => Promise<void>;
}
const registrations = new WeakMap<Dbos, Registration>();

/** Call it before DBOS is launched. */
export function createStepStore(dbos: Dbos): StepStore {
  const { works, workflow } = registrationOf(dbos);
  // A turn may be started or woken inside the workflow of another turn, or of its own last run, and must not be its child.
  const outside = AsyncLocalStorage.snapshot();
  return {
    async run(id, work) {
      if (!dbos.isInitialized()) {
        throw new KitError(
          "elicit-kit: DBOS is not launched. Call createDbosRunner, then DBOS.launch(), before the first message.",
        );
      }
      works.set(id, work);
      try {
        await outside(async () => {
          const handle = await dbos.startWorkflow(workflow, { workflowID: id })(id);
          await handle.getResult();
        });
      } finally {
        works.delete(id);
      }
    },
    take: (ids) =>
      outside(async () => {
        await Promise.all(ids.map((id) => dbos.cancelWorkflow(id)));
        const lists = await Promise.all(ids.map((id) => dbos.listWorkflowSteps(id)));
        return lists.flatMap((steps = []) =>
          steps.flatMap(({ name, output }) => (typeof output === "string" ? [{ name, text: output }] : [])),
        );
      }),
    forget: (ids) => outside(() => dbos.deleteWorkflows([...ids])),
  };
}

function registrationOf(dbos: Dbos): Registration {
  const known = registrations.get(dbos);
  if (known !== undefined) return known;
  const works: Registration["works"] = new Map();
  const workflow = dbos.registerWorkflow(
    async (id: string) => {
      // The context of this workflow, for steps of callbacks that run in the context of another turn, whose connection it is.
      const inside = AsyncLocalStorage.snapshot();
      // No work: DBOS recovers the workflow of a process that had the same `executorID`. The claims decide who runs a turn.
      await works.get(id)?.((name, work) => {
        const here = AsyncLocalStorage.snapshot();
        return inside(() => dbos.runStep(() => here(work), { name }));
      });
    },
    { name: WORKFLOW },
  );
  const registration = { works, workflow };
  registrations.set(dbos, registration);
  return registration;
}
