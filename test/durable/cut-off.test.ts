import { expect, test } from "vitest";
import { readStream } from "../stages/chat-client.ts";
import { createDurableProcesses } from "../stages/durable-processes.ts";
import { LOCKS, createTestDatabase } from "../stages/postgres-database.ts";
import { createSqlProxy } from "../stages/sql-proxy.ts";
import { CITY, asking } from "../stages/test-runtime.ts";
import { answer, startServer } from "./server-process.ts";

/** The first process reaches the database through a network that can fail. */
async function setUp(sweepMs?: number) {
  const { url, query } = await createTestDatabase();
  const network = await createSqlProxy(url);
  const [first, second] = await Promise.all([
    startServer(network.url, { sweepMs }),
    startServer(url, { sweepMs }),
  ]);
  return { query, network, first, second };
}

test("a process whose connections break for a moment keeps its turns, and gets the answers that arrived in the meantime", async () => {
  // Longer than any reconnection takes here.
  const { network, first, second } = await setUp(5000);
  const stream = await first.ada.send("c1");
  const { elicitationId } = await stream.request();
  network.cut();
  const taken = await second.ada.answer("c1", { elicitationId, ...answer("Ada") });
  network.open();
  expect(taken.status).toBe(200);
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: "Ada", by: first.child.pid }));
  expect(stream.chunks.at(-1)).toEqual({ type: "finish" });
});

test("when a process is disconnected for long, another process ends its turns, and the first one writes nothing more", async () => {
  const { query, network, first, second } = await setUp();
  const stream = await first.ada.send("c1");
  stream.done.catch(() => {});
  const { elicitationId } = await stream.request();
  const locks = async () => (await query(LOCKS)).rows.length;
  const held = await locks();
  const shown = readStream(await second.ada.fetch("/run/api/chat/c1/stream"));
  await shown.request();
  network.cut();
  await shown.done;
  expect(shown.chunks.at(-1)).toMatchObject({ type: "error" });
  const entries = async () => (await query("select * from elicit_kit.log order by seq")).rows;
  const ended = await entries();
  network.open();
  // The process is back and accepts the next message. Without its lock, the other one would run the turn.
  await expect.poll(locks).toBe(held);
  const next = await first.ada.send("c1");
  const asked = await next.request();
  await second.ada.answer("c1", { elicitationId: asked.elicitationId, ...answer("Ada") });
  await next.done;
  expect(next.chunks).toContainEqual(expect.objectContaining({ delta: "Ada", by: first.child.pid }));
  const late = await first.ada.answer("c1", { elicitationId, ...answer("Ada") });
  expect(late.status).toBe(409);
  expect(await entries()).toEqual(expect.arrayContaining(ended));
  expect((await entries()).filter(({ turn_id }) => turn_id === ended[0]?.turn_id)).toEqual(ended);
});

test("a process that is cut off before it has stored a stop has withdrawn no request, so the turn continues elsewhere", async () => {
  const { startProcess, url } = await createDurableProcesses();
  const network = await createSqlProxy(url);
  const agent = asking({ ...CITY, expiresInMs: 600_000 });
  const [first, second] = await Promise.all([
    startProcess(agent, { connectionString: network.url, retryForMs: 300 }),
    startProcess(agent),
  ]);
  const stream = await first.ada.send("c1");
  stream.done.catch(() => {});
  const { elicitationId } = await stream.request();
  const shown = readStream(await second.ada.fetch("/run/api/chat/c1/stream"));

  const storing = network.holdNext(/set stop_reason/);
  const stopped = first.ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
  await storing;
  expect((await first.runtime.elicitations.get(elicitationId))?.status).toBe("pending");
  network.cut();
  await stopped;

  const answered = await second.ada.answer("c1", {
    elicitationId,
    action: "accept",
    content: { city: "Rome" },
  });
  expect(answered.status).toBe(200);
  await shown.done;
  expect(JSON.stringify(shown.chunks)).toContain("Rome");
  expect(shown.chunks.at(-1)).toEqual({ type: "finish" });
  // The first process can release its turns at the end of the test.
  network.open();
});
