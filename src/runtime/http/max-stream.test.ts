import { expect, test } from "vitest";
import { createChatClient, readStream } from "../../../test/stages/chat-client.ts";
import { CITY, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";

const ROME = { action: "accept", content: { city: "Rome" } };
const TOLD = '{"outcome":"accepted","content":{"city":"Rome"}}';
const CONTINUES = { type: "data-turn-continues", data: {}, transient: true };
const EVENTS = { accept: "text/event-stream, application/json" };

function setUp() {
  const runtime = createTestRuntime(asking(CITY), { platform: { maxStreamMs: 60_000 } });
  return { ...runtime, chat: createChatClient(runtime.fetch, { user: "ada" }) };
}

/** The types of the events in a stream, in order. */
const typesIn = (text: string) =>
  text.match(/(?<="type":")(?:start|finish|error|data-turn-continues)(?=")|\[DONE\]/g);

test("a stream that reaches its time limit ends with a chunk that says that its turn continues, and the request stays open", async () => {
  const { chat, clock, errors } = setUp();
  const stream = await chat.send("c1");
  const { elicitationId } = await stream.request();
  clock.advance(60_000);
  await stream.done;
  expect(stream.chunks.at(-1)).toEqual(CONTINUES);
  const status = await chat.fetch(`/run/api/elicitations/${elicitationId}`);
  expect(await status.json()).toMatchObject({ status: "pending" });
  const again = readStream(await chat.fetch("/run/api/chat/c1/stream"));
  await again.request();
  expect((await chat.answer("c1", { elicitationId, ...ROME })).status).toBe(200);
  await again.done;
  expect(again.chunks).toContainEqual(expect.objectContaining({ delta: TOLD }));
  expect(again.chunks.at(-1)).toEqual({ type: "finish" });
  expect(errors).toEqual([]);
  // The timers of both streams are gone.
  clock.advance(60_000);
  expect(clock.waiting).toBe(0);
});

test("a stream on the OpenAI route fails at its time limit, because that route has no re-attach", async () => {
  const { fetch, clock, errors } = setUp();
  const ada = createChatClient(fetch, { user: "ada" });
  const messages = [{ role: "user", content: "Go" }];
  const openai = await ada.fetch("/run/v1/chat/completions", {
    headers: { "x-supports-elicitation": "true" },
    body: { messages, stream: true, conversationId: "c2" },
  });
  const reading = openai.text();
  const open = () => ada.fetch("/run/api/elicitations?conversationId=c2").then((list) => list.text());
  await expect.poll(open).toContain("Where to?");
  clock.advance(60_000);
  const text = await reading;
  expect(text).toContain('"error":{"message":"The answer took longer than this server allows."');
  expect(text).toMatch(/\[DONE\]\n\n$/);
  await expect.poll(open).toBe('{"elicitations":[]}');
  expect(errors).toEqual([]);
});

test("a chat without a session fails at its time limit, and its agent stops", async () => {
  let hasStopped = false;
  const { fetch, clock } = createTestRuntime(
    async function* run({ signal }) {
      yield { type: "start" };
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      hasStopped = true;
    },
    { platform: { maxStreamMs: 60_000 } },
  );
  const stream = await createChatClient(fetch).send("c1");
  await expect.poll(() => stream.chunks).toHaveLength(1);
  clock.advance(60_000);
  await stream.done;
  expect(stream.chunks.at(-1)).toMatchObject({ type: "error" });
  await expect.poll(() => hasStopped).toBe(true);
});

test("a client that asks for it gets the rest of the turn as a stream in the reply to its answer", async () => {
  const { chat, clock } = setUp();
  const stream = await chat.send("c1");
  const { elicitationId } = await stream.request();
  clock.advance(60_000);
  await stream.done;
  const reply = await chat.fetch("/run/api/elicitation-responses", {
    headers: EVENTS,
    body: { conversationId: "c1", elicitationId, ...ROME },
  });
  const continued = readStream(reply);
  await continued.done;
  expect(continued.chunks.map(({ type }) => type)).toEqual([
    "start",
    "data-elicitation-request",
    "data-elicitation-request",
    "text-start",
    "text-delta",
    "text-end",
    "finish",
  ]);
  expect(continued.chunks).toContainEqual(expect.objectContaining({ delta: TOLD }));
  // The same answer is sent again, as after a lost reply.
  const again = await chat.fetch("/run/api/chat", {
    headers: EVENTS,
    body: {
      id: "c1",
      messages: [
        {
          id: "m2",
          role: "user",
          parts: [{ type: "data-elicitation-response", data: { elicitationId, ...ROME } }],
        },
      ],
    },
  });
  expect(typesIn(await again.text())).toEqual(["start", "finish", "[DONE]"]);
});

test("the reply to an answer that ends no request is JSON, whatever the client accepts", async () => {
  const { chat } = setUp();
  const stream = await chat.send("c1");
  const { elicitationId } = await stream.request();
  const send = (answer: object) =>
    chat.fetch("/run/api/elicitation-responses", {
      headers: EVENTS,
      body: { conversationId: "c1", elicitationId, ...answer },
    });
  expect((await send({ action: "accept", content: {} })).headers.get("content-type")).toBe(
    "application/problem+json",
  );
  const plain = await chat.answer("c1", { elicitationId, ...ROME });
  expect(await plain.json()).toEqual({ success: true, elicitationId, outcome: "accepted" });
  expect((await send({ action: "decline" })).status).toBe(409);
});

test.each([15_001, 0, Number.NaN])("keepAliveMs cannot be %d", (keepAliveMs) => {
  expect(() => createTestRuntime(asking(CITY), { platform: { keepAliveMs } })).toThrow(
    `elicit-kit: platform.keepAliveMs must be above 0 and at most 15,000 milliseconds, but it is: ${keepAliveMs}.`,
  );
});

test("maxStreamMs must be a valid time", () => {
  expect(() => createTestRuntime(asking(CITY), { platform: { maxStreamMs: 0 } })).toThrow(
    "elicit-kit: platform.maxStreamMs must be a positive number of milliseconds, but it is: 0.",
  );
});
