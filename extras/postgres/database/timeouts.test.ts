import { Pool } from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { isStoreAway } from "../../../src/base/foreign-error.ts";
import { createTestDatabase } from "../../../test/stages/postgres-database.ts";
import { type LongQuery, type PostgresClient, type PostgresPool, createDatabase } from "./database.ts";

test("a connection whose statement gets no reply gets no further statement", async () => {
  const { url, query } = await createTestDatabase();
  await query("create table rows (id integer primary key)");
  await query("insert into rows values (1)");
  const real = new Pool({ connectionString: url, max: 2 });
  const locked = await real.connect();
  onTestFinished(async () => {
    locked.release();
    await real.end();
  });
  await locked.query("begin");
  await locked.query("update rows set id = 1");

  const sent: string[] = [];
  const impatient: PostgresPool = {
    async connect() {
      const client: PostgresClient = await real.connect();
      return {
        query(asked) {
          const { text, values } = typeof asked === "string" ? { text: asked, values: [] } : asked;
          sent.push(text);
          const isLocked = text.startsWith("update");
          return client.query(isLocked ? { text, values, query_timeout: 200 } : asked);
        },
        on: (event: string, listener: never) => client.on(event as "error", listener),
        off: (event: string, listener: never) => client.off(event as "error", listener),
        release: (destroy) => client.release(destroy),
      };
    },
    on: () => {},
    end: () => real.end(),
  };
  const { transaction } = createDatabase(impatient, { schema: "public", retryForMs: 0 });
  await expect(transaction((run) => run("update rows set id = 2"))).rejects.toThrow(
    "elicit-kit: the connection to PostgreSQL was lost.",
  );
  expect(sent).toEqual([expect.stringMatching(/^begin/), "update rows set id = 2"]);

  await locked.query("rollback");
  await expect.poll(() => query("select id from rows")).toMatchObject({ rows: [{ id: 1 }] });
});

test("a process that was too busy to read a reply in time does not take its connection for failed", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let reply = () => {};
  const client: PostgresClient = {
    // As `pg` limits a query.
    query: (asked) =>
      new Promise((resolve, reject) => {
        const late = () => reject(new Error("Query read timeout"));
        const timer = setTimeout(late, (asked as LongQuery).query_timeout);
        reply = () => {
          clearTimeout(timer);
          resolve({ rows: [] });
        };
      }),
    on() {},
    off() {},
    release: (destroy) => expect(destroy).toBe(false),
  };
  const pool: PostgresPool = { connect: async () => client, on: () => {}, end: async () => {} };
  const { patiently, query } = createDatabase(pool, { schema: "public" });
  const rows = patiently(() => query("select"));
  await vi.advanceTimersByTimeAsync(0);
  // The timers of a busy process run before it reads what has arrived meanwhile.
  vi.advanceTimersByTime(5000);
  reply();
  expect(await rows).toEqual([]);
});

/** A database with one row, and how many of its connections wait for a lock. */
async function setUpRow() {
  const { url, query } = await createTestDatabase();
  await query("create table rows (id integer primary key)");
  await query("insert into rows values (1)");
  const pool = new Pool({ connectionString: url });
  pool.on("error", () => {});
  onTestFinished(() => pool.end());
  const waiting = async () => {
    const { rows } = await query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length;
  };
  return { database: createDatabase(pool, { schema: "public", retryForMs: 30_000 }), pool, waiting };
}

test("a transaction that waits too long for a lock leaves no connection that waits on", async () => {
  const { database, pool, waiting } = await setUpRow();
  const other = await pool.connect();
  onTestFinished(() => other.release());
  await other.query("begin");
  await other.query("update rows set id = 1");
  const error: unknown = await database
    .transaction((run) => run("update rows set id = 2"))
    .catch((thrown: unknown) => thrown);
  expect(isStoreAway(error)).toBe(true);
  await expect.poll(waiting).toBe(0);
});

test("a process that stops inside a transaction does not lock out the others", async () => {
  const { database } = await setUpRow();
  const hasStopped = createDeferred<void>();
  const continued = createDeferred<void>();
  onTestFinished(() => continued.resolve());
  const stopped = database
    .transaction(async (run) => {
      await run("select from rows for update");
      hasStopped.resolve();
      await continued.promise;
      await run("update rows set id = 2");
    })
    .catch((thrown: unknown) => thrown);
  await hasStopped.promise;
  const locked = database.patiently(() =>
    database.transaction((run) => run("select id from rows for update")),
  );
  await expect(locked).resolves.toHaveLength(1);
  continued.resolve();
  await stopped;
});
