/** These tests answer right after the process of the turn was killed. No sweep runs, unless a test says so. */
import { fileURLToPath } from "node:url";
import { Pool } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { readStream } from "../stages/chat-client.ts";
import { LOCKS, createTestDatabase, startPorts } from "../stages/postgres-database.ts";
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
    await expect.poll(async () => (await query(LOCKS)).rows.length).toBe(1);
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

test.for([
  { when: "while it waits", sweeps: [200, NEVER_MS], isFrozen: false, how: "without a sweep" },
  { when: "before it noted that it waits", sweeps: [NEVER_MS, 200], isFrozen: false, how: "after a sweep" },
  {
    when: "before the model got its answer",
    sweeps: [200, 200],
    isFrozen: true,
    how: "after a sweep",
  },
] as const)(
  "a turn that asked in the background, whose process was killed $when, continues with the answer $how, and asks once",
  { timeout },
  async ({ sweeps, isFrozen }) => {
    const { query, start, run } = await setUp();
    const [first, second] = await Promise.all([start(sweeps[0]), start(sweeps[1])]);
    const asked = await first.ada.send("later-1");
    asked.done.catch(() => {});
    const city = await asked.request();
    // The end of a step follows the record of its model call.
    await expect.poll(() => asked.chunks.filter(({ type }) => type === "finish-step")).toHaveLength(3);
    // It began to wait without a new question, so only a sweep notes that it waits.
    const working = async () => (await query("select working from elicit_kit.runs")).rows;
    await expect.poll(working).toEqual([{ working: sweeps[0] === NEVER_MS }]);
    // A frozen process does not read the answer.
    if (isFrozen) first.child.kill("SIGSTOP");
    else await first.kill();
    if (!isFrozen) await expect.poll(async () => (await query(LOCKS)).rows.length).toBe(1);
    const rome = { elicitationId: city.elicitationId, ...answer("Rome") };
    expect((await second.ada.answer("later-1", rome)).status).toBe(200);
    await first.kill();
    const shown = readStream(await second.ada.fetch("/run/api/chat/later-1/stream"));
    await shown.done;
    await expect.poll(run).toEqual([]);
    const outputs = shown.chunks.filter(({ type }) => type === "tool-output-available");
    expect(outputs.at(-1)).toMatchObject({ toolCallId: "call_0_0", output: { answer: "Rome" } });
    const requests = shown.chunks.filter(({ type }) => type === "data-elicitation-request");
    expect(new Set(requests.map(({ id }) => id))).toEqual(new Set([city.elicitationId]));
    const { rows } = await query("select what from effects order by what");
    expect(rows.map(({ what }) => what)).toEqual([
      ...Array.from({ length: 4 }, () => "later-1 asked the model"),
      "later-1 kept",
      "later-1 worked",
    ]);
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
async function lockOnly({ ownPool = false } = {}) {
  const { url, query } = await setUp();
  const network = await createSqlProxy(url);
  const pool = ownPool ? new Pool({ connectionString: url }) : undefined;
  if (pool !== undefined) onTestFinished(() => pool.end());
  const here = await startPorts(url, {
    sweepMs: NEVER_MS,
    directConnectionString: network.url,
    ...(pool !== undefined && { connectionString: undefined, pool }),
  });
  const there = await startPorts(url, { sweepMs: NEVER_MS });
  const process = async () => (await query("select process from elicit_kit.runs")).rows[0]?.process;
  const start = here.claims.register("turn", ({ signals }) => untilAborted(signals.letGo));
  there.claims.register("turn", ({ signals }) => untilAborted(signals.letGo));
  void start("t1", {});
  await expect.poll(process).toBeDefined();
  // A turn that works is suspect, and claimed only by a sweep.
  await query("update elicit_kit.runs set working = false");
  return { network, here, there, process };
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

test(
  "a process with a pool of the application that has lost its lock loses its turn to the one that gets the answer",
  { tags: ["long"], timeout },
  async () => {
    const { network, here, there, process } = await lockOnly({ ownPool: true });
    const before = await process();
    network.cut();
    await expect.poll(() => here.errors.length).toBeGreaterThan(0);
    expect(await there.claims.wake("t1")).toBe(false);
    await expect.poll(process).not.toBe(before);
    network.open();
    // It learns from its next sweep, or from its next statement, that it has lost the turn.
    expect(await here.claims.check({ turnId: "t1", run: 1 })).toBe(false);
    await there.claims.release();
  },
);
