import { Client, Pool } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";
import { MIGRATIONS } from "./migrations.ts";

/** A database in the state of an older version of the kit, and connections of that version. */
async function setUp() {
  const { url, query } = await createTestDatabase({ empty: true });
  await query("create schema elicit_kit");
  await query(
    "create table elicit_kit.migrations (number integer primary key, applied_at timestamptz not null default now())",
  );
  for (const [index, statements] of MIGRATIONS.slice(0, 3).entries()) {
    await query(statements.replaceAll("SCHEMA.", "elicit_kit."));
    await query("insert into elicit_kit.migrations (number) values ($1)", [index + 1]);
  }
  async function connect(): Promise<Client> {
    const client = new Client(url);
    client.on("error", () => {});
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }
  return { url, query, connect };
}

test("a migration waits for an open read, during which old processes can write, and runs afterwards", async () => {
  const { url, connect } = await setUp();
  const reader = await connect();
  await reader.query("begin");
  await reader.query("select from elicit_kit.runs");
  const started = startPorts(url);
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
  const ports = await started;
  expect(ports.errors).toEqual([]);
  const { rows } = await old.query("select max(number) as done from elicit_kit.migrations");
  expect(rows).toEqual([{ done: MIGRATIONS.length }]);
});

test("a migration may take longer than the time limit of the pool", { tags: ["long"] }, async () => {
  const { url, query } = await setUp();
  await query(
    "create function slow() returns event_trigger language plpgsql as $$ begin perform pg_sleep(2); end $$",
  );
  await query(
    "create event trigger slow on ddl_command_start when tag in ('ALTER TABLE') execute function slow()",
  );
  const pool = new Pool({ connectionString: url, query_timeout: 1000, connectionTimeoutMillis: 5000 });
  onTestFinished(() => pool.end());
  const { errors } = await startPorts(url, { connectionString: undefined, pool });
  expect(errors).toEqual([]);
});
