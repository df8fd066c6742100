import { Pool } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";
import { testRecord } from "../../../test/stages/test-ports.ts";
import { createDatabase } from "../database/database.ts";
import { createRunRows } from "./run-rows.ts";

test("a turn that has asked again only waits, even if the note that it works arrives after that", async () => {
  const { url, query } = await createTestDatabase();
  const { records } = await startPorts(url);
  const pool = new Pool({ connectionString: url });
  onTestFinished(() => pool.end());
  const rows = createRunRows(createDatabase(pool, { schema: "elicit_kit" }), "77");
  await rows.begin("turn", "t1", "0", {});
  const waits = () => query("update elicit_kit.runs set working = false");
  const working = async () => (await query("select working from elicit_kit.runs")).rows[0]?.["working"];
  const note = { key: "t1", run: 1, waits: 0 };

  await waits();
  // The first question has an answer.
  expect(await rows.work(note)).toHaveLength(1);
  expect(await working()).toBe(true);

  await records.create(testRecord({ turnId: "t1" }));
  await waits();
  // The same statement arrives a second time. The process still learns that it has the turn.
  expect(await rows.work(note)).toHaveLength(1);
  expect(await working()).toBe(false);

  // One of two questions has an answer.
  expect(await rows.work({ ...note, waits: 1 })).toHaveLength(1);
  expect(await working()).toBe(true);
});
