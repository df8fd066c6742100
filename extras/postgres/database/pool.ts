import type { PostgresPool } from "./database.ts";
import { missingPackage } from "../../../src/base/foreign-error.ts";
import { KitError } from "../../../src/contract/kit-error.ts";

/**
 * Makes a pool of `pg`. It connects when the first query needs it.
 *
 * @param name what `pg_stat_activity` shows, unless the connection string says something else
 */
export async function connectPool(
  connectionString: string,
  max: number,
  name = "elicit-kit",
): Promise<PostgresPool> {
  const { Pool } = await loadPg();
  return new Pool({
    connectionString,
    max,
    // A host that does not respond must not delay an answer for minutes.
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: name,
  });
}

/** Keeps a failing connection from ending the process. The next query on it gets the error. */
export function ignoreErrors(pool: PostgresPool): void {
  pool.on("error", ignore);
  // The pool takes its own listener away before the code that waits for a new connection has one.
  pool.on("connect", (client) => client.on("error", ignore));
}

const ignore = () => {};

async function loadPg() {
  try {
    return await import("pg");
  } catch (error) {
    throw missingPackage("pg", "createPostgresPorts", error);
  }
}

const PATTERN = /^[a-z_][a-z0-9_]{0,40}$/;

/** Throws unless the name can be used in statements without quotes. `option` names it in the error. */
export function ensureSchemaName(schema: string, option: string): void {
  if (PATTERN.test(schema)) return;
  throw new KitError(
    `elicit-kit: ${option} must be 1 to 41 lower-case letters, digits and underscores, with no digit first, but it is: ${schema}`,
  );
}
