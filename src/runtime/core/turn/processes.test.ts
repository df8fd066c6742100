import { expect, test, vi } from "vitest";
import { authenticateTestUser, createChatClient } from "../../testing/chat-client.ts";
import { CITY, asking, createTestRuntime } from "../../testing/test-runtime.ts";
import { createMemoryRecords, createMemoryTurnStream, createMemoryWaiter } from "../index.ts";

/** Two processes share what their ports keep, and nothing else: the other has modules, and a bus, of its own. */
async function setUp() {
  const ports = {
    records: createMemoryRecords(),
    waiter: createMemoryWaiter(),
    stream: createMemoryTurnStream(),
  };
  // An object of its own, so that only this process can be cut off from the records.
  const records = { ...ports.records };
  const runtime = { ...createTestRuntime(asking(CITY), { ...ports, records }), records };
  vi.resetModules();
  const elsewhere = await import("../index.ts");
  const other = elsewhere.createRuntime({
    ...ports,
    clock: runtime.clock,
    authenticate: authenticateTestUser,
    allowedOrigins: ["https://chat.example.com"],
    onError: (error) => runtime.errors.push(error),
  });
  const here = createChatClient(runtime.fetch, { user: "ada" });
  const there = createChatClient(other.fetch, { user: "ada" });
  return { runtime, here, there };
}

test("an answer may arrive in any process: the turn goes on with it, and its stream tells the end once", async () => {
  const { runtime, here, there } = await setUp();
  const stream = await here.send("c1");
  const { elicitationId } = await stream.request();
  const answer = { elicitationId, action: "accept", content: { city: "Rome" } };
  expect((await there.answer("c1", answer)).status).toBe(200);
  await stream.done;
  const parts = stream.chunks.filter(({ type }) => type === "data-elicitation-request");
  expect(parts).toMatchObject([{ data: {} }, { data: { resolution: { outcome: "accepted" } } }]);
  expect(stream.chunks).toContainEqual(
    expect.objectContaining({ delta: '{"outcome":"accepted","content":{"city":"Rome"}}' }),
  );
  expect(runtime.errors).toEqual([]);
});

test("an answer from another process counts even when the records cannot be read to show its end", async () => {
  const { runtime, here, there } = await setUp();
  const stream = await here.send("c1");
  const { elicitationId } = await stream.request();
  const down = vi.spyOn(runtime.records, "get").mockRejectedValue(new Error("database down"));
  const answer = { elicitationId, action: "accept", content: { city: "Rome" } };
  expect((await there.answer("c1", answer)).status).toBe(200);
  await stream.done;
  expect(stream.chunks).toContainEqual(
    expect.objectContaining({ delta: '{"outcome":"accepted","content":{"city":"Rome"}}' }),
  );
  expect(down).toHaveBeenCalledOnce();
  expect(runtime.errors).toEqual([new Error("database down")]);
});

test("a page that is loaded again gets its turn from any process", async () => {
  const { here, there } = await setUp();
  const stream = await here.send("c1");
  const { elicitationId } = await stream.request();
  const response = await there.fetch("/run/api/chat/c1/stream");
  expect(response.status).toBe(200);
  await here.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect(await response.text()).toContain('"declined"');
  expect((await there.fetch("/run/api/chat/c1/stream")).status).toBe(204);
});
