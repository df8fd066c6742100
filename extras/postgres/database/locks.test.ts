import { Pool } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createManualClock } from "../../../src/base/testing/manual-clock.ts";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";
import { createDatabase } from "./database.ts";
import { exclusively } from "./locks.ts";

test("a process keeps its lock as long as its work takes", async () => {
  const { url, query } = await createTestDatabase();
  await startPorts(url);
  const pool = new Pool({ connectionString: url });
  onTestFinished(() => pool.end());
  const database = createDatabase(pool, { schema: "elicit_kit" });
  const clock = createManualClock();
  const secondsLeft = async () => {
    const { rows } = await query(
      "select extract(epoch from until - now())::double precision as left from elicit_kit.locks",
    );
    return rows[0]?.left;
  };
  await exclusively(
    database,
    "refresh",
    async () => {
      for (let renewals = 0; renewals < 3; renewals += 1) {
        await query("update elicit_kit.locks set until = now() + interval '1 second'");
        await clock.advanceAsync(30_000);
        await expect.poll(secondsLeft).toBeGreaterThan(30);
      }
    },
    clock,
  );
  expect(await secondsLeft()).toBeUndefined();
  expect(clock.waiting).toBe(0);
});
