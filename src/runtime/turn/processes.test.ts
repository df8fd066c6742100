import { expect, test, vi } from "vitest";
import { authenticateTestUser, createChatClient } from "../../../test/stages/chat-client.ts";
import { CITY, CONNECT, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";
import {
  type RunTurn,
  createMemoryRecords,
  createMemoryTurnRunner,
  createMemoryTurnStream,
  createMemoryWaiter,
} from "../index.ts";
import { createDeferred, nextTask } from "../../base/deadlines.ts";
import { originalOf } from "../../base/foreign-error.ts";

/** Two processes that share only the state of their ports. The second has its own modules and event bus. */
async function setUp(runTurn: RunTurn = asking(CITY)) {
  const ports = {
    records: createMemoryRecords(),
    waiter: createMemoryWaiter(),
    stream: createMemoryTurnStream(),
    runner: createMemoryTurnRunner(),
  };
  // A separate object, so that only this process can lose access to the records.
  const records = { ...ports.records };
  const runtime = { ...createTestRuntime(runTurn, { ports: { ...ports, records } }), records };
  vi.resetModules();
  const elsewhere = await import("../index.ts");
  const other = elsewhere.createRuntime({
    ports: { ...ports, clock: runtime.clock },
    runTurn,
    authenticate: authenticateTestUser,
    allowedOrigins: ["https://chat.example.com"],
    onError: (error) => runtime.errors.push(error),
  });
  const here = createChatClient(runtime.fetch, { user: "ada" });
  const there = createChatClient(other.fetch, { user: "ada" });
  return { runtime, other, here, there, runner: ports.runner, log: ports.stream };
}

test("an answer may reach any process: the turn continues, and its stream shows the outcome once", async () => {
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

test("an answer from another process counts even if the records cannot be read to show its outcome", async () => {
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
  expect(down).toHaveBeenCalledTimes(2);
  expect(runtime.errors.map(originalOf)).toEqual([new Error("database down"), new Error("database down")]);
});

test("the stream shows an outcome at the end of the turn if the record could not be read before", async () => {
  const { runtime, here, there } = await setUp();
  const stream = await here.send("c1");
  const { elicitationId } = await stream.request();
  vi.spyOn(runtime.records, "get").mockRejectedValueOnce(new Error("database down"));
  const answer = { elicitationId, action: "accept", content: { city: "Rome" } };
  expect((await there.answer("c1", answer)).status).toBe(200);
  await stream.done;
  const parts = stream.chunks.filter(({ type }) => type === "data-elicitation-request");
  expect(parts).toMatchObject([{ data: {} }, { data: { resolution: { outcome: "accepted" } } }]);
});

test("the stream shows that outcome even if the log stores the question only after the turn has ended", async () => {
  const hasEnded = createDeferred<void>();
  const { runtime, log, here, there } = await setUp(async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    await turn.ask(CITY);
    hasEnded.resolve();
  });
  const isStored = createDeferred<void>();
  const { append } = log;
  vi.spyOn(log, "append").mockImplementation(async (turnId, chunk, lease) => {
    if (chunk.type === "data-elicitation-request") await isStored.promise;
    await append(turnId, chunk, lease);
  });
  const stream = await here.send("c1");
  const listOpen = () => runtime.elicitations.listOpen("c1", "ada");
  await expect.poll(listOpen).toHaveLength(1);
  const [asked] = await listOpen();
  vi.spyOn(runtime.records, "get").mockRejectedValueOnce(new Error("database down"));
  const answer = { ...asked?.request, action: "accept", content: { city: "Rome" } };
  expect((await there.answer("c1", answer)).status).toBe(200);
  await hasEnded.promise;
  await nextTask();
  isStored.resolve();
  await stream.done;
  const parts = stream.chunks.filter(({ type }) => type === "data-elicitation-request");
  expect(parts).toMatchObject([{ data: {} }, { data: { resolution: { outcome: "accepted" } } }]);
});

test("a reloaded page gets its turn from any process", async () => {
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

test("a stop that arrives in another process stops the turn and withdraws its request", async () => {
  const { runtime, here, there } = await setUp();
  const stream = await here.send("c1");
  const { elicitationId } = await stream.request();
  expect((await there.fetch("/run/api/chat/c1/stop", { method: "POST" })).status).toBe(204);
  expect((await runtime.elicitations.get(elicitationId))?.status).toBe("withdrawn");
  expect((await there.fetch("/run/api/chat/c1/stream")).status).toBe(204);
  await stream.done;
  expect(stream.chunks.at(-2)).toMatchObject({
    id: elicitationId,
    data: { resolution: { outcome: "withdrawn" } },
  });
  expect(stream.chunks.at(-1)).toEqual({ type: "abort" });
  expect(runtime.errors).toEqual([]);
});

test("a message that arrives in another process ends the previous turn before its own begins", async () => {
  const { runtime, here, there } = await setUp();
  const stream = await here.send("c1");
  const { elicitationId } = await stream.request();
  const next = await there.send("c1");
  const where = await next.request();
  expect((await runtime.elicitations.get(elicitationId))?.status).toBe("withdrawn");
  const { elicitations } = await (await here.fetch("/run/api/elicitations?conversationId=c1")).json();
  expect(elicitations).toEqual([where]);
  await stream.done;
  expect(stream.chunks.at(-1)).toEqual({ type: "abort" });
  await here.answer("c1", { ...where, action: "decline" });
  await next.done;
  expect(next.chunks).toContainEqual(expect.objectContaining({ delta: '{"outcome":"declined"}' }));
  expect(runtime.errors).toEqual([]);
});

test("a replaced turn that cannot be stopped while the database is away is stopped a second later", async () => {
  const { runtime, here, there, runner } = await setUp();
  const first = await here.send("c1");
  await first.request();
  vi.spyOn(runner, "stop").mockRejectedValueOnce(new Error("database down"));
  const second = await there.send("c1");
  await second.request();
  expect(runtime.errors).toHaveLength(1);
  runtime.clock.advance(1000);
  await first.done;
  expect(first.chunks).toContainEqual(
    expect.objectContaining({
      data: expect.objectContaining({ resolution: expect.objectContaining({ outcome: "withdrawn" }) }),
    }),
  );
});

test("progress that another process reports is written to the stream, once", async () => {
  const { runtime, other, here, there } = await setUp(asking({ ...CONNECT, acceptMeans: "consent" }));
  const stream = await here.send("c1");
  const { elicitationId } = await stream.request();
  await there.answer("c1", { elicitationId, action: "accept" });
  await expect
    .poll(() => stream.chunks.at(-1))
    .toMatchObject({ data: { progress: { status: "consented" } } });
  await other.elicitations.fail(elicitationId, "The page was closed.");
  await expect
    .poll(() => stream.chunks.at(-1))
    .toMatchObject({ data: { progress: { lastError: "The page was closed." } } });
  await other.elicitations.complete(elicitationId);
  await stream.done;
  expect(stream.chunks.filter(({ id }) => id === elicitationId)).toHaveLength(4);
  expect(runtime.errors).toEqual([]);
});
