import { AsyncLocalStorage } from "node:async_hooks";
import type { DBOS } from "@dbos-inc/dbos-sdk";
import type { RecordStep, RunKey, StepStore } from "../durable/engine.ts";
import { loggable, StoreAway } from "../../src/base/foreign-error.ts";
import { KitError } from "../../src/contract/kit-error.ts";
import { isAboutData } from "../postgres/internal.ts";
import type { Watchdog } from "./watchdog.ts";

/** The `DBOS` export of `@dbos-inc/dbos-sdk`. */
export type Dbos = typeof DBOS;

const WORKFLOW = "elicit-kit turn";

interface Work {
  readonly run: (record: RecordStep) => Promise<void>;
  readonly watchdog: Watchdog;
}

/**
 * The functions that runs of this process execute, and the workflow that calls them. Several runners may use one DBOS.
 */
interface Registration {
  readonly works: Map<string, Work>;
  readonly workflow: (id: string) => Promise<void>;
}
const registrations = new WeakMap<Dbos, Registration>();

/** Call it before DBOS is launched. */
export function createStepStore(dbos: Dbos, watchdog: Watchdog): StepStore {
  const { works, workflow } = registrationOf(dbos);
  // Runs code outside any workflow. A turn may be started inside the workflow of another turn, or of its own last run,
  // and must not become its child.
  const outside = AsyncLocalStorage.snapshot();
  return {
    async run(key, work) {
      const id = workflowId(key.turnId, key.run);
      if (!dbos.isInitialized()) {
        throw new KitError(
          "elicit-kit: DBOS is not launched. Call createDbosRunner, then DBOS.launch(), before the first message.",
        );
      }
      const begun = watchdog.begin();
      works.set(id, {
        watchdog,
        run(record) {
          begun();
          return work(record);
        },
      });
      try {
        await outside(async () => {
          const handle = await dbos.startWorkflow(workflow, { workflowID: id })(id);
          await handle.getResult();
        });
      } finally {
        begun();
        works.delete(id);
      }
    },
    take: (key) =>
      watched(async () => {
        const ids = workflowIds(key).slice(0, -1);
        await Promise.all(ids.map((id) => dbos.cancelWorkflow(id)));
        const lists = await Promise.all(ids.map((id) => dbos.listWorkflowSteps(id)));
        return lists.map((steps = []) =>
          steps.flatMap(({ name, output }) => (typeof output === "string" ? [{ name, text: output }] : [])),
        );
      }),
    forget: (key) => watched(() => dbos.deleteWorkflows(workflowIds(key))),
  };

  async function watched<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = watchdog.begin();
    return outside(work).finally(done);
  }
}

/** Each run of a turn is a workflow. */
const workflowId = (turnId: string, run: number) => `elicit-kit/${turnId}/${run}`;

/** The workflows of this run and of all earlier ones. */
const workflowIds = ({ turnId, run }: RunKey) =>
  Array.from({ length: run }, (_, index) => workflowId(turnId, index + 1));

/** Only an error about the data is final. */
function failed(error: unknown): Error {
  const Failed = isAboutData(error) ? KitError : StoreAway;
  return new Failed("elicit-kit: DBOS could not record a step.", { cause: loggable(error) });
}

function registrationOf(dbos: Dbos): Registration {
  const known = registrations.get(dbos);
  if (known !== undefined) return known;
  const works: Registration["works"] = new Map();
  const workflow = dbos.registerWorkflow(
    async (id: string) => {
      // Runs code in the context of this workflow. A callback may run in the context of another turn, the one that opened
      // the connection.
      const inside = AsyncLocalStorage.snapshot();
      // There is no function for this workflow: DBOS is recovering the workflow of a process that had the same
      // `executorID`. The claims decide which process runs a turn.
      const found = works.get(id);
      await found?.run((name, work) => {
        const here = AsyncLocalStorage.snapshot();
        // Stop the timer first: the duration of the step itself is not the duration of the engine.
        let done = found.watchdog.begin();
        const watched = async () => {
          done();
          try {
            return await here(work);
          } finally {
            done = found.watchdog.begin();
          }
        };
        return inside(() => dbos.runStep(watched, { name }))
          .catch((error: unknown) => {
            throw failed(error);
          })
          .finally(() => done());
      });
    },
    { name: WORKFLOW },
  );
  const registration = { works, workflow };
  registrations.set(dbos, registration);
  return registration;
}
