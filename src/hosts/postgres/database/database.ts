import { explained, isPassing } from "./failures.ts";
import { Row } from "./row.ts";

/** A pool of `pg`, or anything with its methods. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  on(event: "error", listener: (error: Error) => void): unknown;
  end(): Promise<void>;
}

/** A query with a time limit of its own, in place of that of the pool. */
export interface LongQuery {
  readonly text: string;
  readonly values: unknown[];
  readonly query_timeout: number;
}

/** The result of a query of `pg`. */
export interface Rows {
  readonly rows: Readonly<Record<string, unknown>>[];
}

/** A connection of the pool. */
export interface PostgresClient {
  query(text: string | LongQuery, values?: unknown[]): Promise<Rows>;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "notification", listener: (message: { payload?: string | undefined }) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
  off(event: "notification", listener: (message: { payload?: string | undefined }) => void): unknown;
  release(destroy?: boolean): void;
}

export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** The database of the ports. `SCHEMA.` in a query stands for the kit's schema. */
export interface Database {
  readonly schema: string;
  /** A statement that runs longer than this is given up. */
  readonly givesUpAfterMs: number;
  /**
   * Runs one statement. Tries again for some seconds if the connection fails or PostgreSQL restarts, so the statement may
   * run twice. It must be idempotent.
   */
  query: Query;
  /**
   * Runs statements in one transaction. It is retried in the same way, but never after its commit was sent.
   * `mayTakeLong`: its statements have no time limit.
   */
  transaction<T>(
    work: (query: Query) => Promise<T>,
    options?: { readonly mayTakeLong?: boolean },
  ): Promise<T>;
}

/** Without a listener, an error between two queries would end the process. The next query reports the error. */
const ignore = () => {};

/** A restart of PostgreSQL takes a few seconds. */
const RETRY_FOR_MS = 15_000;
/**
 * A connection that does not reply in this time has failed. This leaves time for three tries before a call is given up.
 */
const REPLY_MS = 5000;
/** A change of a large table may take long. */
const LONG_MS = 2 ** 31 - 1;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;

export function createDatabase(
  pool: PostgresPool,
  { schema, retryForMs = RETRY_FOR_MS }: { schema: string; retryForMs?: number | undefined },
): Database {
  const named = (text: string) => text.replaceAll("SCHEMA.", `"${schema}".`);

  /** Runs `work` on a connection. A failed connection does not return to the pool. */
  async function connected<T>(work: (query: Query) => Promise<T>, mayTakeLong: boolean): Promise<T> {
    const client = await pool.connect();
    client.on("error", ignore);
    let isBroken = true;
    try {
      const result = await work(async (text, values = []) => {
        const { rows } = await client.query({
          text: named(text),
          values: [...values],
          query_timeout: mayTakeLong ? LONG_MS : REPLY_MS,
        });
        return rows.map((row) => new Row(row));
      });
      isBroken = false;
      return result;
    } catch (error) {
      isBroken = isPassing(error);
      throw error;
    } finally {
      client.off("error", ignore);
      client.release(isBroken);
    }
  }

  /** Retries `work` while the connection fails, unless `mayRepeat` says that a retry could apply a change twice. */
  async function repeated<T>(
    work: (query: Query) => Promise<T>,
    {
      mayRepeat = () => true,
      mayTakeLong = false,
    }: { mayRepeat?: () => boolean; mayTakeLong?: boolean } = {},
  ): Promise<T> {
    const start = performance.now();
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        return await connected(work, mayTakeLong);
      } catch (error) {
        const isLate = performance.now() - start > retryForMs;
        if (isLate || !isPassing(error) || !mayRepeat()) throw explained(error);
      }
      await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
    }
  }

  return {
    schema,
    givesUpAfterMs: retryForMs + 2 * REPLY_MS,
    query: (text, values) => repeated((query) => query(text, values)),
    transaction(work, { mayTakeLong = false } = {}) {
      // If the reply to a commit is lost, it may or may not have happened.
      let isCommitting = false;
      return repeated(
        async (query) => {
          await query("begin");
          try {
            const result = await work(query);
            isCommitting = true;
            await query("commit");
            return result;
          } catch (error) {
            await query("rollback").catch(() => {});
            throw error;
          }
        },
        { mayRepeat: () => !isCommitting, mayTakeLong },
      );
    },
  };
}
