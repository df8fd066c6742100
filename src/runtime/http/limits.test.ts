import { expect, test, vi } from "vitest";
import { type ReadStream, createChatClient } from "../../../test/stages/chat-client.ts";
import { CITY, asking, createTestRuntime, text } from "../../../test/stages/test-runtime.ts";
import { type RunTurn, createMemoryTurnStream } from "../index.ts";

/** Asks this number of questions in parallel and writes each outcome. */
function askingTimes(count: number): RunTurn {
  return async function* run(turn) {
    const asked = Array.from({ length: count }, (_, index) =>
      turn.ask({ ...CITY, tool: undefined, key: `${index}` }),
    );
    yield* text(JSON.stringify(await Promise.all(asked)));
  };
}

const FULL = {
  outcome: "failed",
  reason: "too many requests wait for the user already; they have to answer some of them first",
};

test("requests beyond the limit of a conversation are not shown, and the tool learns the reason", async () => {
  const runtime = createTestRuntime(askingTimes(4), { limits: { open: { perConversation: 3 } } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  await stream.request(2);
  const { elicitations } = await (await ada.fetch("/run/api/elicitations?conversationId=c1")).json();
  expect(elicitations).toHaveLength(3);
  for (const { elicitationId } of elicitations) await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  const declined = { outcome: "declined" };
  const said = JSON.stringify([declined, declined, declined, FULL]);
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: said }));
  expect(runtime.errors).toEqual([]);
});

test("one user cannot fill the server by asking in many conversations: ended requests free capacity, and other users can be asked", async () => {
  const runtime = createTestRuntime(asking(CITY), { limits: { open: { perPerson: 2 } } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const bob = createChatClient(runtime.fetch, { user: "bob" });
  const first = await (await ada.send("c1")).request();
  await (await ada.send("c2")).request();
  const full = await ada.send("c3");
  await full.done;
  expect(full.chunks).toContainEqual(expect.objectContaining({ delta: JSON.stringify(FULL) }));
  await (await bob.send("c1")).request();
  await ada.answer("c1", { elicitationId: first.elicitationId, action: "decline" });
  await vi.waitFor(async () => await (await ada.send("c4")).request());
  await runtime.close();
});

test("by default a hundred requests may wait for a user at once, fifty of them in one conversation", async () => {
  const runtime = createTestRuntime(askingTimes(60));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const streams: ReadStream[] = [];
  for (const [id, count] of [
    ["c1", 50],
    ["c2", 50],
    ["c3", 0],
  ] as const) {
    const stream = await ada.send(id);
    streams.push(stream);
    await (count > 0 ? stream.request(count - 1) : stream.done);
  }
  const open = await Promise.all(
    ["c1", "c2", "c3"].map(async (id) => {
      const list = await (await ada.fetch(`/run/api/elicitations?conversationId=${id}`)).json();
      return list.elicitations.length;
    }),
  );
  expect(open).toEqual([50, 50, 0]);
  await runtime.close();
  await Promise.all(streams.map(({ done }) => done));
});

test("messages without a session are counted by anonymousKey, and get 429 with a time to wait", async () => {
  const runtime = createTestRuntime(
    async function* run() {
      yield { type: "start" };
    },
    {
      limits: {
        writesPerMinute: 2,
        anonymousKey: (request) => request.headers.get("x-real-ip") ?? undefined,
      },
    },
  );
  const from = async (ip?: string) => {
    const headers = ip === undefined ? {} : { "x-real-ip": ip };
    return (await createChatClient(runtime.fetch, { headers }).send("c1")).response;
  };
  for (const ip of ["192.0.2.1", "192.0.2.2", undefined]) {
    expect((await from(ip)).status).toBe(200);
    expect((await from(ip)).status).toBe(200);
    const refused = await from(ip);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
    expect(refused.headers.get("retry-after")).toBe("60");
  }
  runtime.clock.advance(60_000);
  expect((await from("192.0.2.1")).status).toBe(200);
});

/** A message whose body is slightly larger than `bytes`. */
const long = (bytes: number) => ({
  messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "x".repeat(bytes) }] }],
});

test("the open turns of one user are limited, ended turns free capacity, and other users are not affected", async () => {
  const runtime = createTestRuntime(asking(CITY), { limits: { turns: { perPerson: 2 } } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const first = await ada.send("c1");
  const { elicitationId } = await first.request();
  await (await ada.send("c2")).request();
  const { response } = await ada.send("c3");
  expect(response.status).toBe(429);
  expect(response.headers.get("retry-after")).toBe("10");
  await (await createChatClient(runtime.fetch, { user: "bob" }).send("c3")).request();
  // A new message replaces the open turn of its conversation.
  await (await ada.send("c2")).request();
  expect((await ada.send("c3")).response.status).toBe(429);
  await ada.answer("c1", { elicitationId, action: "decline" });
  await first.done;
  await (await ada.send("c3")).request();
  await runtime.close();
  expect(runtime.errors).toEqual([]);
});

test("the total size of messages in the turns of one user is limited", async () => {
  const runtime = createTestRuntime(asking(CITY), { limits: { turns: { bytesPerPerson: 2500 } } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  await (await ada.send("c1", long(1000))).request();
  await (await ada.send("c2", long(1000))).request();
  expect((await ada.send("c3", long(1000))).response.status).toBe(429);
  await (await ada.send("c3")).request();
  expect((await ada.send("c2", long(1400))).response.status).toBe(429);
  await (await ada.send("c2", long(1000))).request();
  await ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
  await (await ada.send("c4", long(1000))).request();
  await runtime.close();
});

test("by default the turns of one user can have four times the size of the largest message", async () => {
  const runtime = createTestRuntime(asking(CITY));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const send = async (index: number) => (await ada.send(`c${index}`, long(1024 * 1000))).response.status;
  expect([await send(1), await send(2), await send(3), await send(4), await send(5)]).toEqual([
    200, 200, 200, 200, 429,
  ]);
  await runtime.close();
});

test("users without a session may use a quarter of the server's capacity, so that signed-in users have room", async () => {
  const runtime = createTestRuntime(
    async function* run(turn) {
      yield { type: "start" };
      await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
    },
    { limits: { turns: { bytes: 400 * 1024 } } },
  );
  const nobody = createChatClient(runtime.fetch);
  const open = [await nobody.send("c1", long(60_000))];
  const refused = await nobody.send("c2", long(60_000));
  expect(refused.response.status).toBe(503);
  expect(refused.response.headers.get("retry-after")).toBe("10");
  for (const user of ["ada", "bob", "cleo", "dan"]) {
    const { response } = await createChatClient(runtime.fetch, { user }).send("c1", long(50_000));
    expect(response.status).toBe(200);
  }
  const eve = createChatClient(runtime.fetch, { user: "eve" });
  expect((await eve.send("c1", long(60_000))).response.status).toBe(503);
  for (const stream of open) await stream.cancel();
  await vi.waitFor(async () => expect((await nobody.send("c2", long(60_000))).response.status).toBe(200));
  await runtime.close();
});

test("addresses without a session are counted separately by anonymousKey", async () => {
  const runtime = createTestRuntime(
    async function* run(turn) {
      yield { type: "start" };
      await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
    },
    {
      limits: {
        turns: { perPerson: 1 },
        anonymousKey: (request) => request.headers.get("x-real-ip") ?? undefined,
      },
    },
  );
  const from = async (ip: string, id: string) =>
    (await createChatClient(runtime.fetch, { headers: { "x-real-ip": ip } }).send(id)).response.status;
  expect([await from("192.0.2.1", "c1"), await from("192.0.2.1", "c2")]).toEqual([200, 429]);
  expect(await from("192.0.2.2", "c1")).toBe(200);
  await runtime.close();
});

test("a turn that could not be started frees its capacity", async () => {
  const stream = createMemoryTurnStream();
  let isDown = true;
  const runtime = createTestRuntime(asking(CITY), {
    limits: { turns: { perPerson: 1 } },
    ports: {
      stream: {
        ...stream,
        open: (...args) => (isDown ? Promise.reject(new Error("the log is down")) : stream.open(...args)),
      },
    },
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  expect((await ada.send("c1")).response.status).toBe(500);
  isDown = false;
  await (await ada.send("c2")).request();
  await runtime.close();
});

test("the streams of one user are limited over all routes, and closed streams free capacity", async () => {
  const runtime = createTestRuntime(asking(CITY));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const attach = () => ada.fetch("/run/api/chat/c1/stream");
  const first = await ada.send("c1");
  await first.request();
  const attached = [];
  for (let count = 1; count < 50; count += 1) attached.push(await attach());
  expect(new Set(attached.map(({ status }) => status))).toEqual(new Set([200]));
  const refused = await attach();
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("10");
  expect((await ada.send("c2")).response.status).toBe(429);
  expect((await ada.send("c2", { stream: false })).response.status).not.toBe(429);
  await (await createChatClient(runtime.fetch, { user: "bob" }).send("c1")).request();
  await attached.pop()?.body?.cancel();
  expect((await attach()).status).toBe(200);
  expect((await attach()).status).toBe(429);
  // All streams end with their turn, and a user who has read them to the end may open others.
  await runtime.elicitations.decline((await first.request()).elicitationId);
  await Promise.all([first.done, ...attached.map((response) => response.text())]);
  await (await ada.send("c2")).request();
  await runtime.close();
});
