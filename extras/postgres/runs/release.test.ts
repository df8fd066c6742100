/** A process that shuts down runs no turn that it has released, and another process can take it. */
import { expect, test } from "vitest";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";
import { createSqlProxy } from "../../../test/stages/sql-proxy.ts";

/** Longer than the test. Sweeps happen only when the test starts one. */
const NEVER_MS = 3_600_000;
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

async function setUp() {
  const { url, query } = await createTestDatabase();
  const [pool, direct] = [await createSqlProxy(url), await createSqlProxy(url)];
  const ports = await startPorts(pool.url, { directConnectionString: direct.url, sweepMs: NEVER_MS });
  const runs = async () => (await query("select turn_id, process::text, run from elicit_kit.runs")).rows;
  return { ports, pool, direct, runs };
}

test("when a sweep claims a turn that its process has just released in a shutdown, the turn is released again", async () => {
  const { ports, pool, direct, runs } = await setUp();
  let begun = 0;
  const isHere = createDeferred<void>();
  const start = ports.claims.register("turn", async ({ signals }) => {
    begun += 1;
    isHere.resolve();
    await untilAborted(signals.letGo);
  });
  void start("t1", {});
  await isHere.promise;
  // A process sweeps as soon as it has replaced a lost connection.
  const sweeps = pool.holdNext(/update .*runs.*order by exists/s);
  direct.cut();
  direct.open();
  await sweeps;
  await ports.claims.release();
  expect(await runs()).toEqual([{ turn_id: "t1", process: "1", run: 1 }]);
  pool.passHeld();
  // The turn was claimed as run 2 and released.
  await expect.poll(runs).toEqual([{ turn_id: "t1", process: "1", run: 2 }]);
  expect(begun).toBe(1);
  await ports.claims.idle();
});

test("a turn that begins after its process has released all turns is left to another process", async () => {
  const { ports, runs } = await setUp();
  let begun = 0;
  const start = ports.claims.register("turn", async ({ signals }) => {
    begun += 1;
    await untilAborted(signals.letGo);
  });
  await ports.claims.release();
  await start("t1", {});
  expect(await runs()).toEqual([{ turn_id: "t1", process: "1", run: 1 }]);
  expect(begun).toBe(0);
});
