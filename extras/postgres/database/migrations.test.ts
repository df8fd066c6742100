import { Client, Pool, type PoolConfig } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../../../test/stages/postgres-database.ts";
import { createDatabase } from "./database.ts";
import { MIGRATIONS, migrate } from "./migrations.ts";

const NEXT = [...MIGRATIONS, "alter table SCHEMA.runs add column tries integer"];

/** Migrates a schema to the version after this one. Returns the errors for the operator. */
async function migrateOn(url: string, config?: PoolConfig): Promise<unknown[]> {
  const errors: unknown[] = [];
  const pool = new Pool({ connectionString: url, ...config });
  onTestFinished(() => pool.end());
  const database = createDatabase(pool, { schema: "elicit_kit" });
  await migrate(database, { mayChange: true, onError: (error) => errors.push(error) }, NEXT);
  return errors;
}

test("a migration waits for an open read, during which old processes can write, and runs afterwards", async () => {
  const { url } = await createTestDatabase();
  async function connect(): Promise<Client> {
    const client = new Client(url);
    client.on("error", () => {});
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }
  const reader = await connect();
  await reader.query("begin");
  await reader.query("select from elicit_kit.runs");
  const migrated = migrateOn(url);
  const old = await connect();
  // This limit only ends a hanging test.
  await old.query("set statement_timeout = '5s'");
  const waits = async () =>
    (
      await old.query(
        "select from pg_stat_activity where query like '%alter table%' and wait_event_type = 'Lock'",
      )
    ).rows.length;
  for (let tries = 0; tries < 3; tries += 1) {
    await expect.poll(waits, { interval: 10 }).toBe(1);
    await old.query("insert into elicit_kit.runs (turn_id, name, input, process) values ($1, '', '', 0)", [
      `turn-${tries}`,
    ]);
  }
  await reader.query("commit");
  expect(await migrated).toEqual([]);
  const { rows } = await old.query("select max(number) as done from elicit_kit.migrations");
  expect(rows).toEqual([{ done: NEXT.length }]);
});

test("a migration may take longer than the time limit of the pool", { tags: ["long"] }, async () => {
  const { url, query } = await createTestDatabase();
  await query(
    "create function slow() returns event_trigger language plpgsql as $$ begin perform pg_sleep(2); end $$",
  );
  await query(
    "create event trigger slow on ddl_command_start when tag in ('ALTER TABLE') execute function slow()",
  );
  expect(await migrateOn(url, { query_timeout: 1000, connectionTimeoutMillis: 5000 })).toEqual([]);
});
