import { expect, onTestFinished, test, vi } from "vitest";
import type { TurnSignals } from "../../../src/runtime/internal.ts";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";
import { createSqlProxy } from "../../../test/stages/sql-proxy.ts";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { createDatabaseClock } from "../database/database-clock.ts";
import { createDatabase } from "../database/database.ts";
import { keyOf } from "../database/keys.ts";
import { connectPool } from "../database/pool.ts";
import { CITY, CONNECT, asking, createTestRuntime, text } from "../../../test/stages/test-runtime.ts";

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

/** Runtimes that the database sees as separate processes. Their agent reports what it does. */
async function setUp() {
  const { url } = await createTestDatabase();
  async function startProcess() {
    const did: string[] = [];
    const ports = await startPorts(url);
    const runtime = createTestRuntime(
      async function* run(turn) {
        yield { type: "start" };
        turn.signal.addEventListener("abort", () => did.push("aborted"));
        const question = turn.conversationId === "connect" ? CONNECT : CITY;
        yield* text(JSON.stringify(await turn.ask({ ...question, expiresInMs: 120_000 })));
      },
      { ports, onTurnEnd: () => void did.push("kept") },
    );
    const ada = createChatClient(runtime.fetch, { user: "ada" });
    return { runtime, ports, did, ada };
  }
  return { startProcess };
}

const ROME = { action: "accept", content: { city: "Rome" } };

test("any process can handle an answer, a reload or a status read", async () => {
  const { startProcess } = await setUp();
  const [here, there] = [await startProcess(), await startProcess()];
  const stream = await here.ada.send("c1");
  const { elicitationId } = await stream.request();
  const reload = await there.ada.fetch("/run/api/chat/c1/stream");
  expect((await there.ada.fetch(`/run/api/elicitations/${elicitationId}`)).status).toBe(200);
  expect((await there.ada.answer("c1", { elicitationId, ...ROME })).status).toBe(200);
  expect((await there.ada.answer("c1", { elicitationId, action: "decline" })).status).toBe(409);
  await stream.done;
  expect(stream.chunks.map(({ type }) => type)).toEqual([
    "start",
    "data-elicitation-request",
    "data-elicitation-request",
    "text-start",
    "text-delta",
    "text-end",
    "finish",
  ]);
  expect(await reload.text()).toContain("Rome");
  expect(here.did).toEqual(["aborted", "kept"]);
  expect([...here.runtime.errors, ...there.runtime.errors]).toEqual([]);
});

test("a turn can be stopped from any process, and the reason may be one that PostgreSQL cannot store as text", async () => {
  const { startProcess } = await setUp();
  const [here, there] = [await startProcess(), await startProcess()];
  const stream = await here.ada.send("c1");
  const { elicitationId } = await stream.request();
  const turnId = await here.ports.stream.find("c1", "ada");
  expect(await there.ports.runner.stop(turnId ?? "", "left\u0000 the \ud800 page")).toBe(true);
  await stream.done;
  expect((await there.runtime.elicitations.get(elicitationId))?.reason).toBe("left\ufffd the \ufffd page");
  expect([...here.runtime.errors, ...there.runtime.errors]).toEqual([]);
});

test("a stop that arrives in another process ends the turn, keeps the history and withdraws the request", async () => {
  const { startProcess } = await setUp();
  const [here, there] = [await startProcess(), await startProcess()];
  const stream = await here.ada.send("c1");
  const { elicitationId } = await stream.request();
  expect((await there.ada.fetch("/run/api/chat/c1/stop", { method: "POST" })).status).toBe(204);
  await stream.done;
  expect(stream.chunks.at(-1)).toEqual({ type: "abort" });
  expect((await there.runtime.elicitations.get(elicitationId))?.status).toBe("withdrawn");
  await expect.poll(() => here.did).toEqual(["aborted", "kept"]);
  expect((await there.ada.fetch("/run/api/chat/c1/stream")).status).toBe(204);
  expect([...here.runtime.errors, ...there.runtime.errors]).toEqual([]);
});

test("a message that arrives in another process ends the previous turn before the new one starts", async () => {
  const { startProcess } = await setUp();
  const [here, there] = [await startProcess(), await startProcess()];
  const stream = await here.ada.send("c1");
  const { elicitationId } = await stream.request();
  const next = await there.ada.send("c1");
  const newer = await next.request();
  expect((await here.runtime.elicitations.get(elicitationId))?.status).toBe("withdrawn");
  await stream.done;
  expect(stream.chunks.at(-1)).toEqual({ type: "abort" });
  expect((await here.ada.answer("c1", { elicitationId: newer.elicitationId, ...ROME })).status).toBe(200);
  await next.done;
  expect(here.did).toEqual(["aborted", "kept"]);
  expect([...here.runtime.errors, ...there.runtime.errors]).toEqual([]);
});

test("the hosted page can complete a connection in a process other than that of the chat", async () => {
  const { startProcess } = await setUp();
  const [here, there] = [await startProcess(), await startProcess()];
  const stream = await here.ada.send("connect");
  const { elicitationId } = await stream.request();
  await there.runtime.elicitations.fail(elicitationId, "The window was closed.");
  await expect
    .poll(() => stream.chunks.at(-1))
    .toMatchObject({ data: { progress: { lastError: "The window was closed." } } });
  let stored = 0;
  const completed = await Promise.all(
    [here, there, there].map(({ runtime }) =>
      runtime.elicitations.complete(elicitationId, async () => void (stored += 1)),
    ),
  );
  expect(completed.filter(Boolean)).toHaveLength(1);
  expect(stored).toBe(1);
  await stream.done;
  expect(stream.chunks).toContainEqual(
    expect.objectContaining({ delta: expect.stringContaining("accepted") }),
  );
});

test("a process whose clock is five minutes fast does not expire a request early", async () => {
  const { url } = await createTestDatabase();
  const [here, there] = [await startPorts(url), await startPorts(url)];
  const { now } = Date;
  vi.spyOn(Date, "now").mockImplementation(() => now() + 300_000);
  onTestFinished(() => void vi.restoreAllMocks());
  const pool = await connectPool(url, 1);
  const clock = await createDatabaseClock(createDatabase(pool, { schema: "elicit_kit" }), {
    onSweep: () => {},
  });
  await pool.end();
  expect(Math.abs(clock.now() - here.clock.now())).toBeLessThan(10_000);
  const chat = createTestRuntime(asking(CITY), { ports: here, timeToAnswer: { expiresInMs: 120_000 } });
  const other = createTestRuntime(asking(CITY), { ports: { ...there, clock } });
  const stream = await createChatClient(chat.fetch, { user: "ada" }).send("c1");
  const { elicitationId } = await stream.request();
  const answered = await createChatClient(other.fetch, { user: "ada" }).answer("c1", {
    elicitationId,
    ...ROME,
  });
  expect(answered.status).toBe(200);
  await stream.done;
});

test("a turn that is stopped before it runs ends without running the agent", async () => {
  const { url, query } = await createTestDatabase();
  const [here, there] = [await startPorts(url), await startPorts(url)];
  const reasons: unknown[] = [];
  const start = here.runner.register<string>("test", async (_id, input, { stop }) => {
    reasons.push(input, stop.reason?.message);
  });
  there.runner.register("test", async () => {});
  expect(await there.runner.stop("t1", "No longer wanted.")).toBe(false);
  await start("t1", "hello");
  expect(reasons).toEqual(["hello", "No longer wanted."]);
  expect((await query("select * from elicit_kit.runs")).rows).toEqual([]);
});

test("a process that has lost its lock does not run a turn that it has claimed, and can still stop it", async () => {
  const { url, query } = await createTestDatabase();
  const network = await createSqlProxy(url);
  const here = await startPorts(url, { sweepMs: 3_600_000, directConnectionString: network.url });
  const start = here.claims.register("turn", ({ signals }) => untilAborted(signals.letGo));
  void start("t0", {});
  await expect.poll(async () => (await query("select from elicit_kit.runs")).rows).toHaveLength(1);
  // The process has claimed t1 and has not received the reply yet.
  await query(
    "insert into elicit_kit.runs (turn_id, name, input, process, run, version) select $1, name, input, process, 1, version from elicit_kit.runs",
    [keyOf("t1")],
  );
  network.cut();
  const locks =
    "select from pg_locks l join pg_database d on d.oid = l.database where l.locktype = 'advisory' and d.datname = current_database()";
  await expect.poll(async () => (await query(locks)).rows).toEqual([]);
  expect(await here.claims.stop("t1", "Stop.")).toBe(true);
  const { rows } = await query("select process, stop_reason from elicit_kit.runs order by stop_reason");
  expect(rows).toEqual([
    { process: rows[1]!["process"], stop_reason: "Stop." },
    { process: rows[0]!["process"], stop_reason: null },
  ]);
  network.open();
  await here.claims.release();
});

test("closing a runtime and its ports leaves no open turn in the database", async () => {
  const { url, query } = await createTestDatabase();
  const ports = await startPorts(url);
  const runtime = createTestRuntime(asking(CITY), { ports });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const streams = await Promise.all(["c1", "c2", "c3"].map((id) => ada.send(id)));
  await Promise.all(streams.map((stream) => stream.request()));
  expect((await query("select turn_id from elicit_kit.runs")).rows).toHaveLength(3);
  await runtime.close();
  await ports.close();
  expect((await query("select turn_id from elicit_kit.runs")).rows).toEqual([]);
  expect((await query("select id from elicit_kit.records where is_open")).rows).toEqual([]);
  expect([...runtime.errors, ...ports.errors]).toEqual([]);
});

test("a turn runs in one process at a time", async () => {
  const { url } = await createTestDatabase();
  const [here, there] = [await startPorts(url), await startPorts(url)];
  let isRunning = 0;
  const body = async (_id: string, _input: string, { stop }: TurnSignals) => {
    isRunning += 1;
    await new Promise((resolve) => stop.addEventListener("abort", resolve));
  };
  const [start, other] = [here, there].map(({ runner }) => runner.register("test", body));
  const running = start!("t1", "");
  await expect.poll(() => isRunning).toBe(1);
  await expect(other!("t1", "")).rejects.toThrow("another process already runs this turn");
  expect(await there.runner.stop("t1", "Stop.")).toBe(true);
  await running;
  expect(isRunning).toBe(1);
});

test("an expiry in one process ends the wait in the other", async () => {
  const { url } = await createTestDatabase();
  const [here, there] = [await startPorts(url), await startPorts(url)];
  // The timers of the process that runs the turn never fire, so it does not see that time passes.
  const clock = { ...here.clock, after: () => () => {} };
  const chat = createTestRuntime(asking(CITY), {
    ports: { ...here, clock },
    timeToAnswer: { expiresInMs: 50 },
  });
  const other = createTestRuntime(asking(CITY), { ports: there });
  const stream = await createChatClient(chat.fetch, { user: "ada" }).send("c1");
  const { elicitationId } = await stream.request();
  const ada = createChatClient(other.fetch, { user: "ada" });
  await expect
    .poll(async () => (await (await ada.fetch(`/run/api/elicitations/${elicitationId}`)).json()).status)
    .toBe("expired");
  await stream.done;
  expect(stream.chunks).toContainEqual(
    expect.objectContaining({ delta: expect.stringContaining("expired") }),
  );
});

test("writes beyond the limit are refused in any process", async () => {
  const { url } = await createTestDatabase();
  const run = async function* run() {
    yield* text("Hello");
  };
  const clients = await Promise.all(
    [1, 2].map(async () => {
      const runtime = createTestRuntime(run, {
        ports: await startPorts(url),
        limits: { writesPerMinute: 5 },
      });
      return createChatClient(runtime.fetch, { user: "ada" });
    }),
  );
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    const response = await clients[n % 2]!.fetch(`/run/api/chat/c${n}/stop`, { method: "POST" });
    statuses.push(response.status);
  }
  expect(statuses).toEqual([204, 204, 204, 204, 204, 429]);
});

test("a process that comes back with an old run of a turn cannot write to the log of the latest run", async () => {
  const { url } = await createTestDatabase();
  const [here, there] = [await startPorts(url), await startPorts(url)];
  const turn = { turnId: "t1", conversationId: "c1", userId: "ada", surface: "chat", keepMs: 60_000 };
  const isHere = createDeferred<void>();
  const isThere = createDeferred<void>();
  const register = (ports: typeof here, isRunning: typeof isHere) =>
    ports.claims.register("turn", async ({ signals }) => {
      isRunning.resolve();
      await untilAborted(signals.letGo);
    });
  const start = register(here, isHere);
  register(there, isThere);
  await here.stream.open(turn, { replace: true });
  void start("t1", {});
  await isHere.promise;
  await here.claims.release();
  await there.claims.wake("t1");
  await isThere.promise;

  const latest = await there.stream.lease("t1", 2);
  const old = await here.stream.lease("t1", 1);
  expect(old.lost.aborted).toBe(true);
  await there.stream.append("t1", { type: "start" }, latest);
  await expect(here.stream.append("t1", { type: "start" }, old)).rejects.toThrow("taken over");
  await there.claims.release();
});

test("a process that has lost its connection twice does not take a turn of another process that is about to reconnect", async () => {
  const { url } = await createTestDatabase();
  const [networkHere, networkThere] = [await createSqlProxy(url), await createSqlProxy(url)];
  const sweepMs = 3_600_000;
  const here = await startPorts(url, { sweepMs, directConnectionString: networkHere.url });
  const there = await startPorts(url, { sweepMs, directConnectionString: networkThere.url });
  const isHere = createDeferred<void>();
  let isTaken = false;
  const start = here.claims.register("turn", async ({ signals }) => {
    isHere.resolve();
    await untilAborted(signals.letGo);
  });
  there.claims.register("turn", async () => void (isTaken = true));
  void start("t1", {});
  await isHere.promise;
  networkHere.cut();
  for (let time = 1; time <= 4; time += 1) {
    const waiting = there.waiter.wait(`e${time}`, { signal: new AbortController().signal });
    networkThere.cut();
    await expect.poll(() => there.errors.length).toBeGreaterThanOrEqual(time);
    await here.waiter.settle(`e${time}`, { outcome: "declined" });
    networkThere.open();
    // The previous sweep has ended.
    await waiting;
  }
  expect(isTaken).toBe(false);
  await here.claims.release();
});
