import { Pool } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createManualClock } from "../../../src/base/testing/manual-clock.ts";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";
import { createSqlProxy } from "../../../test/stages/sql-proxy.ts";
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

test("work that is done counts, also if its lock cannot be freed: the lock expires by itself", async () => {
  const { url } = await createTestDatabase();
  const network = await createSqlProxy(url);
  const { credentials } = await startPorts(network.url, { retryForMs: 0 });
  const done = credentials.exclusively?.("tracker", "ada", async () => {
    network.cut();
    return "refreshed";
  });
  expect(await done).toBe("refreshed");
});
