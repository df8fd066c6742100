/** These tests answer right after the process of the turn was killed. No sweep runs, unless a test says so. */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readStream } from "../stages/chat-client.ts";
import { createTestDatabase, startPorts } from "../stages/postgres-database.ts";
import { createSqlProxy } from "../stages/sql-proxy.ts";
import { answer, startServer } from "./server-process.ts";

const program = fileURLToPath(new URL("durable-server.ts", import.meta.url));
const NEVER_MS = 3_600_000;
const timeout = 120_000;

async function setUp() {
  const { url, query } = await createTestDatabase();
  await query("create table effects (what text not null, process integer not null)");
  // A turn that is blamed may be cleared a moment later.
  await query("create table blamed (run integer not null)");
  await query(
    "create function note_blame() returns trigger language plpgsql as 'begin if new.deaths > 0 then insert into public.blamed values (new.run); end if; return null; end'",
  );
  await query(
    "create trigger note_blame after update on elicit_kit.runs for each row execute function note_blame()",
  );
  const blamed = async () => (await query("select distinct run from blamed order by run")).rows;
  // Processes that start together with the database are not taken for dead.
  const isOld = "select pg_postmaster_start_time() < now() - interval '10 seconds' as is_old";
  await expect.poll(async () => (await query(isOld)).rows[0].is_old, { timeout }).toBe(true);
  const start = (sweepMs: number) => startServer(url, { program, sweepMs });
  const run = async () => (await query("select run, deaths from elicit_kit.runs")).rows;
  return { url, query, start, run, blamed };
}

test(
  "a turn whose process was killed while it asks continues with the answer in the next process, without a sweep",
  { timeout },
  async () => {
    const { query, start, run } = await setUp();
    const [first, second] = await Promise.all([start(NEVER_MS), start(NEVER_MS)]);
    const asked = await first.ada.send("two-1");
    asked.done.catch(() => {});
    const city = await asked.request();
    await first.kill();
    const locks =
      "select from pg_locks l join pg_database d on d.oid = l.database where locktype = 'advisory' and datname = current_database() and mode = 'ShareLock'";
    await expect.poll(async () => (await query(locks)).rows.length).toBe(1);
    const shown = readStream(await second.ada.fetch("/run/api/chat/two-1/stream"));
    expect((await second.ada.answer("two-1", { ...city, ...answer("Rome") })).status).toBe(200);
    const hotel = await shown.request(0, ({ message }) => message === "Which hotel?");
    expect(await run()).toEqual([{ run: 2, deaths: 0 }]);
    await second.ada.answer("two-1", { ...hotel, ...answer("Ritz") });
    await shown.done;
    const { rows } = await query("select what from effects where what like '%booked%' order by what");
    expect(rows.map(({ what }) => what)).toEqual(["two-1 booked Ritz", "two-1 booked Rome"]);
  },
);

test(
  "a turn that only waits is not blamed if its process dies right after the question",
  { timeout },
  async () => {
    const { start, run, blamed } = await setUp();
    const [first, second] = await Promise.all([start(NEVER_MS), start(200)]);
    const asked = await first.ada.send("two-1");
    asked.done.catch(() => {});
    await asked.request();
    await first.kill();
    await expect.poll(run, { timeout }).toEqual([{ run: 2, deaths: 0 }]);
    expect(await blamed()).toEqual([]);
    expect(second.log).toEqual([]);
  },
);

test(
  "a turn that works with its answer is blamed if its process dies, whether the kit has noted before that it waited or not",
  { tags: ["long"], timeout },
  async () => {
    const { query, start, blamed } = await setUp();
    const [first, second] = await Promise.all([start(NEVER_MS), start(200)]);
    const asked = await first.ada.send("recall-2");
    asked.done.catch(() => {});
    const city = await asked.request();
    expect(
      (await second.ada.answer("recall-2", { elicitationId: city.elicitationId, ...answer("Rome") })).status,
    ).toBe(200);
    const did = async () => (await query("select from effects where what = 'recall-2 got Rome'")).rows.length;
    await expect.poll(did).toBe(1);
    await first.kill();
    await expect.poll(blamed, { timeout }).toEqual([{ run: 2 }]);
  },
);

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

/** A turn that waits in one of two processes. Only the connection with the lock of that process can be cut. */
async function lockOnly() {
  const { url, query } = await setUp();
  const network = await createSqlProxy(url);
  const here = await startPorts(url, { sweepMs: NEVER_MS, directConnectionString: network.url });
  const there = await startPorts(url, { sweepMs: NEVER_MS });
  const process = async () => (await query("select process from elicit_kit.runs")).rows[0]?.process;
  const start = here.claims.register("turn", ({ signals }) => untilAborted(signals.letGo));
  there.claims.register("turn", ({ signals }) => untilAborted(signals.letGo));
  void start("t1", {});
  await expect.poll(process).toBeDefined();
  return { url, query, network, here, there, process };
}

test(
  "a process that has only lost its lock keeps its turn: its other connections show that it lives",
  { tags: ["long"], timeout },
  async () => {
    const { network, here, there, process } = await lockOnly();
    const before = await process();
    network.cut();
    await expect.poll(() => here.errors.length).toBeGreaterThan(0);
    expect(await there.claims.wake("t1")).toBe(false);
    await there.claims.idle();
    expect(await process()).toBe(before);
    network.open();
    await here.claims.release();
  },
);
