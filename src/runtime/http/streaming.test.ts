import { getEventListeners } from "node:events";
import { setImmediate as nextTick } from "node:timers/promises";
import { inspect } from "node:util";
import { expect, test, vi } from "vitest";
import { createChatClient, readStream } from "../../../test/stages/chat-client.ts";
import { createManualClock } from "../../base/testing/manual-clock.ts";
import {
  CITY,
  CONNECT,
  asking,
  createTestRuntime,
  text,
  LOG_KEPT_MS,
} from "../../../test/stages/test-runtime.ts";
import { type RunTurn, type Turn, createMemoryTurnStream } from "../index.ts";
import { originalOf } from "../../base/foreign-error.ts";

/** Writes one chunk, then waits until it is aborted. */
function waiting(turns: Turn[] = []): RunTurn {
  return async function* run(turn) {
    turns.push(turn);
    yield* text("Working");
    await new Promise((resolve) => {
      turn.signal.addEventListener("abort", resolve);
    });
    yield* text("too late");
  };
}

const DEAF = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };

test("a turn is a UI message stream of version 1: headers, chunks in order, and [DONE]", async () => {
  const runtime = createTestRuntime(async function* run() {
    yield { type: "start" };
    yield* text("Hello");
    yield { type: "finish" };
  });
  const response = await createChatClient(runtime.fetch, { user: "ada" }).fetch("/run/api/chat", {
    body: { id: "c1", messages: [{ role: "user", parts: [] }] },
  });
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-store, no-transform",
    "x-vercel-ai-ui-message-stream": "v1",
    "x-accel-buffering": "no",
  });
  expect(await response.text()).toBe(
    [
      '{"type":"start"}',
      '{"type":"text-start","id":"t1"}',
      '{"type":"text-delta","id":"t1","delta":"Hello"}',
      '{"type":"text-end","id":"t1"}',
      '{"type":"finish"}',
      "[DONE]",
    ]
      .map((data) => `data: ${data}\n\n`)
      .join(""),
  );
});

test("a request is a data part with the id of the elicitation, and its outcome is the same part again", async () => {
  const runtime = createTestRuntime(asking({ ...CITY, toolCallId: "call_1" }));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "cancel" });
  await stream.done;
  const parts = stream.chunks.filter(({ type }) => type === "data-elicitation-request");
  const request = {
    type: "elicitation-request",
    elicitationId,
    mode: "form",
    message: "Where to?",
    requestedSchema: CITY.requestedSchema,
    toolCallId: "call_1",
    expiresAt: "2026-11-20T12:10:00.000Z",
    extendableUntil: "2026-11-20T14:00:00.000Z",
  };
  const resolution = { outcome: "cancelled", at: "2026-11-20T12:00:00.000Z" };
  expect(parts).toEqual([
    { type: "data-elicitation-request", id: elicitationId, data: request },
    { type: "data-elicitation-request", id: elicitationId, data: { ...request, resolution } },
  ]);
});

test("a silent stream gets a comment every 8 seconds, and no timer is left behind", async () => {
  const runtime = createTestRuntime(asking(CITY));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  for (let elapsed = 8; elapsed <= 32; elapsed += 8) {
    runtime.clock.advance(8000);
    await nextTick();
  }
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect(stream.comments).toEqual([": keep-alive", ": keep-alive", ": keep-alive", ": keep-alive"]);
  runtime.clock.advance(LOG_KEPT_MS);
  expect(runtime.clock.waiting).toBe(0);
});

test("the stream sends its keep-alive comment only after 8 seconds without a chunk", async () => {
  const runtime = createTestRuntime(async function* run(turn) {
    await turn.ask(CITY);
    yield* text("Noted.");
    await turn.ask(CONNECT);
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const first = await stream.request();
  runtime.clock.advance(5000);
  await ada.answer("c1", { elicitationId: first.elicitationId, action: "decline" });
  const second = await stream.request(0, ({ elicitationId }) => elicitationId !== first.elicitationId);
  runtime.clock.advance(7000);
  await nextTick();
  expect(stream.comments).toEqual([]);
  runtime.clock.advance(1_000);
  await nextTick();
  expect(stream.comments).toEqual([": keep-alive"]);
  await ada.answer("c1", { elicitationId: second.elicitationId, action: "decline" });
  await stream.done;
});

test("keep-alives continue after the clock is set back an hour", async () => {
  const manual = createManualClock();
  let setBack = 0;
  const clock = { ...manual, now: () => manual.now() - setBack };
  const runtime = createTestRuntime(asking(CITY), { ports: { clock } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  setBack = 3_600_000;
  manual.advance(16_000);
  await nextTick();
  expect(stream.comments).toEqual([": keep-alive", ": keep-alive"]);
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
});

test("a turn continues when its reader disconnects, and a second reader gets the whole turn", async () => {
  const runtime = createTestRuntime(async function* run(turn) {
    yield* text("Before");
    const { outcome } = await turn.ask(CITY);
    yield* text(outcome);
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const first = await ada.send("c1");
  const { elicitationId } = await first.request();
  await first.cancel();

  const second = readStream(await ada.fetch("/run/api/chat/c1/stream"));
  expect((await second.request()).elicitationId).toBe(elicitationId);
  await ada.answer("c1", { elicitationId, action: "accept", content: { city: "Lisbon" } });
  await second.done;
  expect(second.chunks.slice(0, first.chunks.length)).toEqual(first.chunks);
  expect(second.chunks.at(-3)).toMatchObject({ delta: "accepted" });
});

test("a client that lost the stream of a turn reads all of it for a minute after the turn has ended", async () => {
  const runtime = createTestRuntime(async function* run(turn) {
    yield { type: "start", messageId: "m1" };
    await turn.ask(CITY);
    yield* text("The end");
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const bob = createChatClient(runtime.fetch, { user: "bob" });
  const first = await ada.send("c1");
  const { elicitationId } = await first.request();
  await ada.answer("c1", { elicitationId, action: "decline" });
  await first.done;

  const path = "/run/api/chat/c1/stream?messageId=m1";
  expect((await ada.fetch("/run/api/chat/c1/stop", { method: "POST" })).status).toBe(204);
  runtime.clock.advance(59_999);
  const second = readStream(await ada.fetch(path));
  await second.done;
  expect(second.chunks).toEqual(first.chunks);
  for (const other of ["/run/api/chat/c1/stream", "/run/api/chat/c1/stream?messageId=m2"])
    expect((await ada.fetch(other)).status).toBe(204);
  expect((await bob.fetch(path)).status).toBe(204);
  runtime.clock.advance(1);
  expect((await ada.fetch(path)).status).toBe(204);
});

test("a page whose history ends with the user's message reads the ended turn that answers it", async () => {
  const runtime = createTestRuntime(async function* run() {
    yield { type: "start", messageId: "a1" };
    yield* text("The end");
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const first = await ada.send("c1", { messages: [{ id: "u1", role: "user", parts: [] }] });
  await first.done;

  const streamOf = (id: string) => ada.fetch(`/run/api/chat/c1/stream?messageId=${id}`);
  const second = readStream(await streamOf("u1"));
  await second.done;
  expect(second.chunks).toEqual(first.chunks);
  expect((await streamOf("u0")).status).toBe(204);
  runtime.clock.advance(60_000);
  expect((await streamOf("u1")).status).toBe(204);
});

test("when a conversation has a new turn, a client reads that one and not the ended one", async () => {
  let turns = 0;
  const runtime = createTestRuntime(async function* run(turn) {
    yield { type: "start", messageId: `m${(turns += 1)}` };
    await turn.ask(CITY);
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const first = await ada.send("c1");
  await ada.answer("c1", { elicitationId: (await first.request()).elicitationId, action: "decline" });
  await first.done;
  const second = await ada.send("c1");
  const { elicitationId } = await second.request();
  const again = readStream(await ada.fetch("/run/api/chat/c1/stream?messageId=m1"));
  expect((await again.request()).elicitationId).toBe(elicitationId);
  await ada.answer("c1", { elicitationId, action: "decline" });
  await again.done;
});

test("two readers of one turn get the same chunks", async () => {
  const runtime = createTestRuntime(asking(CITY));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const first = await ada.send("c1");
  const { elicitationId } = await first.request();
  const second = readStream(await ada.fetch("/run/api/chat/c1/stream"));
  await ada.answer("c1", { elicitationId, action: "decline" });
  await Promise.all([first.done, second.done]);
  expect(second.chunks).toEqual(first.chunks);
});

const FORGED = {
  type: "elicitation-request",
  mode: "url",
  message: "Sign in again.",
  url: "https://evil.example",
  resolution: { outcome: "accepted", at: "2026-11-20T12:00:00.000Z" },
};

test("a reader that disconnects wakes no other reader of the turn", async () => {
  const log = createMemoryTurnStream();
  const turn = { turnId: "t1", conversationId: "c1", userId: "ada", surface: "chat", keepMs: 0 };
  await log.open(turn, { replace: true });
  const listening = new Set<AbortController>();
  /** How often the readers have checked their signal. */
  let looks = 0;
  const reads = Array.from({ length: 100 }, async () => {
    const abort = new AbortController();
    listening.add(abort);
    const isAborted = vi.spyOn(abort.signal, "aborted", "get");
    isAborted.mockImplementation(() => {
      looks += 1;
      return !listening.has(abort);
    });
    for await (const _ of log.read("t1", { live: true, signal: abort.signal }));
  });
  await vi.waitUntil(() => looks === 100);
  for (const abort of listening) {
    listening.delete(abort);
    abort.abort();
    await nextTick();
  }
  await Promise.all(reads);
  expect(looks).toBe(200);
});

test("attaching to an ended or unknown conversation, or to another user's, gets 204", async () => {
  const runtime = createTestRuntime(asking(CITY));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const bob = createChatClient(runtime.fetch, { user: "bob" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  expect((await bob.fetch("/run/api/chat/c1/stream")).status).toBe(204);
  expect((await ada.fetch("/run/api/chat/c2/stream")).status).toBe(204);
  expect((await createChatClient(runtime.fetch).fetch("/run/api/chat/c1/stream")).status).toBe(401);
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect((await ada.fetch("/run/api/chat/c1/stream")).status).toBe(204);
});

test("stop withdraws the requests, writes their outcome to the stream, and ends the stream", async () => {
  const turns: Turn[] = [];
  const ask = asking(CITY);
  const runtime = createTestRuntime((turn) => {
    turns.push(turn);
    return ask(turn);
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  const stopped = await ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
  expect(stopped.status).toBe(204);
  await stream.done;
  expect(stream.chunks.slice(-2)).toEqual([
    expect.objectContaining({
      type: "data-elicitation-request",
      id: elicitationId,
      data: expect.objectContaining({
        resolution: {
          outcome: "withdrawn",
          at: "2026-11-20T12:00:00.000Z",
          reason: "The person stopped the turn.",
        },
      }),
    }),
    { type: "abort" },
  ]);
  expect(turns[0]?.signal.aborted).toBe(true);
  expect(runtime.errors).toEqual([]);
});

test("stop works only for the user's own turns, may be repeated, and needs a session", async () => {
  const runtime = createTestRuntime(waiting());
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const bob = createChatClient(runtime.fetch, { user: "bob" });
  const stream = await ada.send("c1");
  const stop = (client: typeof ada) => client.fetch("/run/api/chat/c1/stop", { method: "POST" });
  expect((await stop(createChatClient(runtime.fetch))).status).toBe(401);
  expect((await stop(bob)).status).toBe(204);
  expect((await ada.fetch("/run/api/chat/c1/stream")).status).toBe(200);
  expect((await stop(ada)).status).toBe(204);
  expect((await stop(ada)).status).toBe(204);
  await stream.done;
  expect(stream.chunks.at(-1)).toEqual({ type: "abort" });
});

test("a stop ends the stream even if the agent ignores its signal", async () => {
  for (const runTurn of [() => DEAF, () => new Promise<never>(() => {}), () => new ReadableStream<never>()]) {
    const runtime = createTestRuntime(runTurn);
    const ada = createChatClient(runtime.fetch, { user: "ada" });
    const stream = await ada.send("c1");
    await ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
    await stream.done;
    expect(stream.chunks).toEqual([{ type: "abort" }]);
  }
});

test("a new message withdraws the requests of the previous turn, and ends that turn before the new one begins", async () => {
  const order: string[] = [];
  const ask = asking(CITY);
  const runtime = createTestRuntime(
    async function* run(turn) {
      order.push("begin");
      yield* await ask(turn);
    },
    { onTurnEnd: () => void order.push("end") },
  );
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const first = await ada.send("c1");
  const { elicitationId } = await first.request();
  const second = await ada.send("c1");
  await first.done;
  expect(first.chunks.at(-1)).toEqual({ type: "abort" });
  expect(await (await ada.fetch(`/run/api/elicitations/${elicitationId}`)).json()).toMatchObject({
    status: "withdrawn",
  });
  const next = await second.request();
  expect(next.elicitationId).not.toBe(elicitationId);
  expect(order).toEqual(["begin", "end", "begin"]);
  await runtime.close();
});

test("many concurrent messages leave one open turn", async () => {
  let open = 0;
  let most = 0;
  const runtime = createTestRuntime(async function* run(turn) {
    most = Math.max(most, ++open);
    yield { type: "start" };
    await new Promise((resolve) => {
      turn.signal.addEventListener("abort", resolve);
    });
    open -= 1;
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const streams = await Promise.all([1, 2, 3, 4, 5].map(() => ada.send("c1")));
  await Promise.all(streams.slice(0, -1).map(({ done }) => done));
  expect((await ada.fetch("/run/api/chat/c1/stream")).status).toBe(200);
  await expect.poll(() => open).toBe(1);
  await runtime.close();
  await streams.at(-1)?.done;
  expect({ open, most }).toEqual({ open: 0, most: 1 });
});

test("a message of another user with the same conversation id does not affect Ada's turn", async () => {
  const runtime = createTestRuntime(asking(CITY));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const bob = createChatClient(runtime.fetch, { user: "bob" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await (await bob.send("c1")).request();
  expect((await ada.answer("c1", { elicitationId, action: "decline" })).status).toBe(200);
  await stream.done;
  await runtime.close();
});

test("an anonymous turn cannot ask, cannot be re-attached, and ends with its connection", async () => {
  const turns: Turn[] = [];
  const run = waiting(turns);
  const runtime = createTestRuntime(run);
  const nobody = createChatClient(runtime.fetch);
  const stream = await nobody.send("c1");
  await nextTick();
  expect(turns[0]?.user).toBeUndefined();
  expect(await turns[0]?.ask(CITY)).toEqual({ outcome: "unsupported" });
  await stream.cancel();
  expect(turns[0]?.signal.aborted).toBe(true);
  const next = createTestRuntime(asking(CONNECT));
  const answer = await createChatClient(next.fetch).send("c1");
  await answer.done;
  expect(answer.chunks).toContainEqual({ type: "text-delta", id: "t1", delta: '{"outcome":"unsupported"}' });
});

test("when the agent throws, the turn ends with an error without details", async () => {
  const runtime = createTestRuntime(async function* run() {
    yield* text("Well");
    throw new Error("password of the database: hunter2");
  });
  const stream = await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
  await stream.done;
  expect(stream.chunks.at(-1)).toEqual({
    type: "error",
    errorText: "The assistant could not finish its answer.",
  });
  expect(runtime.errors.map(originalOf)).toEqual([new Error("password of the database: hunter2")]);
  expect(inspect(runtime.errors)).not.toContain("hunter2");
});

test("a question that is still open when the agent has ended is withdrawn", async () => {
  const runtime = createTestRuntime(async function* run(turn) {
    const asked = turn.ask(CITY);
    // Continues once the question is asked, without waiting for the answer.
    await Promise.race([asked, nextTick()]);
    yield* text("Bye");
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  await stream.done;
  const resolution = { outcome: "withdrawn", at: "2026-11-20T12:00:00.000Z", reason: "The turn has ended." };
  expect(stream.chunks.at(-1)).toMatchObject({ type: "data-elicitation-request", data: { resolution } });
  expect(await (await ada.fetch("/run/api/elicitations?conversationId=c1")).json()).toEqual({
    elicitations: [],
  });
});

test("shutdown withdraws and ends everything", async () => {
  const runtime = createTestRuntime(asking(CITY));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const streams = [await ada.send("c1"), await ada.send("c2")];
  const ids = await Promise.all(streams.map(async (stream) => (await stream.request()).elicitationId));
  await runtime.close();
  await Promise.all(streams.map(({ done }) => done));
  for (const id of ids) expect((await runtime.elicitations.get(id))?.status).toBe("withdrawn");
  runtime.clock.advance(LOG_KEPT_MS);
  expect(runtime.clock.waiting).toBe(0);
});

test("onTurnEnd gets the whole turn, including requests and their outcomes", async () => {
  const kept: unknown[] = [];
  const runtime = createTestRuntime(asking(CITY), {
    onTurnEnd: (turn, chunks) => void kept.push(turn.conversationId, chunks),
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect(JSON.parse(JSON.stringify(kept))).toEqual(["c1", stream.chunks]);
});

test("a stream ends only after onTurnEnd has finished, so that a reload at that moment finds the message", async () => {
  let keep = (): void => undefined;
  const kept = new Promise<void>((resolve) => (keep = resolve));
  const runtime = createTestRuntime(
    async function* run() {
      yield { type: "finish" };
    },
    { onTurnEnd: () => kept },
  );
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  await expect.poll(() => stream.chunks).toHaveLength(1);
  expect((await ada.fetch("/run/api/chat/c1/stream")).status).toBe(200);
  keep();
  await stream.done;
  expect((await ada.fetch("/run/api/chat/c1/stream")).status).toBe(204);
});

test.each([
  ["nothing", [], "finish"],
  ["an end", [{ type: "finish", finishReason: "stop" }], "finish"],
  ["an error", [{ type: "error", errorText: "No." }], "error"],
])("a turn has exactly one end chunk if its agent ends the stream with %s", async (_, ending, end) => {
  const runtime = createTestRuntime(async function* run() {
    yield { type: "start" };
    yield* text("Hello");
    yield* ending;
  });
  const stream = await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
  await stream.done;
  const types = stream.chunks.map(({ type }) => type);
  expect(types).toEqual(["start", "text-start", "text-delta", "text-end", end]);
});

test("no reply may be cached, even if it has no body", async () => {
  const runtime = createTestRuntime(asking(CITY));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  await stream.request();
  const replies = [
    stream.response,
    await ada.fetch("/run/api/chat/c1/stream", { method: "HEAD" }),
    await ada.fetch("/run/api/chat/c1/stop", { method: "POST" }),
    await ada.fetch("/run/api/chat/c1/stream"),
    await ada.fetch("/run/api/elicitations/none"),
    await ada.fetch("/run/api/elicitations?conversationId=c1"),
    await ada.fetch("/run/nothing"),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 204, 204, 404, 200, 404]);
  for (const { headers } of replies) expect(headers.get("cache-control")).toMatch(/^no-store\b/);
});

test("stream:false replies with one message, and the agent cannot ask", async () => {
  const runtime = createTestRuntime(asking(CITY));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const response = await ada.fetch("/run/api/chat", {
    headers: { "x-supports-elicitation": "true" },
    body: { id: "c1", stream: false, messages: [{ role: "user", parts: [] }] },
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    id: expect.stringMatching(/^chat-[\w-]{22}$/),
    role: "assistant",
    parts: [{ type: "text", text: '{"outcome":"unsupported"}' }],
  });
});

test("stream:false leaves no listener on the signal of the request", async () => {
  const runtime = createTestRuntime(asking(CITY));
  const signals: AbortSignal[] = [];
  const ada = createChatClient((request) => {
    signals.push(request.signal);
    return runtime.fetch(request);
  });
  const body = { id: "c1", stream: false, messages: [{ role: "user", parts: [] }] };
  expect((await ada.fetch("/run/api/chat", { body })).status).toBe(200);
  expect(signals.map((signal) => getEventListeners(signal, "abort"))).toEqual([[]]);
});

test("stream:false replies 500 when the turn failed", async () => {
  const runtime = createTestRuntime(() => Promise.reject(new Error("no model")));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const body = { id: "c1", stream: false, messages: [{ role: "user", parts: [] }] };
  expect((await ada.fetch("/run/api/chat", { body })).status).toBe(500);
});

test.each([
  ["no messages", { id: "c1" }],
  ["an empty list", { id: "c1", messages: [] }],
  ["an id that is not a string", { id: 7, messages: [{}] }],
  ["an endless id", { id: "x".repeat(257), messages: [{}] }],
])("a chat request with %s is refused", async (_, body) => {
  const runtime = createTestRuntime(waiting());
  expect(
    (await createChatClient(runtime.fetch, { user: "ada" }).fetch("/run/api/chat", { body })).status,
  ).toBe(400);
});

test("a chat request may be as large as configured", async () => {
  const runtime = createTestRuntime(asking(CONNECT), { limits: { chatBytes: 1000 } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const body = { id: "c1", messages: [{ role: "user", parts: [{ type: "text", text: "x".repeat(1000) }] }] };
  expect((await ada.fetch("/run/api/chat", { body })).status).toBe(413);
});

test("the record keeps the chat's origin, if it is allowed, and its return URL", async () => {
  const runtime = createTestRuntime(asking(CONNECT));
  const asked = async (headers: Record<string, string>) => {
    const stream = await createChatClient(runtime.fetch, { user: "ada", headers }).send("c1", {
      returnUrl: "https://chat.example.com/c1",
    });
    return runtime.elicitations.get((await stream.request()).elicitationId);
  };
  expect(await asked({})).toMatchObject({
    chatOrigin: "https://chat.example.com",
    returnUrl: "https://chat.example.com/c1",
  });
  expect((await asked({ origin: "https://evil.example" }))?.chatOrigin).toBeUndefined();
  await runtime.close();
});

test("a chunk that cannot be serialised ends the stream with an error, and leaves no timer behind", async () => {
  const runtime = createTestRuntime(async function* run(turn) {
    yield { type: "start" };
    yield { type: "tool-output-available", toolCallId: "a", output: 12n };
    await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  await stream.done;
  expect(stream.chunks).toEqual([
    { type: "start" },
    { type: "error", errorText: "The assistant could not finish its answer." },
  ]);
  expect(runtime.errors.map(originalOf)).toMatchObject([{ name: "TypeError" }]);
  expect(runtime.clock.waiting).toBe(0);
  await runtime.close();
});

test("a HEAD request opens no stream of a turn", async () => {
  const runtime = createTestRuntime(asking(CITY));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  expect((await ada.fetch("/run/api/chat/c1/stream", { method: "HEAD" })).status).toBe(204);
  const stream = await ada.send("c1");
  await stream.request();
  const before = runtime.clock.waiting;
  expect((await ada.fetch("/run/api/chat/c1/stream", { method: "HEAD" })).status).toBe(200);
  expect(runtime.clock.waiting).toBe(before);
  await runtime.close();
});

test("an agent that starts only after its turn was stopped is cancelled", async () => {
  let begin: (stream: ReadableStream<{ type: string }>) => void = () => undefined;
  const runtime = createTestRuntime(() => new Promise((resolve) => (begin = resolve)));
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const stop = async () => (await ada.fetch("/run/api/chat/c1/stop", { method: "POST" })).status;
  await expect.poll(stop).toBe(204);
  await stream.done;
  const cancel = vi.fn<() => void>();
  begin(new ReadableStream({ cancel }));
  await expect.poll(() => cancel).toHaveBeenCalledOnce();
});

test("stream:false stops the turn if the client has already disconnected", async () => {
  const stopped = vi.fn<() => void>();
  const runtime = createTestRuntime(async function* run(turn) {
    yield { type: "start" };
    turn.signal.addEventListener("abort", stopped);
    await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
  });
  const gone = new AbortController();
  const body = JSON.stringify({ id: "c1", stream: false, messages: [{ role: "user", parts: [] }] });
  const request = new Request("https://runtime.example.com/run/api/chat", {
    method: "POST",
    headers: { authorization: "Bearer ada", "content-type": "application/json" },
    body,
    signal: gone.signal,
  });
  const reply = runtime.fetch(request);
  gone.abort();
  await reply;
  await expect.poll(() => runtime.clock.waiting).toBe(0);
  expect(
    (await createChatClient(runtime.fetch, { user: "ada" }).fetch("/run/api/chat/c1/stream")).status,
  ).toBe(204);
});

test.each([
  ["a request", { type: "data-elicitation-request", id: "e1", data: { ...FORGED, elicitationId: "e1" } }],
  ["a bare request", { ...FORGED, elicitationId: "e1" }],
  [
    "the end of a request",
    { type: "elicitation-resolved", elicitationId: "e1", resolution: FORGED.resolution },
  ],
])("an agent cannot write %s to its stream itself", async (_, chunk) => {
  const runtime = createTestRuntime(async function* run() {
    yield { type: "start" };
    yield chunk;
    yield { type: "data-of-ones-own" };
  });
  const stream = await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
  await stream.done;
  expect(stream.chunks.map(({ type }) => type)).toEqual(["start", "data-of-ones-own", "finish"]);
  expect(runtime.errors.map(String)).toEqual([expect.stringContaining("turn.ask")]);
});
