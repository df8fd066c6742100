import { expect, test } from "vitest";
import { CHAT_ORIGIN, createChatClient } from "../../../test/stages/chat-client.ts";
import { CITY, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";

const ADA = { authorization: "Bearer ada" };
const COOKIE = { cookie: "user=ada" };
const JSON_TYPE = { "content-type": "application/json" };

/** An HTTP request whose body records whether reading has begun. */
function watched(path: string, headers: Record<string, string>) {
  let isRead = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        isRead = true;
        controller.enqueue(new TextEncoder().encode("{"));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const init: RequestInit & { duplex: "half" } = { method: "POST", headers, body, duplex: "half" };
  return { request: new Request(`https://runtime.example.com${path}`, init), isRead: () => isRead };
}

const CHATS = ["/run/api/chat", "/run/v1/chat/completions"];
const ANSWERS = ["/run/api/elicitation-responses", "/run/api/elicitations/some-id/bind"];
const FOREIGN = { origin: "https://evil.example.com" };
const HUGE = { "content-length": "99999999" };

/** Each HTTP request also has all the faults that are checked after its own. */
const REFUSALS: readonly [number, readonly string[], Record<string, string>][] = [
  [401, ANSWERS, { ...FOREIGN, ...HUGE }],
  [403, [...ANSWERS, ...CHATS], { ...COOKIE, ...FOREIGN, ...HUGE }],
  [415, [...ANSWERS, ...CHATS], { ...ADA, origin: CHAT_ORIGIN, ...HUGE, "content-type": "text/plain" }],
  [413, [...ANSWERS, ...CHATS], { ...ADA, origin: CHAT_ORIGIN, ...HUGE, ...JSON_TYPE }],
  [429, [...ANSWERS, ...CHATS], { ...ADA, origin: CHAT_ORIGIN, ...JSON_TYPE }],
];

test.each(REFUSALS)(
  "the status %i is sent before the body is read, and in the order of precedence of the contract",
  async (status, paths, headers) => {
    for (const path of paths) {
      const runtime = createTestRuntime(asking(CITY), { limits: { writesPerMinute: 0 } });
      const { request, isRead } = watched(path, headers);
      const response = await runtime.fetch(request);
      expect([path, response.status, isRead()]).toEqual([path, status, false]);
      expect(await response.json()).toMatchObject({ status });
    }
  },
);

test("a malformed body counts towards the limit like any write", async () => {
  const runtime = createTestRuntime(asking(CITY), { limits: { writesPerMinute: 2 } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const statuses = [];
  for (let write = 0; write < 3; write += 1) {
    statuses.push((await ada.fetch("/run/api/chat", { body: "{" })).status);
  }
  expect(statuses).toEqual([400, 400, 429]);
});

test("a stop counts towards the limit of writes", async () => {
  const runtime = createTestRuntime(asking(CITY), { limits: { writesPerMinute: 1 } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stop = async () => (await ada.fetch("/run/api/chat/c1/stop", { method: "POST" })).status;
  expect([await stop(), await stop()]).toEqual([204, 429]);
});

test("a call with which the chat vouches for its user counts towards the limit of writes, even for an unknown request", async () => {
  const runtime = createTestRuntime(asking(CITY), { limits: { writesPerMinute: 1 } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const bind = async () =>
    (await ada.fetch("/run/api/elicitations/none/bind", { body: { challenge: "x".repeat(43) } })).status;
  expect([await bind(), await bind()]).toEqual([404, 429]);
});

test("reads do not count towards the limit of writes", async () => {
  const runtime = createTestRuntime(asking(CITY), { limits: { writesPerMinute: 0 } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const paths = ["elicitations/none", "elicitations?conversationId=c1", "chat/c1/stream"];
  const looks = await Promise.all(paths.map((path) => ada.fetch(`/run/api/${path}`)));
  expect(looks.map(({ status }) => status)).toEqual([404, 200, 204]);
});

test("after the limits, 400 is checked before 404, and 404 before 409 and 410", async () => {
  const runtime = createTestRuntime(asking(CITY));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const { elicitationId } = await (await ada.send("c1")).request();
  const answer = async (conversationId: string, id: string, action: string) =>
    (await ada.answer(conversationId, { elicitationId: id, action })).status;
  expect(await answer("c1", "none", "perhaps")).toBe(400);
  runtime.clock.advance(600_000);
  expect(await answer("c2", elicitationId, "decline")).toBe(404);
  expect(await answer("c1", elicitationId, "perhaps")).toBe(400);
  expect(await answer("c1", elicitationId, "decline")).toBe(410);
  const again = await (await ada.send("c1")).request();
  expect(await answer("c1", again.elicitationId, "decline")).toBe(200);
  expect(await answer("c2", again.elicitationId, "accept")).toBe(404);
  expect(await answer("c1", again.elicitationId, "accept")).toBe(409);
  await runtime.close();
});

test("users without a session may send only smaller bodies", async () => {
  const runtime = createTestRuntime(async function* run() {
    yield { type: "start" };
  });
  const send = (length: number, user?: string) => {
    const message = { role: "user", parts: [{ type: "text", text: "x".repeat(length) }] };
    return createChatClient(runtime.fetch, { user }).fetch("/run/api/chat", {
      body: { messages: [message] },
    });
  };
  expect((await send(250 * 1024)).status).toBe(200);
  expect((await send(257 * 1024)).status).toBe(413);
  expect((await send(1000 * 1024, "ada")).status).toBe(200);
  expect((await send(1025 * 1024, "ada")).status).toBe(413);
});

test.each([
  [
    "with a declared length",
    (body: ReadableStream<Uint8Array>) => ({ body, headers: { "content-length": "900" } }),
  ],
  ["without a declared length", (body: ReadableStream<Uint8Array>) => ({ body, headers: {} })],
])("endless bodies %s count towards the limit of their user until they break off", async (_, make) => {
  const runtime = createTestRuntime(asking(CITY), {
    limits: { chatBytes: 1000, turns: { bytesPerPerson: 2000 } },
  });
  const fail: ((error: Error) => void)[] = [];
  const sendSlowly = () => {
    const { body, headers } = make(
      new ReadableStream({
        start(stream) {
          stream.enqueue(new Uint8Array(900));
          fail.push((error) => stream.error(error));
        },
      }),
    );
    const init: RequestInit & { duplex: "half" } = {
      method: "POST",
      headers: { ...ADA, ...JSON_TYPE, ...headers },
      body,
      duplex: "half",
    };
    return runtime.fetch(new Request("https://runtime.example.com/run/api/chat", init));
  };
  const first = sendSlowly();
  const second = sendSlowly();
  await nextTick();
  const third = await sendSlowly();
  expect(third.status).toBe(429);
  expect(third.headers.get("retry-after")).toBe("10");
  await (await createChatClient(runtime.fetch, { user: "bob" }).send("c1")).request();
  for (const breakOff of fail.slice(0, 2)) breakOff(new Error("the connection was lost"));
  expect([(await first).status, (await second).status]).toEqual([400, 400]);
  await (await createChatClient(runtime.fetch, { user: "ada" }).send("c1")).request();
  await runtime.close();
});

const nextTick = () => new Promise((resolve) => setTimeout(resolve, 5));

test("a body that was announced but not sent takes no capacity from others", async () => {
  const runtime = createTestRuntime(asking(CITY), { limits: { turns: { bytes: 200_000 } } });
  const stop: (() => void)[] = [];
  const announced = Array.from({ length: 20 }, () => {
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => void stop.push(() => stream.error(new Error("the connection was lost"))),
    });
    const headers = { ...JSON_TYPE, "content-length": "200000" };
    const init: RequestInit & { duplex: "half" } = { method: "POST", headers, body, duplex: "half" };
    return runtime.fetch(new Request("https://runtime.example.com/run/api/chat", init));
  });
  await nextTick();
  expect((await createChatClient(runtime.fetch).send("c1")).response.status).toBe(200);
  await (await createChatClient(runtime.fetch, { user: "ada" }).send("c1")).request();
  for (const breakOff of stop) breakOff();
  expect(new Set((await Promise.all(announced)).map(({ status }) => status))).toEqual(new Set([400]));
  await runtime.close();
});
