import { expect, test } from "vitest";
import { setImmediate as nextTask } from "node:timers/promises";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { CITY, asking, createTestRuntime, text } from "../../../test/stages/test-runtime.ts";
import { createMemoryRecords } from "../index.ts";

const RESPONSE = "data-elicitation-response";
const ACCEPT = { action: "accept", content: { city: "Lisbon" } };

/** Asks Ada the same question twice in parallel. */
async function askTwice() {
  let turns = 0;
  const runtime = createTestRuntime(async function* run(turn) {
    turns += 1;
    const results = await Promise.all([
      turn.ask({ ...CITY, tool: undefined, key: "first" }),
      turn.ask({ ...CITY, tool: undefined, key: "second" }),
    ]);
    yield* text(JSON.stringify(results.map(({ outcome }) => outcome)));
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const first = (await stream.request(0)).elicitationId;
  const second = (await stream.request(1)).elicitationId;
  const post = (parts: readonly unknown[], client = ada) =>
    client.fetch("/run/api/chat", { body: { id: "c1", messages: [{ id: "m2", role: "user", parts }] } });
  return { runtime, ada, stream, first, second, post, turns: () => turns };
}

test("a message with one answer gets the reply of the answer endpoint and starts no turn", async () => {
  const { stream, first, second, post, turns } = await askTwice();
  const response = await post([{ type: RESPONSE, data: { elicitationId: first, ...ACCEPT } }]);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ success: true, elicitationId: first, outcome: "accepted" });
  const again = await post([{ type: RESPONSE, data: { elicitationId: first, action: "decline" } }]);
  expect(again.status).toBe(409);
  await post([{ type: RESPONSE, data: { elicitationId: second, action: "decline" } }]);
  await stream.done;
  expect(stream.chunks.at(-3)).toMatchObject({ delta: '["accepted","declined"]' });
  expect(turns()).toBe(1);
});

test("a message with several answers gets one result for each", async () => {
  const { stream, first, second, post } = await askTwice();
  const response = await post([
    { type: RESPONSE, data: { elicitationId: first, ...ACCEPT } },
    { type: RESPONSE, data: { elicitationId: second, action: "accept", content: {} } },
  ]);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    success: false,
    results: [
      {
        elicitationId: first,
        status: 200,
        body: { success: true, elicitationId: first, outcome: "accepted" },
      },
      {
        elicitationId: second,
        status: 400,
        body: { status: 400, errors: [{ field: "city", code: "required" }] },
      },
    ],
  });
  const all = await post([
    { type: RESPONSE, data: { elicitationId: first, ...ACCEPT } },
    { type: RESPONSE, data: { elicitationId: second, action: "cancel" } },
  ]);
  expect(await all.json()).toMatchObject({ success: true, results: [{ status: 200 }, { status: 200 }] });
  await stream.done;
});

/**
 * Sends a message with three answers and returns the order of events: `look` before and `seen` after each read of a
 * record, and `others` each time the process does other work. `read` delays each read.
 */
async function threeAnswers(read: () => Promise<void>): Promise<readonly string[]> {
  const records = createMemoryRecords();
  const happened: string[] = [];
  const get = async (id: string) => {
    happened.push("look");
    await read();
    happened.push("seen");
    return records.get(id);
  };
  const runtime = createTestRuntime(asking(CITY), { ports: { records: { ...records, get } } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const { elicitationId } = await (await ada.send("c1")).request();
  happened.length = 0;

  const wrong = { type: RESPONSE, data: { elicitationId, action: "accept", content: {} } };
  const parts = [wrong, wrong, wrong];
  const replied = new AbortController();
  const otherWork = (async () => {
    while (!replied.signal.aborted) {
      await nextTask();
      happened.push("others");
    }
  })();
  const reply = await ada.fetch("/run/api/chat", { body: { id: "c1", messages: [{ role: "user", parts }] } });
  replied.abort();
  await otherWork;
  expect(await reply.json()).toMatchObject({ results: parts.map(() => ({ status: 400 })) });
  return happened;
}

test("several answers in one message are handled one after the other", async () => {
  const happened = await threeAnswers(() => nextTask());
  const looks = happened.filter((event) => event !== "others");
  expect(looks.length).toBeGreaterThanOrEqual(6);
  expect(looks).toEqual(looks.map((_, index) => (index % 2 === 0 ? "look" : "seen")));
});

test("between several answers, the process handles other work", async () => {
  const happened = await threeAnswers(async () => {});
  const between = happened.slice(happened.indexOf("look"), happened.lastIndexOf("seen"));
  expect(between).toContain("others");
});

test("a part without the data- envelope counts as an answer", async () => {
  const { first, second, post } = await askTwice();
  const bare = await post([{ type: "elicitation-response", elicitationId: first, ...ACCEPT }]);
  expect(await bare.json()).toMatchObject({ outcome: "accepted" });
  const wrapped = await post([
    { type: "elicitation-response", data: { elicitationId: second, action: "cancel" } },
  ]);
  expect(await wrapped.json()).toMatchObject({ outcome: "cancelled" });
});

test("a message with answers and other parts is refused: it settles nothing and starts no turn", async () => {
  const { ada, first, post, turns } = await askTwice();
  const answer = { type: RESPONSE, data: { elicitationId: first, ...ACCEPT } };
  const response = await post([answer, { type: "text", text: "and then?" }]);
  expect(response.status).toBe(400);
  expect(turns()).toBe(1);
  expect(await (await ada.fetch(`/run/api/elicitations/${first}`)).json()).toMatchObject({
    status: "pending",
  });
});

test("one malformed answer refuses the whole message", async () => {
  const { ada, first, post } = await askTwice();
  const response = await post([
    { type: RESPONSE, data: { elicitationId: first, ...ACCEPT } },
    { type: RESPONSE, data: { elicitationId: first, action: "maybe" } },
  ]);
  expect(response.status).toBe(400);
  expect(await (await ada.fetch(`/run/api/elicitations/${first}`)).json()).toMatchObject({
    status: "pending",
  });
});

test("identity, ownership and size are checked as on the answer endpoint", async () => {
  const { runtime, first, post } = await askTwice();
  const answer = { type: RESPONSE, data: { elicitationId: first, ...ACCEPT } };
  expect((await post([answer], createChatClient(runtime.fetch))).status).toBe(401);
  expect((await post([answer], createChatClient(runtime.fetch, { user: "bob" }))).status).toBe(404);
  const huge = { ...answer, data: { ...answer.data, content: { city: "x".repeat(64 * 1024) } } };
  expect((await post([huge])).status).toBe(413);
  const manyBytes = { ...answer, data: { ...answer.data, content: { city: "€".repeat(22_000) } } };
  expect((await post([manyBytes])).status).toBe(413);
  expect((await post(Array.from({ length: 101 }, () => answer))).status).toBe(400);
});

test("an answer that is nested too deeply to serialise is refused as malformed", async () => {
  const { runtime, ada, first } = await askTwice();
  const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  const say = (data: string) =>
    ada.fetch("/run/api/chat", {
      body: `{"id":"c1","messages":[{"role":"user","parts":[{"type":"${RESPONSE}","data":${data}}]}]}`,
    });
  const accept = `"elicitationId":"${first}","action":"accept","content":`;
  expect((await say(`{${accept}{"city":${deep}}}`)).status).toBe(400);
  expect((await say(`{${accept}{"city":"Rome"},"more":${deep}}`)).status).toBe(200);
  expect(runtime.errors).toEqual([]);
});

test("every answer in a message counts towards the rate limit", async () => {
  const { first, post } = await askTwice();
  const answer = { type: RESPONSE, data: { elicitationId: first, action: "accept", content: {} } };
  expect((await post(Array.from({ length: 59 }, () => answer))).status).toBe(200);
  expect((await post([answer])).status).toBe(429);
});

test("a message with more answers than a minute allows counts as all writes of that minute", async () => {
  const { runtime, post } = await askTwice();
  runtime.clock.advance(60_000);
  const answers = Array.from({ length: 100 }, (_, index) => ({
    type: RESPONSE,
    data: { elicitationId: `unknown_${index}`, action: "decline" },
  }));
  const response = await post(answers);
  expect([response.status, (await response.json()).results?.length]).toEqual([200, 100]);
  expect((await post(answers.slice(0, 1))).status).toBe(429);
  runtime.clock.advance(60_000);
  expect((await post(answers)).status).toBe(200);
  await runtime.close();
});
