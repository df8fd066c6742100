import { Pool } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";
import { testRecord } from "../../../test/stages/test-ports.ts";
import { createDatabase } from "../database/database.ts";
import { keyOf } from "../database/keys.ts";
import { createRunRows } from "./run-rows.ts";

const HERE = "7001";

test("a turn whose answer is just being stored is not parked", async () => {
  const { url, query } = await createTestDatabase();
  const { records } = await startPorts(url);
  const { request } = await records.create(testRecord({ turnId: "t" }));
  const key = keyOf("t");
  await query(
    `insert into elicit_kit.runs (turn_id, name, input, process, run) values ($1, 'turn', '{}', ${HERE}, 1)`,
    [key],
  );
  const pool = new Pool({ connectionString: url });
  onTestFinished(() => pool.end());
  const rows = createRunRows(createDatabase(pool, { schema: "elicit_kit" }), HERE);

  const answer = await pool.connect();
  onTestFinished(() => answer.release());
  await answer.query("begin");
  await answer.query("update elicit_kit.records set is_open = false");
  await answer.query("update elicit_kit.runs set process = process");
  const parked = rows.park({ key, run: 1 }, [keyOf(request.elicitationId)]);
  const waiting = async () =>
    (
      await query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    ).rows.length;
  await expect.poll(waiting).toBe(1);
  await answer.query("commit");
  expect(await parked).toBe(false);
});
