/** Tests for "Use this answer again", with which a user lets a tool ask only once (contract, section 4). */
import { expect, test, vi } from "vitest";
import * as z from "zod";
import { type ReadStream, createChatClient } from "../../../test/stages/chat-client.ts";
import { CITY, createTestRuntime, text } from "../../../test/stages/test-runtime.ts";
import { entryOf } from "../../../extras/audit/decision.ts";
import { createMemoryDecisionLog } from "../../../extras/audit/index.ts";
import { type ElicitationRequest, REQUEST_PART_TYPE } from "../../contract/contract.ts";
import { parseElicitationRequest } from "../../contract/guard.ts";
import {
  type FormQuestion,
  type RuntimeOptions,
  createElicitor,
  createMemoryRecords,
} from "../../runtime/index.ts";
import { createMemoryRemembered } from "./memory-remembered.ts";
import { currentRequest } from "../../runtime/request/record.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const ALWAYS: FormQuestion = { ...CITY, remember: true };
const LISBON = { city: "Lisbon" };

/** A chat whose next turn asks `question.now`. */
function chat(first: FormQuestion, options: Partial<RuntimeOptions> = {}) {
  const question = { now: first };
  const results: unknown[] = [];
  const runtime = createTestRuntime(async function* (turn) {
    const result = await turn.ask(question.now);
    results.push(result);
    yield* text("done");
  }, options);
  const user = (id: string) => {
    const client = createChatClient(runtime.fetch, { user: id });
    const post = (path: string, body: unknown) =>
      client.fetch(`/run/api/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    let turns = 0;
    return {
      post,
      async ask(): Promise<{ request: ElicitationRequest; conversationId: string }> {
        const conversationId = `${id}-${(turns += 1)}`;
        return { request: await firstRequest(await client.send(conversationId)), conversationId };
      },
      answer: (
        asked: { request: ElicitationRequest; conversationId: string },
        answer: Readonly<Record<string, unknown>>,
      ) =>
        post("elicitation-responses", {
          conversationId: asked.conversationId,
          elicitationId: asked.request.elicitationId,
          ...answer,
        }),
    };
  };
  return { runtime, question, results, ada: user("ada"), bob: user("bob") };
}

const accept = { action: "accept", content: LISBON };
const ticked = { ...accept, remember: true };

test("when the user lets an answer be remembered, the same question gets it next time, and the chat gets the receipt", async () => {
  const { ada, results } = chat(ALWAYS);
  const first = await ada.ask();
  expect(first.request.remember).toEqual({ days: 30 });
  expect((await ada.answer(first, ticked)).status).toBe(200);
  const second = await ada.ask();
  expect(second.request.resolution).toEqual({
    outcome: "accepted",
    at: "2026-11-20T12:00:00.000Z",
    remembered: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  await expect.poll(() => results).toHaveLength(2);
  expect(results[1]).toEqual({ outcome: "accepted", content: LISBON });
});

test("a question is asked again if the user has not ticked the box, has declined, or is another user", async () => {
  const { ada, bob } = chat(ALWAYS);
  await ada.answer(await ada.ask(), accept);
  await ada.answer(await ada.ask(), { action: "decline" });
  const third = await ada.ask();
  expect(third.request.resolution).toBeUndefined();
  await ada.answer(third, ticked);
  expect((await bob.ask()).request.resolution).toBeUndefined();
});

test("the server ignores `remember` in an answer if it has not offered it", async () => {
  const { ada, question } = chat(CITY);
  const first = await ada.ask();
  expect(first.request).not.toHaveProperty("remember");
  expect((await ada.answer(first, ticked)).status).toBe(200);
  question.now = ALWAYS;
  expect((await ada.ask()).request.resolution).toBeUndefined();
});

test("`remember` in an answer other than accept gets 400", async () => {
  const { ada } = chat(ALWAYS);
  const reply = await ada.answer(await ada.ask(), { action: "decline", remember: true });
  expect(reply.status).toBe(400);
});

const nights = { type: "integer", title: "Nights" } as const;
const changes: readonly (readonly [string, Partial<FormQuestion>])[] = [
  ["other words", { message: "Where to now?" }],
  ["another tool", { tool: { id: "hotels", name: "hotels" } }],
  [
    "another field",
    { requestedSchema: { ...CITY.requestedSchema, properties: { city: { type: "string" }, nights } } },
  ],
];
for (const [what, change] of changes) {
  test(`a question with ${what} does not get the remembered answer`, async () => {
    const { ada, question } = chat(ALWAYS);
    await ada.answer(await ada.ask(), ticked);
    question.now = { ...ALWAYS, ...change };
    expect((await ada.ask()).request.resolution).toBeUndefined();
  });
}

test("a question of the same kind gets the remembered answer whatever its text, and a question of another kind does not", async () => {
  const remember = { kind: "Trips", days: 2 };
  const { ada, question, runtime } = chat({ ...CITY, remember });
  const first = await ada.ask();
  expect(first.request.remember).toEqual({ days: 2, kind: "Trips" });
  await ada.answer(first, ticked);
  question.now = { ...CITY, message: "And then?", remember };
  expect((await ada.ask()).request.resolution?.remembered).toBeDefined();
  question.now = { ...CITY, remember: { ...remember, kind: "Work" } };
  expect((await ada.ask()).request.resolution).toBeUndefined();
  question.now = { ...CITY, remember };
  runtime.clock.advance(2 * DAY_MS);
  expect((await ada.ask()).request.resolution).toBeUndefined();
});

test("forms for secrets, forms of third parties and forms without a tool never offer to remember", async () => {
  const { ada, question } = chat(ALWAYS);
  const properties = { pin: { type: "string", title: "PIN" } };
  const never: readonly FormQuestion[] = [
    { ...ALWAYS, requestedSchema: { type: "object", properties } },
    { ...ALWAYS, requester: { name: "Demo", claimedName: "Bank" } },
    { ...ALWAYS, tool: undefined },
  ];
  for (const one of never) {
    question.now = one;
    expect((await ada.ask()).request).not.toHaveProperty("remember");
  }
});

test("a runtime with records outside its memory does not remember answers in its memory", async () => {
  const { ada } = chat(ALWAYS, { ports: { records: createMemoryRecords() } });
  const { request } = await ada.ask();
  expect(request).not.toHaveProperty("remember");
  expect((await ada.post("remembered/x/forget", {})).status).toBe(404);
});

test("after “Ask me again next time” the user is asked, and only they can choose that", async () => {
  const { ada, bob } = chat(ALWAYS);
  await ada.answer(await ada.ask(), ticked);
  const { request } = await ada.ask();
  const path = `remembered/${request.resolution?.remembered}/forget`;
  expect((await bob.post(path, {})).status).toBe(200);
  expect((await ada.ask()).request.resolution?.remembered).toBeDefined();
  const reply = await ada.post(path, {});
  expect([reply.status, await reply.json()]).toEqual([200, { success: true }]);
  expect((await ada.post(path, {})).status).toBe(200);
  expect((await ada.ask()).request.resolution).toBeUndefined();
});

test("“Ask me again next time” works while the answer is remembered, even if its request was deleted long ago", async () => {
  const { ada, runtime } = chat(ALWAYS);
  await ada.answer(await ada.ask(), ticked);
  const { elicitationId, resolution } = (await ada.ask()).request;
  runtime.clock.advance(29 * DAY_MS);
  expect(await runtime.elicitations.get(elicitationId)).toBeUndefined();
  expect((await ada.ask()).request.resolution?.remembered).toBe(resolution?.remembered);
  expect((await ada.post(`remembered/${resolution?.remembered}/forget`, {})).status).toBe(200);
  expect((await ada.ask()).request.resolution).toBeUndefined();
});

test("the decision log contains remembered answers and their uses", async () => {
  const log = createMemoryDecisionLog();
  const records = log.watch(createMemoryRecords());
  const { ada } = chat(ALWAYS, { ports: { records, remembered: createMemoryRemembered() } });
  await ada.answer(await ada.ask(), ticked);
  await ada.ask();
  const rows = await log.read({ limit: 10 });
  expect(rows.map(({ event, by, through, remembered: how }) => ({ event, by, through, how }))).toEqual([
    { event: "asked" },
    { event: "accepted", by: "ada", through: "chat", how: "kept" },
    { event: "asked" },
    { event: "accepted", by: "ada", through: "remembered", how: "used" },
  ]);
});

test("a record in which an earlier version has stored the use of an answer reads the same", async () => {
  const { ada, runtime } = chat(ALWAYS);
  await ada.answer(await ada.ask(), ticked);
  const { request } = await ada.ask();
  const record = await runtime.elicitations.get(request.elicitationId);
  const earlier = JSON.parse(JSON.stringify({ ...record, remembered: "used" }));
  expect(currentRequest(earlier)).toEqual(request);
  expect(await entryOf(earlier)).toMatchObject({ event: "accepted", remembered: "used" });
});

test("when the store of remembered answers fails, the user is asked, and their answer counts", async () => {
  const fails = () => Promise.reject(new Error("down"));
  const { ada, runtime, results } = chat(ALWAYS, {
    ports: { remembered: { list: fails, put: fails, remove: fails } },
  });
  const first = await ada.ask();
  expect(first.request.resolution).toBeUndefined();
  expect((await ada.answer(first, ticked)).status).toBe(200);
  await expect.poll(() => results).toEqual([{ outcome: "accepted", content: LISBON }]);
  expect(runtime.errors).toHaveLength(2);
});

test("a question is asked again when its remembered answer no longer passes the tool's own checks", async () => {
  let allowed = "Lisbon";
  const values: unknown[] = [];
  const runtime = createTestRuntime(async function* (turn) {
    const elicitor = createElicitor({ turn, tool: "book", toolCallId: turn.id });
    const schema = z.object({ city: z.string().refine((city) => city === allowed) });
    values.push(await elicitor.form("Where to?", schema, { remember: true }));
    yield* text("done");
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const ask = async (conversationId: string) => firstRequest(await ada.send(conversationId));
  const { elicitationId } = await ask("c1");
  const body = JSON.stringify({ conversationId: "c1", elicitationId, ...ticked });
  const headers = { "content-type": "application/json" };
  await ada.fetch("/run/api/elicitation-responses", { method: "POST", headers, body });
  expect((await ask("c2")).resolution?.remembered).toBeDefined();
  await expect.poll(() => values).toHaveLength(2);
  expect(values[1]).toEqual({ outcome: "accepted", value: LISBON });
  allowed = "Rome";
  expect((await ask("c3")).resolution).toBeUndefined();
});

test("a round waits only for the questions that have no remembered answer", async () => {
  const other: FormQuestion = { ...CITY, message: "And back?", tool: { id: "back", name: "back" } };
  let isRound = false;
  const runtime = createTestRuntime(async function* (turn) {
    if (isRound) await turn.askRound([ALWAYS, other]);
    else await turn.ask(ALWAYS);
    yield* text("done");
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const first = await (await ada.send("c1")).request();
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ conversationId: "c1", elicitationId: first.elicitationId, ...ticked });
  await ada.fetch("/run/api/elicitation-responses", { method: "POST", headers, body });
  isRound = true;
  await ada.send("c2");
  await expect
    .poll(async () => {
      const list = await ada.fetch("/run/api/elicitations?conversationId=c2");
      return list.json();
    })
    .toMatchObject({ elicitations: [{ message: "And back?" }] });
  const list = await ada.fetch("/run/api/elicitations?conversationId=c2");
  expect(await list.text()).not.toContain('"round"');
});

test("a question with a remembered answer is never open, also if the store of records ignores the settlement", async () => {
  const records = createMemoryRecords();
  const created: string[] = [];
  const { ada, results } = chat(ALWAYS, {
    ports: {
      remembered: createMemoryRemembered(),
      records: {
        ...records,
        create(record, lease) {
          created.push(record.status);
          return records.create(record, lease);
        },
      },
    },
  });
  await ada.answer(await ada.ask(), ticked);
  await ada.ask();
  expect(created).toEqual(["pending", "accepted"]);
  await expect.poll(() => results).toHaveLength(2);
  expect(results[1]).toEqual({ outcome: "accepted", content: LISBON });
});

/** The first request of a stream, even if it has already ended. */
async function firstRequest(stream: ReadStream): Promise<ElicitationRequest> {
  return vi.waitFor(() => {
    const chunk = stream.chunks.find(({ type }) => type === REQUEST_PART_TYPE);
    const parsed = parseElicitationRequest(chunk?.["data"]);
    if (!parsed.ok) throw new Error("nothing was asked");
    return parsed.value;
  });
}

test("an approval for the conversation does not remove an argument that its form cannot hold", async () => {
  const values: unknown[] = [];
  let url = "https://example.com/";
  const runtime = createTestRuntime(async function* (turn) {
    const elicitor = createElicitor({ turn, tool: "open", toolCallId: turn.id });
    const schema = z.object({ url: z.url().optional() });
    values.push(await elicitor.review("Open the page", { url }, schema, { edit: ["url"], remember: true }));
    yield* text("done");
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const { elicitationId } = await firstRequest(await ada.send("c1"));
  const body = { conversationId: "c1", elicitationId, action: "accept", content: { url }, remember: true };
  await ada.fetch("/run/api/elicitation-responses", { body });
  await expect.poll(() => values).toEqual([{ outcome: "accepted", value: { url }, changed: [] }]);
  url = "https://example.com/2";
  expect((await firstRequest(await ada.send("c1"))).resolution?.remembered).toBeDefined();
  url = "https://de.wikipedia.org/wiki/München";
  expect((await firstRequest(await ada.send("c1"))).resolution?.remembered).toBeDefined();
  await expect.poll(() => values[2]).toEqual({ outcome: "accepted", value: { url }, changed: [] });
  await runtime.close();
});
