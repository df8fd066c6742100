import type { PostgresPool } from "./database.ts";
import { missingPackage } from "../../../base/foreign-error.ts";

/** Makes a pool of `pg`. It connects when the first query needs it. */
export async function connectPool(connectionString: string, max: number): Promise<PostgresPool> {
  const { Pool } = await loadPg();
  return new Pool({
    connectionString,
    max,
    // A host that does not respond must not delay an answer for minutes.
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: "elicit-kit",
  });
}

async function loadPg() {
  try {
    return await import("pg");
  } catch (error) {
    throw missingPackage("pg", "createPostgresPorts", error);
  }
}
