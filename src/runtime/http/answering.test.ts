import { expect, test } from "vitest";
import { type ReadStream, createChatClient } from "../../../test/stages/chat-client.ts";
import {
  CITY,
  CONNECT,
  type TestRuntime,
  asking,
  createTestRuntime,
} from "../../../test/stages/test-runtime.ts";
import type { Question, User } from "../index.ts";

const ACCEPT_LISBON = { action: "accept", content: { city: "Lisbon" } };

interface Asked {
  runtime: TestRuntime;
  ada: ReturnType<typeof createChatClient>;
  stream: ReadStream;
  elicitationId: string;
}

/** Ada has sent a message in conversation c1, and the agent asks her. */
async function ask(
  question: Question = CITY,
  options: Parameters<typeof createTestRuntime>[1] = {},
): Promise<Asked> {
  const runtime = createTestRuntime(asking(question), options);
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  return { runtime, ada, stream, elicitationId };
}

/** The last text of the agent, which is the result of its question. */
async function resultOf(stream: ReadStream): Promise<unknown> {
  await stream.done;
  const delta = stream.chunks.find(({ type }) => type === "text-delta")?.["delta"];
  return JSON.parse(String(delta));
}

async function json(response: Response): Promise<unknown> {
  return await response.json();
}

function resolutionsIn(stream: ReadStream): unknown[] {
  return stream.chunks.flatMap(({ data }) =>
    typeof data === "object" && data !== null && "resolution" in data ? [data.resolution] : [],
  );
}

test("the agent gets the content of an accepted form, and the stream shows the outcome without the content", async () => {
  const { ada, stream, elicitationId, runtime } = await ask();
  const response = await ada.answer("c1", { elicitationId, ...ACCEPT_LISBON });

  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await json(response)).toEqual({ success: true, elicitationId, outcome: "accepted" });
  expect(await resultOf(stream)).toEqual({ outcome: "accepted", content: { city: "Lisbon" } });
  expect(resolutionsIn(stream)).toEqual([{ outcome: "accepted", at: "2026-11-20T12:00:00.000Z" }]);
  expect(
    JSON.stringify(stream.chunks.filter(({ type }) => type === "data-elicitation-request")),
  ).not.toContain("Lisbon");
  expect(runtime.errors).toEqual([]);
});

test.each([
  ["decline", "declined"],
  ["cancel", "cancelled"],
])("a %s reaches the agent as %s", async (action, outcome) => {
  const { ada, stream, elicitationId } = await ask();
  expect(await json(await ada.answer("c1", { elicitationId, action }))).toEqual({
    success: true,
    elicitationId,
    outcome,
  });
  expect(await resultOf(stream)).toEqual({ outcome });
});

test("a repeated answer gets alreadyProcessed, whatever the order of its fields", async () => {
  const { ada, elicitationId } = await ask();
  await ada.answer("c1", { elicitationId, action: "accept", content: { city: "Lisbon", nights: 2 } });
  const again = await ada.answer("c1", {
    elicitationId,
    action: "accept",
    content: { nights: 2, city: "Lisbon" },
  });
  expect(again.status).toBe(200);
  expect(await json(again)).toEqual({
    success: true,
    elicitationId,
    outcome: "accepted",
    alreadyProcessed: true,
  });
});

test("an accept with different content gets 409 content-differs", async () => {
  const { ada, elicitationId } = await ask();
  await ada.answer("c1", { elicitationId, ...ACCEPT_LISBON });
  const other = await ada.answer("c1", { elicitationId, action: "accept", content: { city: "Porto" } });
  expect(other.status).toBe(409);
  expect(other.headers.get("content-type")).toBe("application/problem+json");
  expect(await json(other)).toMatchObject({ status: 409, code: "content-differs" });
});

test("a different action after the end gets 409 with the outcome", async () => {
  const { ada, elicitationId } = await ask();
  await ada.answer("c1", { elicitationId, action: "decline" });
  const late = await ada.answer("c1", { elicitationId, ...ACCEPT_LISBON });
  expect(late.status).toBe(409);
  expect(await json(late)).toMatchObject({ outcome: "declined" });
});

test("of ten concurrent answers, one is taken, and the agent gets that one", async () => {
  const { ada, stream, elicitationId } = await ask(CITY);
  const cities = Array.from({ length: 10 }, (_, index) => `City ${index}`);
  const replies = await Promise.all(
    cities.map((city) => ada.answer("c1", { elicitationId, action: "accept", content: { city } })),
  );
  const winners = cities.filter((_, index) => replies[index]?.status === 200);
  expect(winners).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(9);
  expect(await resultOf(stream)).toEqual({ outcome: "accepted", content: { city: winners[0] } });
  expect(resolutionsIn(stream)).toHaveLength(1);
});

test("for invalid content, the reply names the fields and the request stays open", async () => {
  const { ada, elicitationId, stream } = await ask();
  const response = await ada.answer("c1", {
    elicitationId,
    action: "accept",
    content: { city: "L", extra: 1 },
  });
  expect(response.status).toBe(400);
  expect(await json(response)).toMatchObject({
    errors: [
      { field: "city", code: "too-short" },
      { field: "extra", code: "unknown-field" },
    ],
  });
  expect((await ada.answer("c1", { elicitationId, ...ACCEPT_LISBON })).status).toBe(200);
  await stream.done;
});

test("form fields may have names such as __proto__", async () => {
  const properties = Object.fromEntries(
    ["__proto__", "constructor"].map((name) => [name, { type: "string" }]),
  );
  const { ada, elicitationId, stream } = await ask({
    ...CITY,
    requestedSchema: { type: "object", properties },
  });
  const content = '{"__proto__":"a","constructor":"b"}';
  const raw = `{"conversationId":"c1","elicitationId":"${elicitationId}","action":"accept","content":${content}}`;
  expect((await ada.fetch("/run/api/elicitation-responses", { body: raw })).status).toBe(200);
  await stream.done;
  expect(stream.chunks.find(({ type }) => type === "text-delta")?.["delta"]).toContain(content);
});

test("an answer after the expiry gets 410, and the agent continues without it", async () => {
  const { runtime, ada, stream, elicitationId } = await ask();
  runtime.clock.advance(10 * 60_000);
  expect((await ada.answer("c1", { elicitationId, ...ACCEPT_LISBON })).status).toBe(410);
  expect(await resultOf(stream)).toEqual({ outcome: "expired", afterMs: 600_000 });
});

test("an answer that races the expiry is either taken or gets 410, and the agent gets the same outcome", async () => {
  const { runtime, ada, stream, elicitationId } = await ask();
  const answering = ada.answer("c1", { elicitationId, ...ACCEPT_LISBON });
  runtime.clock.advance(10 * 60_000);
  const { status } = await answering;
  const result = await resultOf(stream);
  expect({ status, result }).toEqual(
    status === 200
      ? { status: 200, result: { outcome: "accepted", content: { city: "Lisbon" } } }
      : { status: 410, result: { outcome: "expired", afterMs: 600_000 } },
  );
  expect(resolutionsIn(stream)).toHaveLength(1);
});

test("unknown requests, and requests of another user or conversation, get the same reply, byte for byte", async () => {
  const { runtime, ada, elicitationId } = await ask();
  const bob = createChatClient(runtime.fetch, { user: "bob" });
  const replies = await Promise.all([
    ada.answer("c1", { elicitationId: "AAAAAAAAAAAAAAAAAAAAAA", action: "decline" }),
    bob.answer("c1", { elicitationId, action: "decline" }),
    ada.answer("c2", { elicitationId, action: "decline" }),
    bob.fetch(`/run/api/elicitations/${elicitationId}`),
    bob.fetch(`/run/api/elicitations/${elicitationId}/bind`, { body: { challenge: "x".repeat(43) } }),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  const bodies = await Promise.all(replies.map((reply) => reply.text()));
  expect(new Set(bodies).size).toBe(1);
  expect((await ada.answer("c1", { elicitationId, action: "decline" })).status).toBe(200);
});

test("a user id in body, query or header does not identify the user", async () => {
  const { runtime, elicitationId } = await ask();
  const nobody = createChatClient(runtime.fetch, { headers: { "x-user-id": "ada" } });
  const body = { conversationId: "c1", elicitationId, action: "decline", userId: "ada" };
  expect((await nobody.fetch("/run/api/elicitation-responses?userId=ada", { body })).status).toBe(401);
  expect((await nobody.fetch(`/run/api/elicitations/${elicitationId}?userId=ada`)).status).toBe(401);
  expect((await nobody.fetch("/run/api/elicitations?conversationId=c1")).status).toBe(401);
  expect(
    (
      await nobody.fetch(`/run/api/elicitations/${elicitationId}/bind`, {
        body: { challenge: "x".repeat(43) },
      })
    ).status,
  ).toBe(401);
});

test.each([
  ["no JSON", "{", 400],
  ["not an object", "[]", 400],
  ["no conversation", { elicitationId: "AAAAAAAAAAAAAAAAAAAAAA", action: "decline" }, 400],
  [
    "content with a decline",
    {
      conversationId: "c1",
      elicitationId: "AAAAAAAAAAAAAAAAAAAAAA",
      action: "decline",
      content: { city: "x" },
    },
    400,
  ],
  ["more than 64 KiB", { conversationId: "c1", padding: "x".repeat(64 * 1024) }, 413],
  ["more than 64 KiB in fewer characters", { conversationId: "c1", padding: "€".repeat(22_000) }, 413],
])("%s is refused", async (_, sent, status) => {
  const runtime = createTestRuntime(asking(CITY));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const response = await ada.fetch("/run/api/elicitation-responses", { body: sent });
  expect(response.status).toBe(status);
  expect(await json(response)).toMatchObject({
    status,
    title: expect.any(String),
    detail: expect.any(String),
  });
});

test.each(["", undefined, 7])(
  "an identity with the id %j is refused, and the server reports that it is invalid",
  async (id) => {
    // A value that plain JavaScript may return, for example from an empty session.
    const authenticate = (): User => JSON.parse(JSON.stringify({ id }));
    const runtime = createTestRuntime(asking(CITY), { authenticate });
    const client = createChatClient(runtime.fetch);
    const paths = ["/run/api/elicitations?conversationId=c1", "/run/api/chat/c1/stream"];
    const looks = await Promise.all(paths.map((path) => client.fetch(path)));
    const sent = (await client.send("c1")).response;
    expect([...looks, sent].map(({ status }) => status)).toEqual([500, 500, 500]);
    expect(String(runtime.errors[0])).toContain("elicit-kit: authenticate and session must return a user");
  },
);

test.each([
  ["no length", {}],
  ["the length of another one", { "content-length": "9", "transfer-encoding": "chunked" }],
  ["its packed length", { "content-length": "9", "content-encoding": "gzip" }],
])("a body that %s is not read beyond the limit", async (_, told) => {
  const runtime = createTestRuntime(asking(CITY));
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(16 * 1024));
    },
  });
  const init = { method: "POST", body: endless, duplex: "half" };
  const headers = { "content-type": "application/json", authorization: "Bearer ada", ...told };
  const request = new Request("https://runtime.example.com/run/api/elicitation-responses", {
    ...init,
    headers,
  });
  expect((await runtime.fetch(request)).status).toBe(413);
  expect(pulled).toBeLessThan(10);
});

test("a truncated body is malformed and not logged, and a body that was already read is logged", async () => {
  const { runtime, ada } = await ask();
  const post = (body: ReadableStream<Uint8Array>) => {
    const init = { method: "POST", body, duplex: "half" };
    const headers = { "content-type": "application/json", authorization: "Bearer ada" };
    const url = "https://runtime.example.com/run/api/elicitation-responses";
    return new Request(url, { ...init, headers });
  };
  const cutOff = post(
    new ReadableStream({ pull: (controller) => controller.error(new Error("the connection was lost")) }),
  );
  expect((await runtime.fetch(cutOff)).status).toBe(400);
  expect(runtime.errors).toEqual([]);
  const read = post(new Blob(["{}"]).stream());
  await read.text();
  expect((await runtime.fetch(read)).status).toBe(500);
  expect(runtime.errors).toHaveLength(1);
  await ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
});

test("a form post is refused, because only JSON is accepted", async () => {
  const runtime = createTestRuntime(asking(CITY));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const headers = { "content-type": "text/plain" };
  const response = await ada.fetch("/run/api/elicitation-responses", { body: {}, headers });
  expect(response.status).toBe(415);
});

test("more than sixty answers a minute get 429 with a time to wait, counted per user", async () => {
  const { runtime, ada, elicitationId } = await ask();
  const bob = createChatClient(runtime.fetch, { user: "bob" });
  const wrong = { elicitationId, action: "accept", content: {} };
  // The message that started the turn was a write, too.
  for (let count = 2; count <= 60; count += 1) expect((await ada.answer("c1", wrong)).status).toBe(400);
  runtime.clock.advance(20_000);
  const refused = await ada.answer("c1", { elicitationId, ...ACCEPT_LISBON });
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("40");
  expect((await bob.answer("c1", wrong)).status).toBe(404);
  runtime.clock.advance(40_000);
  expect((await ada.answer("c1", { elicitationId, ...ACCEPT_LISBON })).status).toBe(200);
});

test("the status reports the state of a request and the server's time", async () => {
  const { runtime, ada, elicitationId } = await ask(CONNECT);
  const status = async () => await json(await ada.fetch(`/run/api/elicitations/${elicitationId}`));
  runtime.clock.advance(60_000);
  expect(await status()).toEqual({
    elicitationId,
    status: "pending",
    expiresAt: "2026-11-20T12:10:00.000Z",
    now: "2026-11-20T12:01:00.000Z",
  });
  await runtime.elicitations.fail(elicitationId, "Access to Tracker was not granted.");
  expect(await status()).toMatchObject({
    status: "pending",
    lastError: "Access to Tracker was not granted.",
  });
  await runtime.elicitations.complete(elicitationId);
  const ended = await status();
  expect(ended).toMatchObject({ status: "accepted" });
  expect(ended).not.toHaveProperty("lastError");
});

test("the open requests of a conversation are listed for their user, oldest first", async () => {
  const { runtime, ada, elicitationId } = await ask(CONNECT);
  const bob = createChatClient(runtime.fetch, { user: "bob" });
  const list = async (client: typeof ada) =>
    await json(await client.fetch("/run/api/elicitations?conversationId=c1"));
  expect(await list(ada)).toEqual({
    elicitations: [
      {
        type: "elicitation-request",
        elicitationId,
        mode: "url",
        message: "To continue, Demo needs your Tracker account.",
        url: `https://auth.example.com/auth/connect?elicitationId=${elicitationId}`,
        requester: { name: "Demo" },
        context: { trigger: "credential_required" },
        expiresAt: "2026-11-20T12:10:00.000Z",
        extendableUntil: "2026-11-20T14:00:00.000Z",
      },
    ],
  });
  expect(await list(bob)).toEqual({ elicitations: [] });
  await ada.answer("c1", { elicitationId, action: "cancel" });
  expect(await list(ada)).toEqual({ elicitations: [] });
});

test("the status of an ended request can be read for a day", async () => {
  const { runtime, ada, elicitationId } = await ask();
  await ada.answer("c1", { elicitationId, action: "decline" });
  runtime.clock.advance(24 * 60 * 60_000 - 1);
  expect((await ada.fetch(`/run/api/elicitations/${elicitationId}`)).status).toBe(200);
  runtime.clock.advance(2 * 60_000);
  expect((await ada.fetch(`/run/api/elicitations/${elicitationId}`)).status).toBe(404);
});

test("the id of a request is 128 random bits, URL-safe, and never the same", async () => {
  const ids = await Promise.all(Array.from({ length: 50 }, async () => (await ask()).elicitationId));
  for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/);
  expect(new Set(ids).size).toBe(50);
});

test("the schema of a request is compiled once for all its answers", async () => {
  let reads = 0;
  const requestedSchema = {
    type: "object" as const,
    get properties() {
      reads += 1;
      return { city: { type: "string", minLength: 2 } };
    },
    required: ["city"],
  };
  const { ada, elicitationId } = await ask({ ...CITY, requestedSchema });
  const wrong = { elicitationId, action: "accept", content: { city: "X" } };
  expect((await ada.answer("c1", wrong)).status).toBe(400);
  const readsOfOne = reads;
  for (let count = 0; count < 5; count += 1) {
    expect((await ada.answer("c1", wrong)).status).toBe(400);
  }
  expect(reads).toBe(readsOfOne);
  expect((await ada.answer("c1", { elicitationId, ...ACCEPT_LISBON })).status).toBe(200);
  expect((await ada.answer("c1", { elicitationId, ...ACCEPT_LISBON })).status).toBe(200);
});
