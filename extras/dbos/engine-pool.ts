import { Socket } from "node:net";
import type { Pool } from "pg";
import { missingPackage } from "../../src/base/foreign-error.ts";

/**
 * A connection that sends nothing for this long is closed. DBOS then retries on another connection, which it does not do
 * after the `query_timeout` of pg. Idle connections are closed earlier.
 */
const SILENT_MS = 15_000;
const IDLE_MS = 10_000;

const ignore = () => {};

/**
 * Makes the pool of DBOS. It connects when DBOS first needs it. Call `watchSilence` once the tables exist, because
 * creating them may take long.
 */
export async function createEnginePool(
  connectionString: string,
  { max, onError }: { max: number; onError: (error: unknown) => void },
): Promise<{ pool: Pool; watchSilence(): void }> {
  const { Pool: PgPool } = await loadPg();
  let isWatching = false;
  const pool = new PgPool({
    connectionString,
    max,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: "elicit-kit dbos",
    stream() {
      const socket = new Socket();
      socket.setTimeout(SILENT_MS, () => {
        if (isWatching) socket.destroy();
      });
      return socket;
    },
    // DBOS does the same in its own pool, but before its first statement.
    verify(client, done) {
      // While nobody else listens, the error of a lost connection would end the process. Its query reports it.
      client.on("error", ignore);
      client.query("set idle_in_transaction_session_timeout = 60000").then(() => done(), done);
    },
  });
  pool.on("error", onError);
  return {
    pool,
    watchSilence() {
      isWatching = true;
    },
  };
}

async function loadPg() {
  try {
    return await import("pg");
  } catch (error) {
    throw missingPackage("pg", "createDbosRunner", error);
  }
}
