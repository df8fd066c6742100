import { expect, test } from "vitest";
import { authenticateTestUser, createChatClient } from "../../../test/stages/chat-client.ts";
import { CITY, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { createDeferred } from "../../base/deadlines.ts";

function setUp() {
  const runtime = createTestRuntime(asking(CITY), { authenticate: authenticateTestUser });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const open = async () => {
    const { elicitations } = await (await ada.fetch("/run/api/elicitations?conversationId=c1")).json();
    return elicitations.map(({ elicitationId }: { elicitationId: string }) => elicitationId);
  };
  return { ada, open };
}

test("a copy of a message that arrives late gets the turn of the first one, and its question stays open", async () => {
  const { ada, open } = setUp();
  const first = await ada.send("c1", { startId: "message_1" });
  const { elicitationId } = await first.request();
  const copy = await ada.send("c1", { startId: "message_1" });
  expect((await copy.request()).elicitationId).toBe(elicitationId);
  expect(await open()).toEqual([elicitationId]);
  expect((await ada.answer("c1", { elicitationId, action: "decline" })).status).toBe(200);
  await Promise.all([first.done, copy.done]);
  expect(copy.chunks.map(({ type }) => type)).toEqual(first.chunks.map(({ type }) => type));
});

test("a message with another startId replaces the turn, and so does one without", async () => {
  const { ada, open } = setUp();
  for (const body of [{ startId: "message_1" }, { startId: "message_2" }, {}]) {
    const { elicitationId } = await (await ada.send("c1", body)).request();
    expect(await open()).toEqual([elicitationId]);
  }
});

test("the same startId starts a turn in each conversation", async () => {
  const { ada } = setUp();
  const [one, other] = await Promise.all(
    ["c1", "c2"].map(async (id) => (await ada.send(id, { startId: "message_1" })).request()),
  );
  expect(one?.elicitationId).not.toBe(other?.elicitationId);
});

test.each([1, "", "x".repeat(257)])("a client gets 400 for the startId %o", async (startId) => {
  const { ada } = setUp();
  expect((await ada.send("c1", { startId })).response.status).toBe(400);
});

test("a message whose client has disconnected before the turn is open starts none", async () => {
  const entered = createDeferred<void>();
  const goOn = createDeferred<void>();
  let runs = 0;
  const runtime = createTestRuntime(
    async function* run() {
      runs += 1;
      yield { type: "finish" };
    },
    {
      async authenticate(request) {
        entered.resolve();
        await goOn.promise;
        return authenticateTestUser(request);
      },
    },
  );
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const client = new AbortController();
  const body = { conversationId: "c1", messages: [{ id: "m1", role: "user", parts: [] }] };
  const sent = ada.fetch("/run/api/chat", { method: "POST", body, signal: client.signal });
  await entered.promise;
  client.abort();
  goOn.resolve();
  expect((await sent).status).toBe(503);
  expect(runs).toBe(0);
  expect(runtime.errors).toEqual([]);
});

test("a stop that names the message of an earlier turn does not stop the next one", async () => {
  const { ada, open } = setUp();
  const messageIdOf = async () => {
    const stream = await ada.send("c1");
    const { elicitationId } = await stream.request();
    return { elicitationId, messageId: String(stream.chunks[0]?.["messageId"]), stream };
  };
  const before = await messageIdOf();
  const now = await messageIdOf();
  const stop = (id: string) => ada.fetch(`/run/api/chat/c1/stop?messageId=${id}`, { method: "POST" });
  expect((await stop(before.messageId)).status).toBe(204);
  expect(await open()).toEqual([now.elicitationId]);
  expect((await stop(now.messageId)).status).toBe(204);
  expect(await open()).toEqual([]);
});

test("a copy of a message that arrives late does not use up the room for the next message of its conversation", async () => {
  const runtime = createTestRuntime(asking(CITY), { limits: { turns: { perPerson: 1 } } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  for (let sent = 0; sent < 2; sent += 1) {
    await (await ada.send("c1", { startId: "message_1" })).request();
  }
  const next = await ada.send("c1", { startId: "message_2" });
  expect(next.response.status).toBe(200);
  await next.request();
  await runtime.close();
});
