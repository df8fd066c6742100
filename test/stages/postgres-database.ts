import { setTimeout } from "node:timers/promises";
import { Client, type QueryResult, type QueryResultRow } from "pg";
import { inject, onTestFinished } from "vitest";
import { type PostgresPorts, createPostgresPorts } from "../../extras/postgres/index.ts";
import type { PostgresPortsOptions } from "../../extras/postgres/postgres-ports.ts";
import { isStoreAway } from "../../src/base/foreign-error.ts";
import { SECRETS_KEY } from "./secrets-key.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of a test server, from `test/postgres.setup.ts`. */
    postgresUrl: string;
    /** A database with the tables of the kit and of DBOS, and without rows. */
    postgresTemplate: string;
  }
}

let count = 0;

/** The session locks by which a process sees that the others live. */
export const LOCKS =
  "select from pg_locks l join pg_database d on d.oid = l.database where locktype = 'advisory' and datname = current_database() and mode = 'ShareLock'";

/** Runs a statement on the test's own connection, which opens with the first one. */
export type TestQuery = <Row extends QueryResultRow = QueryResult["rows"][number]>(
  text: string,
  values?: unknown[],
) => Promise<QueryResult<Row>>;

/** One connection for all databases of a worker. To open one takes as much processor time as to copy a database. */
let administration: Promise<Client> | undefined;

/**
 * Creates a database on the test server. It has the tables of the kit and of DBOS, because creating those takes longer
 * than most tests, unless it is `empty` or has an `encoding` of its own.
 */
export async function createTestDatabase({
  empty = false,
  encoding,
}: { empty?: boolean; encoding?: string } = {}): Promise<{
  url: string;
  query: TestQuery;
}> {
  count += 1;
  const server = inject("postgresUrl");
  const name = `test_${process.pid}_${count}_${Math.random().toString(36).slice(2)}`;
  const template = empty || encoding !== undefined ? "template0" : inject("postgresTemplate");
  const encoded = encoding === undefined ? "" : ` encoding '${encoding}' locale 'C'`;
  // Copies files, in a third of the time that PostgreSQL's default strategy takes for so few rows.
  await onServer(server, `create database ${name} template ${template} strategy file_copy${encoded}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  let client: Promise<Client> | undefined;
  onTestFinished(async () => {
    await (await client)?.end();
    await left(server, name);
    await onServer(server, `drop database if exists ${name} with (force)`);
  });
  return {
    url,
    async query(text, values) {
      client ??= connect(url);
      return (await client).query(text, values);
    },
  };
}

/** Waits a moment for connections that are being closed: to drop the database would give them an error. */
async function left(server: string, database: string): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    const { rows } = await onServer(server, `select from pg_stat_activity where datname = '${database}'`);
    if (rows.length === 0) return;
    await setTimeout(20);
  }
}

async function onServer(url: string, statement: string): Promise<QueryResult> {
  administration ??= connect(url);
  return (await administration).query(statement);
}

async function connect(url: string): Promise<Client> {
  const client = new Client(url);
  // The server stops after the last test.
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Repeats a call that is safe to repeat while PostgreSQL, on a busy machine, does not reply in time. */
export async function untilReplied<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isStoreAway(error)) throw error;
    }
  }
}

/** Ports of one process. They are closed at the end of the test. */
export async function startPorts(
  connectionString: string,
  options: Partial<PostgresPortsOptions> = {},
): Promise<PostgresPorts & { errors: unknown[] }> {
  const errors: unknown[] = [];
  const ports = await createPostgresPorts({
    connectionString,
    retryForMs: 10_000,
    key: SECRETS_KEY,
    sweepMs: 200,
    onError: (error) => errors.push(error),
    ...options,
  });
  onTestFinished(() => ports.close());
  return { ...ports, errors };
}
