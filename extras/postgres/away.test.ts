import { Pool } from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { createDeferred } from "../../src/base/deadlines.ts";
import type { Turn } from "../../src/runtime/index.ts";
import { authenticateTestUser, createChatClient } from "../../test/stages/chat-client.ts";
import { createTestDatabase, startPorts } from "../../test/stages/postgres-database.ts";
import { createSqlProxy } from "../../test/stages/sql-proxy.ts";
import { CITY, asking, createTestRuntime, text } from "../../test/stages/test-runtime.ts";

test.each(["cut", "freeze"] as const)(
  "while the network to the database is away (%s), clients get 503 with Retry-After within two seconds, and an answer is accepted afterwards",
  async (outage) => {
    const { url } = await createTestDatabase();
    const network = await createSqlProxy(url);
    const ports = await startPorts(network.url, { retryForMs: undefined });
    const runtime = createTestRuntime(asking(CITY), { ports, authenticate: authenticateTestUser });
    const ada = createChatClient(runtime.fetch, { user: "ada" });
    const stream = await ada.send("c1");
    stream.done.catch(() => {});
    const { elicitationId } = await stream.request();
    network[outage]();
    const answer = { elicitationId, action: "accept", content: { city: "Rome" } } as const;
    const requests = [
      () => ada.answer("c1", answer),
      () => ada.fetch("/run/api/elicitations?conversationId=c1"),
      () => ada.fetch("/run/api/chat/c1/stream"),
      () => ada.fetch("/run/api/chat/c1/stop", { method: "POST" }),
    ];
    for (const request of requests) {
      const { status, headers } = await request();
      expect([status, headers.get("retry-after")]).toEqual([503, "2"]);
    }
    network.open();
    await expect.poll(async () => (await ada.answer("c1", answer)).status, { interval: 500 }).toBe(200);
    await runtime.close();
  },
);

/** A durable turn that waits, with a pool of the application that has three idle sessions. */
async function waitOnPool({ runTurn = asking(CITY), retryForMs = 10_000 } = {}) {
  const { url, query } = await createTestDatabase();
  // One session is for notifications.
  const pool = new Pool({
    connectionString: url,
    max: 4,
    query_timeout: 5000,
    connectionTimeoutMillis: 5000,
  });
  onTestFinished(() => pool.end());
  const ports = await startPorts(url, {
    connectionString: undefined,
    pool,
    durable: true,
    retryForMs,
  });
  const runtime = createTestRuntime(runTurn, { ports, authenticate: authenticateTestUser });
  onTestFinished(() => runtime.close());
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  async function withSessions(statement: string): Promise<void> {
    const sessions = await Promise.all([1, 2, 3].map(() => pool.connect()));
    for (const session of sessions) await session.query(statement);
    for (const session of sessions) session.release();
  }
  /** Answers, and returns what the user and the operator see. */
  async function answer() {
    const content = { city: "Rome" };
    const { status } = await ada.answer("c1", { elicitationId, action: "accept", content });
    await stream.done;
    return { status, end: stream.chunks.at(-1), errors: runtime.errors };
  }
  return { ada, elicitationId, pool, query, stream, withSessions, answer };
}

const FINE = { status: 200, end: { type: "finish" }, errors: [] };

test("sessions that a failover has left read-only are not used again: answers are taken, and the turn ends", async () => {
  const { withSessions, answer } = await waitOnPool();
  await withSessions("set default_transaction_read_only = on");
  expect(await answer()).toEqual(FINE);
});

test("sessions that PostgreSQL has ended because they were idle (57P05) are replaced, and nobody gets an error", async () => {
  const { pool, withSessions, answer } = await waitOnPool();
  let ended = 0;
  pool.on("remove", () => (ended += 1));
  await withSessions("set idle_session_timeout = '50ms'");
  await expect.poll(() => ended).toBeGreaterThanOrEqual(3);
  expect(await answer()).toEqual(FINE);
});

test("while the pool of the application cannot connect, for whatever reason, clients get 503, and the turn continues afterwards", async () => {
  const answered = createDeferred<void>();
  const goOn = createDeferred<void>();
  async function* runTurn(turn: Turn) {
    await turn.ask(CITY);
    answered.resolve();
    await goOn.promise;
    yield* text("Booked.");
  }
  const { ada, elicitationId, pool, query, stream } = await waitOnPool({ runTurn, retryForMs: 0 });
  stream.done.catch(() => {});
  const answer = { elicitationId, action: "accept", content: { city: "Rome" } };
  expect((await ada.answer("c1", answer)).status).toBe(200);
  await answered.promise;
  // As the password of a cloud, which the pool asks a service for.
  const refuses = vi.fn().mockRejectedValue(new Error("The service of the token does not reply."));
  const connecting = vi.spyOn(pool, "connect").mockImplementation(refuses);
  goOn.resolve();
  // The turn tries once, and so do the sweeps, again and again.
  await expect.poll(() => connecting.mock.calls.length).toBeGreaterThan(10);
  const { status, headers } = await ada.fetch("/run/api/elicitations?conversationId=c1");
  expect([status, headers.get("retry-after")]).toEqual([503, "2"]);
  connecting.mockRestore();
  const end = async () =>
    (await query("select chunk::json as chunk from elicit_kit.log order by seq desc limit 1")).rows[0]?.chunk;
  await expect.poll(async () => (await end())?.type).toMatch(/^(finish|error|abort)$/);
  expect(await end()).toEqual({ type: "finish" });
});
