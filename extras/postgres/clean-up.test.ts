import { expect, test } from "vitest";
import { testRecord, testTurn } from "../../test/stages/test-ports.ts";
import { createTestDatabase, startPorts } from "../../test/stages/postgres-database.ts";

const { signal } = new AbortController();
const DAY = 24 * 60 * 60 * 1000;
const ROME = { outcome: "accepted", content: { city: "Rome" } } as const;

/** Creates ports and a function that lets time pass by moving all stored times into the past. */
async function setUp() {
  const { url, query } = await createTestDatabase();
  const ports = await startPorts(url);
  async function pass(interval: string): Promise<void> {
    for (const [table, column] of [
      ["records", "forget_at"],
      ["settlements", "settled_at"],
      ["turns", "forget_at"],
      ["turns", "ended_at"],
      ["turns", "opened_at"],
      ["secrets", "forget_at"],
      ["uses", "started_at"],
    ]) {
      await query(`update elicit_kit.${table} set ${column} = ${column} - interval '${interval}'`);
    }
  }
  async function count(table: string): Promise<number> {
    return (await counts(table))[0]!;
  }
  async function counts(...tables: string[]): Promise<number[]> {
    const columns = tables.map((table) => `(select count(*) from elicit_kit.${table})::integer`);
    const { rows } = await query(`select array[${columns.join()}] as n`);
    return rows[0].n;
  }
  return { ports, query, pass, count, counts };
}

test("an ended record is kept for 24 hours, and an open one for 24 hours after its expiry", async () => {
  const { ports, pass, count } = await setUp();
  const now = Date.now();
  const ended = await ports.records.create(testRecord());
  await ports.records.compareAndSet({ ...ended, revision: 1, status: "declined", endedAt: now });
  await ports.records.create(testRecord({ expiresAt: now + DAY }));
  await ports.cleanUp();
  expect(await count("records")).toBe(2);
  await pass("24 hours");
  await ports.cleanUp();
  expect(await count("records")).toBe(1);
  await pass("24 hours");
  await ports.cleanUp();
  expect(await count("records")).toBe(0);
});

test("an answer's content is deleted ten minutes after the answer, but not while its turn is open", async () => {
  const { ports, pass, count } = await setUp();
  const turn = testTurn({ keepMs: 0 });
  await ports.stream.open(turn, { replace: true });
  const lease = await ports.stream.lease(turn.turnId);
  const ofTurn = await ports.records.create(testRecord({ turnId: turn.turnId, expiresAt: Date.now() + DAY }));
  const other = await ports.records.create(testRecord());
  await ports.waiter.settle(ofTurn.request.elicitationId, ROME);
  await ports.waiter.settle(other.request.elicitationId, ROME);
  await ports.cleanUp();
  expect(await count("settlements")).toBe(2);
  await pass("11 minutes");
  await ports.cleanUp();
  expect(await count("settlements")).toBe(1);
  expect(await ports.waiter.wait(ofTurn.request.elicitationId, { signal })).toEqual(ROME);
  await ports.stream.close(turn.turnId, lease);
  await ports.cleanUp();
  expect(await count("settlements")).toBe(0);
});

test("a request that was answered days ago is kept while its turn waits for another answer", async () => {
  const { ports, pass, count } = await setUp();
  const turn = testTurn({ keepMs: 0 });
  await ports.stream.open(turn, { replace: true });
  const lease = await ports.stream.lease(turn.turnId);
  const asked = await ports.records.create(testRecord({ turnId: turn.turnId }));
  const { elicitationId } = asked.request;
  await ports.records.compareAndSet({ ...asked, revision: 1, status: "accepted", endedAt: Date.now() }, ROME);
  await pass("3 days");
  await ports.cleanUp();
  // When the other request is answered, the turn runs again and asks this question again.
  expect(await ports.records.create(asked)).toMatchObject({ status: "accepted" });
  expect(await ports.waiter.wait(elicitationId, { signal })).toEqual(ROME);
  await ports.stream.close(turn.turnId, lease);
  await ports.cleanUp();
  expect(await count("records")).toBe(0);
});

test("the log of an ended turn is deleted with all its rows", async () => {
  const { ports, pass, count, counts } = await setUp();
  const turn = testTurn({ keepMs: 60_000, startId: "s1" });
  await ports.stream.open(turn, { replace: true });
  const lease = await ports.stream.lease(turn.turnId);
  for (const type of ["a", "b", "c"]) await ports.stream.append(turn.turnId, { type }, lease);
  await ports.stream.close(turn.turnId, lease);
  await ports.stream.open(testTurn(), { replace: true });
  await pass("5 minutes");
  await ports.cleanUp();
  expect(await count("log")).toBe(3);
  await pass("2 minutes");
  await ports.cleanUp();
  expect(await counts("turns", "log", "conversations")).toEqual([1, 0, 1]);
});

test("a turn that no process has started to run is closed after a day", async () => {
  const { ports, pass } = await setUp();
  const turn = testTurn();
  const run = testTurn();
  for (const key of [turn, run]) await ports.stream.open(key, { replace: true });
  await ports.stream.lease(run.turnId);
  await pass("25 hours");
  await ports.cleanUp();
  expect(await ports.stream.get(turn.turnId)).toBeUndefined();
  expect(await ports.stream.get(run.turnId)).toMatchObject({ ended: false });
});

test("a turn without a process is closed a day later if the process that stopped it has died before it could end it", async () => {
  const { ports, pass } = await setUp();
  const [planned, begun] = [testTurn(), testTurn()];
  for (const turn of [planned, begun]) await ports.stream.open(turn, { replace: true });
  await ports.stream.lease(begun.turnId);
  for (const { turnId } of [planned, begun]) expect(await ports.runner.stop(turnId, "stopped")).toBe(false);
  await ports.cleanUp();
  expect(await ports.stream.get(begun.turnId)).toMatchObject({ ended: false });
  await pass("25 hours");
  await ports.cleanUp();
  for (const { turnId } of [planned, begun]) expect(await ports.stream.get(turnId)).toBeUndefined();
});

test("unfinished sign-ins and old rate counts are deleted", async () => {
  const { ports, pass, counts } = await setUp();
  await ports.transactions.put("state-1", {
    elicitationId: "e1",
    toolId: "tracker",
    userId: "ada",
    data: {},
    redirectUri: "https://auth.example.com/cb",
    expiresAt: Date.now() + 60_000,
  });
  await ports.credentials.set("tracker", "ada", { accessToken: "t" });
  await ports.writeLimit("user ada", 1, 10);
  await pass("3 minutes");
  await ports.cleanUp();
  expect(await counts("secrets", "uses")).toEqual([1, 0]);
});

test("clean-up deletes more rows than one statement can, even when several processes run it at once", async () => {
  const { ports, query, pass, count } = await setUp();
  await query(
    "insert into elicit_kit.settlements (id, settlement) select 'e' || n, '{}' from generate_series(1, 2500) n",
  );
  await pass("11 minutes");
  const deleted = await Promise.all([1, 2, 3].map(() => ports.cleanUp()));
  expect(deleted.reduce((sum, n) => sum + n, 0)).toBe(2500);
  expect(await count("settlements")).toBe(0);
});

test("when one table cannot be cleaned, the others are, and the clean-up rejects", async () => {
  const { ports, query, pass, count } = await setUp();
  const turn = testTurn({ keepMs: 0 });
  await ports.stream.open(turn, { replace: true });
  const lease = await ports.stream.lease(turn.turnId);
  await ports.stream.close(turn.turnId, lease);
  await pass("1 day");
  await query("alter table elicit_kit.settlements rename to other");
  await expect(ports.cleanUp()).rejects.toThrow("elicit-kit: ");
  expect(await count("turns")).toBe(0);
});
