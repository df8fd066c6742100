import type { DecisionLog } from "../../audit/log.ts";
import { KitError } from "../../../src/contract/kit-error.ts";
import { createDatabase } from "../database/database.ts";
import { connectPool, ensureSchemaName, ignoreErrors } from "../database/pool.ts";
import { createSealer } from "../secrets/sealer.ts";
import { type SecretKeyOption, readKeys } from "../secrets/secrets.ts";
import { createPostgresDecisionLog } from "./decision-log.ts";

/** A decision log that is only read, without the rest of the ports. The database user needs only the right to select. */
export interface OpenDecisionLog {
  readonly log: DecisionLog;
  close(): Promise<void>;
}

/** Rejects if the database cannot be reached, or has no decision log. `key` decrypts the content. */
export async function openDecisionLog({
  connectionString,
  schema,
  key,
}: {
  connectionString: string;
  schema: string;
  key?: SecretKeyOption | undefined;
}): Promise<OpenDecisionLog> {
  ensureSchemaName(schema, "the schema");
  const keys = readKeys(key);
  const pool = await connectPool(connectionString, 1);
  ignoreErrors(pool);
  const close = () => pool.end();
  try {
    const database = createDatabase(pool, { schema, retryForMs: 5000 });
    const found = await database.query(
      "select from pg_catalog.pg_tables where schemaname = $1 and tablename = 'decisions'",
      [schema],
    );
    if (found.length === 0) {
      throw new KitError(
        `elicit-kit: the schema "${schema}" of this database has no decision log. Name the database and the schema of createPostgresPorts, and start one process of this version first, which adds the tables.`,
      );
    }
    return { log: createPostgresDecisionLog(database, keys && createSealer("decision", keys)), close };
  } catch (error) {
    await close();
    throw error;
  }
}
