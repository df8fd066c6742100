import { join } from "node:path";
import { startKeptPostgres } from "../../tools/kept-postgres.mjs";
import { startPostgres } from "../../tools/postgres.mjs";
import type { DemoEnvironment } from "../server/addresses.ts";

/** The PostgreSQL that all processes of the demo use. */
export interface Database {
  readonly url: string;
  /** Text for the terminal. */
  readonly description: string;
  stop(): Promise<void>;
}

/**
 * Uses the database of `DATABASE_URL`. Otherwise starts one with its data in the demo's folder. Without a folder, its
 * data is deleted when it stops.
 */
export async function startDatabase(env: DemoEnvironment, folder: string | undefined): Promise<Database> {
  if (env["DATABASE_URL"]) return { ...(await startPostgres()), description: "of DATABASE_URL" };
  if (folder === undefined) return { ...(await startPostgres()), description: "a throw-away PostgreSQL" };
  const data = join(folder, "postgres");
  return { ...(await startKeptPostgres(data)), description: `a PostgreSQL with its data in ${data}` };
}
