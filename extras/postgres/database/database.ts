import { AsyncLocalStorage } from "node:async_hooks";
import { StoreAway, isStoreAway } from "../../../src/base/foreign-error.ts";
import { codeOf, explained, isAboutData, isPassing, isUnanswered, ofConnection } from "./failures.ts";
import { REPLY_MS, replied } from "./replied.ts";
import { Row } from "./row.ts";

/** A pool of `pg`, or anything with its methods. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "connect", listener: (client: PostgresClient) => void): unknown;
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
   * Runs one statement. Tries again after every error that is not about the data, so the statement may run twice. It must
   * be idempotent. Gives up after {@link IMPATIENT_MS}, because a client waits for its reply, unless it runs in
   * `patiently`.
   */
  query: Query;
  /**
   * Runs statements in one transaction. It is retried in the same way, but never after its commit was sent.
   * `mayTakeLong`: its statements have no time limit.
   */
  transaction<T>(
    work: (query: Query) => Promise<T>,
    options?: {
      readonly mayTakeLong?: boolean;
      /** Aborts if nobody waits for the result any more. Nothing is stored then. */
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<T>;
  /** Runs work for which no client waits, such as a turn. Its calls are tried again for longer. */
  patiently<T>(work: () => T): T;
}

/** Without a listener, an error between two queries would end the process. The next query reports the error. */
const ignore = () => {};

function fail(error: unknown): never {
  throw ofConnection(error);
}

/** A restart of PostgreSQL takes a few seconds. */
const RETRY_FOR_MS = 15_000;
/** For `pg`, as it knows no limit. {@link replied} has one, and a change of a large table may take long. */
const NO_LIMIT_MS = 2 ** 31 - 1;
/** How long a call is tried for which a client waits. */
const IMPATIENT_MS = 1500;
/** How often a call that takes longer looks whether the database replies to others. */
const LOOK_MS = 200;
/** The database is there if it has replied to anything in this time. */
const FRESH_MS = 1000;
/** A timer that is this late means that the machine is busy. */
const BUSY_MS = 50;
const LOCK_NOT_AVAILABLE = "55P03";
/**
 * A process may stop inside a transaction, or its machine may vanish. PostgreSQL then ends the transaction, so that its locks
 * are free. A wait for a lock ends before its connection is given up: nobody would read its reply, and it would wait on.
 */
const BEGIN = "begin; set local idle_in_transaction_session_timeout = '10s'; set local lock_timeout = '4s'";
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;

export function createDatabase(
  pool: PostgresPool,
  { schema, retryForMs = RETRY_FOR_MS }: { schema: string; retryForMs?: number | undefined },
): Database {
  const named = (text: string) => text.replaceAll("SCHEMA.", `"${schema}".`);
  const patience = new AsyncLocalStorage<true>();
  let repliedAt = 0;

  /** Runs `work` on a connection. It returns to the pool only if the next query may succeed on it. */
  async function connected<T>(work: (query: Query) => Promise<T>, mayTakeLong: boolean): Promise<T> {
    const client = await pool.connect().catch(fail);
    client.on("error", ignore);
    let isBroken = true;
    try {
      const result = await work(async (text, values = []) => {
        const statement = { text: named(text), values: [...values], query_timeout: NO_LIMIT_MS };
        const reply = client.query(statement);
        // Several statements have a list of results, without rows of its own.
        const { rows }: { rows?: readonly Readonly<Record<string, unknown>>[] } = await (
          mayTakeLong ? reply : replied(reply)
        ).catch(fail);
        repliedAt = performance.now();
        return (rows ?? []).map((row) => new Row(row));
      });
      isBroken = false;
      return result;
    } catch (error) {
      // After a failover, for example, a session stays read-only.
      isBroken = !isAboutData(error);
      throw error;
    } finally {
      client.off("error", ignore);
      client.release(isBroken);
    }
  }

  /** Retries `work` after errors that may pass, unless `mayRepeat` says that a retry could apply a change twice. */
  async function repeated<T>(
    work: (query: Query, isGivenUp: () => boolean) => Promise<T>,
    {
      mayRepeat = () => true,
      mayTakeLong = false,
    }: { mayRepeat?: () => boolean; mayTakeLong?: boolean } = {},
  ): Promise<T> {
    const start = performance.now();
    let isGivenUp = false;
    const isPatient = mayTakeLong || patience.getStore() === true;
    const forMs = isPatient ? retryForMs : Math.min(retryForMs, IMPATIENT_MS);
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        const tried = connected((query) => work(query, () => isGivenUp), mayTakeLong);
        return await (isPatient ? tried : whileReplying(tried, start));
      } catch (error) {
        isGivenUp = isStoreAway(error);
        if (isGivenUp) throw error;
        const isLate = performance.now() + pause - start > forMs;
        // A migration that waits for a lock pauses for longer.
        const isLocked = mayTakeLong && codeOf(error) === LOCK_NOT_AVAILABLE;
        if (isLate || isLocked || !isPassing(error) || !mayRepeat()) throw explained(error);
      }
      await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
    }
  }

  /** Gives up a call that takes long while the database replies to nothing. It may still succeed later. */
  async function whileReplying<T>(tried: Promise<T>, start: number): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silent = new Promise<never>((_, reject) => {
      let due = 0;
      function look(): void {
        const now = performance.now();
        // On a busy machine, timers are late, and so are replies.
        const isBusy = now - due > BUSY_MS;
        if (isBusy || now - repliedAt < FRESH_MS) lookIn(LOOK_MS);
        else reject(new StoreAway("elicit-kit: PostgreSQL does not reply."));
      }
      function lookIn(ms: number): void {
        due = performance.now() + ms;
        timer = setTimeout(look, ms);
      }
      // If this process itself was busy, the reply is read before the second timer.
      timer = setTimeout(() => lookIn(LOOK_MS), Math.max(0, start + IMPATIENT_MS - performance.now()));
    });
    try {
      return await Promise.race([tried, silent]);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    schema,
    givesUpAfterMs: retryForMs + 2 * REPLY_MS,
    patiently: (work) => patience.run(true, work),
    query: (text, values) => repeated((query) => query(text, values)),
    transaction(work, { mayTakeLong = false, signal } = {}) {
      // If the reply to a commit is lost, it may or may not have happened.
      let isCommitting = false;
      return repeated(
        async (query, isGivenUp) => {
          await query(mayTakeLong ? "begin" : BEGIN);
          try {
            const result = await work(query);
            signal?.throwIfAborted();
            if (isGivenUp()) throw new StoreAway("elicit-kit: a transaction was given up.");
            isCommitting = true;
            await query("commit");
            return result;
          } catch (error) {
            // The connection is closed after a statement without a reply, which also ends the transaction.
            if (!isUnanswered(error)) await query("rollback").catch(() => {});
            throw error;
          }
        },
        { mayRepeat: () => !isCommitting, mayTakeLong },
      );
    },
  };
}
