import { createEnginePool } from "./engine-pool.ts";
import type { Dbos } from "./step-store.ts";
import { KitError } from "../../src/contract/kit-error.ts";
import { loggable, missingPackage } from "../../src/base/foreign-error.ts";

/** Connections of this pool. Running turns share them. Waiting turns need none. */
const POOL_SIZE = 5;
/** The kit schedules nothing with DBOS. */
const NEVER_MS = 2 ** 31 - 1;

const ignore = () => {};

/** Finds the `DBOS` of the application, or configures a new one to launch. */
export async function launchDbos({
  connectionString,
  dbos,
  onError,
}: {
  connectionString?: string | undefined;
  dbos?: Dbos | undefined;
  onError: (error: unknown) => void;
}): Promise<{ dbos: Dbos; launch(): Promise<void>; close(): Promise<void> }> {
  if ((connectionString === undefined) === (dbos === undefined)) {
    throw new KitError(
      "elicit-kit: give createDbosRunner either a connectionString or the DBOS of the application.",
    );
  }
  if (dbos !== undefined) return { dbos, launch: async () => {}, close: async () => {} };
  const { DBOS } = await loadDbos();
  if (DBOS.isInitialized()) {
    throw new KitError(
      "elicit-kit: this process has launched DBOS already. Pass it to createDbosRunner as `dbos`.",
    );
  }
  const url = connectionString ?? "";
  const { pool, watchSilence } = await createEnginePool(url, { max: POOL_SIZE, onError });
  return {
    dbos: DBOS,
    async launch() {
      DBOS.setConfig({
        name: "elicit-kit",
        systemDatabaseUrl: url,
        systemDatabasePool: pool,
        // The same for all versions of the application, because the kit itself detects that the code of a turn has
        // changed.
        applicationVersion: "elicit-kit",
        // Must differ from that of every other process. Otherwise DBOS would run the workflows of that process again.
        executorID: crypto.randomUUID(),
        useListenNotify: false,
        schedulerPollingIntervalMs: NEVER_MS,
        logger: { info: ignore, debug: ignore, warn: ignore, error: (entry) => onError(wordsOf(entry)) },
      });
      await DBOS.launch().catch(async (error: unknown) => {
        await pool.end();
        throw new KitError(
          "elicit-kit: DBOS could not be launched. Check the connectionString of createDbosRunner, and that its user may create a schema.",
          { cause: loggable(error) },
        );
      });
      watchSilence();
    },
    async close() {
      await DBOS.shutdown({ workflowCompletionTimeoutMS: 1000 });
      await pool.end();
    },
  };
}

function wordsOf(entry: unknown): Error {
  return new KitError("elicit-kit: DBOS has reported an error.", { cause: entry });
}

async function loadDbos() {
  try {
    return await import("@dbos-inc/dbos-sdk");
  } catch (error) {
    throw missingPackage("@dbos-inc/dbos-sdk", "createDbosRunner", error);
  }
}
