import { Pool } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../../../test/stages/postgres-database.ts";
import { createDatabase } from "../database/database.ts";
import { FREE } from "../database/keys.ts";
import { createLostTurns } from "./lost-turns.ts";
import { createRunRows } from "./run-rows.ts";

const [HERE, OLD, NEW] = ["7001", "8001", "8002"] as const;

/** A turn of the version `OLD` that has just been answered, as a process of the version `NEW` sees it. */
async function setUp() {
  const { url, query } = await createTestDatabase();
  await query(
    `insert into elicit_kit.runs (turn_id, name, input, process, run, version) values ('t', 'turn', '{}', ${FREE}, 1, ${OLD})`,
  );
  const pool = new Pool({ connectionString: url });
  onTestFinished(() => pool.end());
  const database = createDatabase(pool, { schema: "elicit_kit" });
  const lost = createLostTurns(database, HERE);
  const rows = createRunRows(database, HERE);
  return {
    lost,
    hold: () => query("select pg_advisory_lock_shared($1)", [OLD]),
    swept: async () => (await lost.claimLost(["turn"], NEW)).rows.length,
    answered: async () => (await rows.claim("t", ["turn"], NEW, lost.gone())).claimed !== undefined,
  };
}

test("right after a restart of PostgreSQL, a turn is left to its version, whose processes are about to connect", async () => {
  const { lost, hold, swept, answered } = await setUp();
  expect([await answered(), await swept()]).toEqual([false, 0]);
  await lost.look();
  expect([await answered(), await swept()]).toEqual([false, 0]);
  await hold();
  await lost.look();
  expect([await answered(), await swept()]).toEqual([false, 0]);
});

test("a turn whose version has had no process for two sweeps continues in another version", async () => {
  const { lost, answered } = await setUp();
  await lost.look();
  await lost.look();
  expect(await answered()).toBe(true);
});
