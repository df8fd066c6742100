import { randomBytes } from "node:crypto";
import { isObject } from "../../src/contract/json.ts";
import type {
  DraftStore,
  RememberedAnswers,
  ElicitationRecords,
  TurnRunner,
  TurnStream,
  Waiter,
} from "../../src/runtime/internal.ts";
import type { WriteLimit } from "../../src/base/write-limit.ts";
import type { CredentialStore } from "../../src/connect/ports/credentials.ts";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { atMost } from "../../src/base/deadlines.ts";
import { safeLog } from "../../src/base/foreign-error.ts";
import type { Transactions } from "../../src/connect/ports/transactions.ts";
import type { ClientRegistrations } from "../../src/connect/ports/client-registrations.ts";
import { cleanUp } from "./clean-up.ts";
import { createPostgresWriteLimit } from "./write-limit.ts";
import { createPostgresCredentials } from "./secrets/credentials.ts";
import { createDatabaseClock } from "./database/database-clock.ts";
import { type PostgresPool, createDatabase } from "./database/database.ts";
import { ensureDelivery } from "./database/check-notifications.ts";
import {
  createPostgresDrafts,
  createPostgresRegistrations,
  createPostgresTransactions,
} from "./secrets/sign-in-stores.ts";
import { createPostgresRemembered } from "./secrets/remembered.ts";
import { migrate } from "./database/migrations.ts";
import { connectionName } from "./database/keys.ts";
import { createNotifications } from "./database/notifications.ts";
import { connectPool, ensureSchemaName, ignoreErrors } from "./database/pool.ts";
import { createPostgresRecords } from "./records/records.ts";
import { readKeys } from "./secrets/secrets.ts";
import { type TurnClaims, createPostgresTurnRunner } from "./runs/claims.ts";
import { createTurnClaims } from "./runs/turn-claims.ts";
import { createPostgresSteps } from "./runs/steps.ts";
import { turnOverview } from "./runs/turn-overview.ts";
import { createTurnPlans } from "./database/turn-plans.ts";
import { createPostgresTurnStream } from "./log/turn-stream.ts";
import { type DurableTurns, createRecordedRunner } from "../durable/recorded-runner.ts";
import type { DecisionLog } from "../audit/log.ts";
import { type DecisionLogOptions, createDecisions } from "./decisions/decisions.ts";
import { createPostgresWaiter } from "./records/waiter.ts";
import { KitError } from "../../src/contract/kit-error.ts";

const CLEAN_UP_EVERY_MS = 60_000;
/** How long `close` waits for turns that still run, because their runtime was not closed. */
const CLOSE_MS = 1000;

/** The database, and how the ports use it. Give `connectionString` or `pool`. */
export interface PostgresPortsOptions {
  /** Such as `postgres://user:password@host/database`. The ports then make a pool of their own, of ten connections. */
  connectionString?: string | undefined;
  /** A pool of `pg`. Keep at least half of its connections free for the ports. One is reserved for notifications. */
  pool?: PostgresPool | undefined;
  /**
   * A connection string that reaches the server itself, for notifications and session locks. Needed if `connectionString`
   * points to a pooler in transaction mode, such as PgBouncer with `pool_mode = transaction`.
   */
  directConnectionString?: string | undefined;
  /**
   * The PostgreSQL schema of the kit's tables: at most 41 lower-case letters, digits and underscores, with no digit first.
   * @default "elicit_kit"
   */
  schema?: string | undefined;
  /** `false`: only check that the schema is up to date, for a user that may not create tables. @default true */
  migrate?: boolean | undefined;
  /**
   * Encrypts credentials, clients, sign-ins, drafts and remembered answers: 32 bytes, raw or as base64 (`openssl rand
   * -base64 32`). The same for all processes, from a secret store and not from the database. Without it, the stores of
   * the first four reject, and no answer is remembered. To replace a key, pass a list: the first key encrypts, and all
   * keys decrypt. A value encrypted with an older key is encrypted again on the next read or write.
   */
  key?: Uint8Array | string | readonly (Uint8Array | string)[] | undefined;
  /**
   * Writes the decision log: `{}`, or with options. The same in all processes. Each row is stored in the transaction that
   * changes its request.
   * @default undefined: nothing is written
   */
  decisionLog?: DecisionLogOptions | undefined;
  /**
   * Lets turns outlive their process: when it dies or is replaced by a deployment, another process continues them. It
   * does not repeat questions, model calls or recorded `step`s. `true`, or with options.
   * @default false: when the process of a turn dies, another one ends the turn
   */
  durable?: boolean | DurableTurns | undefined;
  /** How often a process checks for lost notifications and dead processes, in milliseconds. @default 2000 */
  sweepMs?: number | undefined;
  /**
   * How long a call of a turn is tried again when the database fails, in milliseconds. A call for which a client waits is
   * given up after 1.5 seconds at most, so that the client gets 503.
   * @default 15_000
   */
  retryForMs?: number | undefined;
  /** Called with background errors, such as a lost connection. The ports reconnect by themselves. */
  onError: (error: unknown) => void;
}

/** The ports of `createRuntime`, and the stores of the hosted page, on one database. */
export interface PostgresPorts {
  readonly records: ElicitationRecords;
  readonly waiter: Waiter;
  readonly stream: TurnStream;
  /**
   * Runs a turn in the process that accepted its message. If that process died before, another one runs it. Any process
   * can stop a turn. When the process of a turn dies, another one ends the turn, or continues it with `durable`.
   */
  readonly runner: TurnRunner;
  /** The claims of turns, for `createDbosRunner`, which replaces `runner`. */
  readonly claims: TurnClaims;
  /** The time of the database, the same for all processes. */
  readonly clock: Clock;
  /** Counts writes across all processes. */
  readonly writeLimit: WriteLimit;
  /**
   * The accounts of users, encrypted. Wrap it in `withConnectors`, which then refreshes a token in one process at a
   * time.
   */
  readonly credentials: CredentialStore;
  /** The registered clients, for `createMcpSignIn`. Encrypted. */
  readonly registrations: ClientRegistrations;
  /** The sign-ins in progress, for `createHostedPage`. Encrypted. */
  readonly transactions: Transactions;
  /** Unsent input of modals, for `createSlackSurface`. Encrypted. */
  readonly drafts: DraftStore;
  /** Answers that users let a tool use again. Without a key, none is remembered. */
  readonly remembered: RememberedAnswers | undefined;
  /**
   * Records who was asked what, and who decided what. It contains the rows of processes with the option `decisionLog`.
   */
  readonly decisionLog: DecisionLog;
  /** Deletes what is no longer needed, as every process does once a minute. Returns the number of deleted rows. */
  cleanUp(): Promise<number>;
  /** Closes the connections that the ports have made. Close the runtime first. */
  close(): Promise<void>;
}

/**
 * Connects to PostgreSQL 15 or newer, and creates the schema or brings it up to date. Rejects if it cannot, with an error
 * that says why.
 *
 * @example
 * const ports = await createPostgresPorts({
 *   connectionString: "postgres://app@db.example.com/chat",
 *   key: process.env["SECRETS_KEY"], // openssl rand -base64 32
 *   onError: console.error,
 * });
 * const runtime = createRuntime({ ports, runTurn, authenticate, allowedOrigins, onError: console.error });
 */
export async function createPostgresPorts(options: PostgresPortsOptions): Promise<PostgresPorts> {
  const { schema = "elicit_kit", sweepMs = 2000 } = options;
  const durable = options.durable === true ? {} : options.durable || undefined;
  const onError = safeLog(options.onError);
  ensureSchemaName(schema, "the schema of createPostgresPorts");
  const keys = readKeys(options.key);
  const here = newProcessKey();
  const pools = await poolsOf(options, connectionName(here));
  let closing: Promise<unknown> | undefined;
  const closePools = async () => {
    closing ??= Promise.all(pools.own.map((pool) => pool.end()));
    await closing;
  };
  try {
    const database = createDatabase(pools.main, { schema, retryForMs: options.retryForMs });
    await database.patiently(() => migrate(database, { mayChange: options.migrate !== false, onError }));
    // Sweeps are patient, too, because timers run in the context in which they are set.
    const notifications = await database.patiently(() =>
      createNotifications({
        connect: () => pools.direct.connect(),
        channel: schema,
        process: here,
        sweepMs,
        onError,
      }),
    );
    try {
      await database.patiently(() => ensureDelivery(database, notifications));
      const clock = await createDatabaseClock(database, notifications);
      const decisions = createDecisions(database, notifications, keys, options.decisionLog);
      // No client waits for it.
      const clean = async () =>
        database.patiently(() => cleanUp(database, () => decisions.cleanUp(clock.now())));
      const timer = setInterval(() => void clean().catch(onError), CLEAN_UP_EVERY_MS);
      timer.unref();
      const plans = createTurnPlans(here);
      const settled = createRecentKeys();
      const { asks, ...turnClaims } = createTurnClaims(database, notifications, plans, onError);
      const claims: TurnClaims = {
        ...turnClaims,
        overview: (most) => turnOverview(database, here, most),
      };
      // Another process may take over a turn while these ports close. They have nothing left to lose.
      const stream = createPostgresTurnStream(database, notifications, plans, (error) => {
        if (closing === undefined) onError(error);
      });
      const records = createPostgresRecords(database, notifications, {
        asks,
        decisions: decisions.writer,
        onSettled: settled.add,
      });
      return {
        records,
        waiter: createPostgresWaiter(database, notifications, settled.take, onError),
        stream,
        runner:
          durable === undefined
            ? createPostgresTurnRunner(claims)
            : createRecordedRunner({
                ...durable,
                claims,
                stream,
                store: createPostgresSteps(database, here, sweepMs),
                clock: systemClock,
                onError,
              }),
        claims,
        clock,
        writeLimit: createPostgresWriteLimit(database),
        credentials: createPostgresCredentials(database, keys),
        registrations: createPostgresRegistrations(database, keys),
        transactions: createPostgresTransactions(database, keys),
        drafts: createPostgresDrafts(database, keys),
        remembered: keys && createPostgresRemembered(database, keys, records.compareAndSet),
        decisionLog: decisions.log,
        cleanUp: clean,
        async close() {
          clearInterval(timer);
          await atMost(systemClock, CLOSE_MS, claims.idle());
          await notifications.close();
          await closePools();
        },
      };
    } catch (error) {
      await notifications.close();
      throw error;
    }
  } catch (error) {
    await closePools();
    throw error;
  }
}

interface Pools {
  readonly main: PostgresPool;
  readonly direct: PostgresPool;
  /** Pools that the ports created and must close. */
  readonly own: readonly PostgresPool[];
}

async function poolsOf(
  { connectionString, pool, directConnectionString }: PostgresPortsOptions,
  name: string,
): Promise<Pools> {
  if ((connectionString === undefined) === (pool === undefined)) {
    throw new KitError("elicit-kit: give createPostgresPorts either a connectionString or a pool.");
  }
  if (pool !== undefined && directConnectionString === undefined && sizeOf(pool) === 1) {
    throw new KitError(
      "elicit-kit: the pool of createPostgresPorts has one connection, and notifications take it. Make it with `max: 2` or more, or pass directConnectionString, which opens a connection for them.",
    );
  }
  const own: PostgresPool[] = [];
  async function make(url: string, max: number): Promise<PostgresPool> {
    const made = await connectPool(url, max, name);
    own.push(made);
    return made;
  }
  const main = pool ?? (await make(connectionString ?? "", 10));
  const direct = directConnectionString === undefined ? main : await make(directConnectionString, 1);
  new Set([main, direct]).forEach(ignoreErrors);
  return { main, direct, own };
}

/** The number of connections that a pool of `pg` may open. */
function sizeOf(pool: PostgresPool): unknown {
  return "options" in pool && isObject(pool.options) ? pool.options["max"] : undefined;
}

/** The last keys that were added and not taken. */
function createRecentKeys(most = 1000) {
  const keys = new Set<string>();
  return {
    add(key: string): void {
      keys.add(key);
      const [oldest] = keys;
      if (keys.size > most && oldest !== undefined) keys.delete(oldest);
    },
    take: (key: string) => keys.delete(key),
  };
}

/** A positive `bigint`. */
function newProcessKey(): string {
  return `${randomBytes(8).readBigUInt64BE() >> 1n}`;
}
