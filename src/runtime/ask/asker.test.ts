import { expect, test } from "vitest";
import { parseStreamEvent } from "../../contract/schema.ts";
import { createChatClient, readStream } from "../../../test/stages/chat-client.ts";
import { CITY, CONNECT, asking, createTestRuntime, text } from "../../../test/stages/test-runtime.ts";
import type { ElicitationRequest } from "../../contract/contract.ts";
import type { Question, RuntimeOptions, UrlQuestion } from "../index.ts";

const QUESTION: UrlQuestion = { ...CONNECT, toolCallId: "call_1" };

function setUp() {
  const runtime = createTestRuntime(async function* run(turn) {
    await turn.ask(QUESTION);
    await turn.ask({ ...QUESTION, toolCallId: "call_2" });
    await turn.ask({ ...CITY, toolCallId: "call_3" });
    const result = await turn.ask({ ...QUESTION, context: { trigger: "tool" } });
    yield* text(result.outcome);
  });
  return createChatClient(runtime.fetch, { user: "ada" });
}

const NOTICE = {
  type: "data-tool-auth-required",
  data: {
    type: "data-tool-auth-required",
    toolCallId: "call_1",
    toolName: "tracker_create_issue",
    toolId: "tracker",
    message: "To continue, Demo needs your Tracker account.",
    authLink: expect.stringMatching(/^https:\/\/auth\.example\.com\/auth\/connect\?elicitationId=[\w-]{22}$/),
  },
};

test("a chat that cannot show URL requests gets one notice about the missing account, and the tool does not wait", async () => {
  const stream = await setUp().send("c1", { capabilities: { elicitation: { form: {} } }, messages: [{}] });
  const form = await stream.request();
  expect(form.mode).toBe("form");
  const notices = stream.chunks.filter(({ type }) => type === "data-tool-auth-required");
  expect(notices).toEqual([NOTICE]);
  expect(parseStreamEvent(notices[0])).toMatchObject({ ok: true, known: true });
});

test("a client that does not stream gets the notice about the missing account beside the text", async () => {
  const response = await setUp().fetch("/run/api/chat", {
    body: { id: "c1", stream: false, messages: [{ role: "user", parts: [] }] },
  });
  expect(await response.json()).toMatchObject({
    parts: [{ type: "text", text: "unsupported" }],
    data: [NOTICE],
  });
});

test("an OpenAI client that does not declare elicitation gets only text", async () => {
  const response = await setUp().fetch("/run/v1/chat/completions", {
    body: { conversationId: "c1", stream: true, messages: [{ role: "user", content: "Go" }] },
  });
  const stream = readStream(response);
  await stream.done;
  expect(JSON.stringify(stream.chunks)).not.toContain("tool-auth-required");
  expect(JSON.stringify(stream.chunks)).toContain("unsupported");
});

test("two different pages of one tool get two cards, and a second question for the same page shares its card in other words", async () => {
  const page = (path: string, index: number): UrlQuestion => ({
    ...CONNECT,
    url: `https://pay.example.com/${path}`,
    purpose: "pay",
    message: `Please pay (${index}).`,
  });
  const runtime = createTestRuntime(async function* run(turn) {
    const asked = ["deposit", "rest", "deposit"].map((path, index) => turn.ask(page(path, index)));
    yield* text((await Promise.all(asked)).map(({ outcome }) => outcome).join(" "));
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const second = await stream.request(1);
  const { elicitations: open } = await (await ada.fetch("/run/api/elicitations?conversationId=c1")).json();
  expect(open).toMatchObject([
    { url: "https://pay.example.com/deposit" },
    { url: "https://pay.example.com/rest" },
  ]);
  await ada.answer("c1", { elicitationId: second.elicitationId, action: "decline" });
  await runtime.elicitations.complete(open[0].elicitationId);
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: "accepted declined accepted" }));
});

test("two payments of one tool, each on its own page, get one card each", async () => {
  const runtime = createTestRuntime(async function* run(turn) {
    const { service: _, ...page } = CONNECT;
    const asked = ["Pay 10 €", "Pay 1,000 €", "Pay 10 €"].map((message) =>
      turn.ask({ ...page, context: { trigger: "tool" }, purpose: "pay", message }),
    );
    yield* text((await Promise.all(asked)).map(({ outcome }) => outcome).join(" "));
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const [first, second] = [await stream.request(0), await stream.request(1)];
  await runtime.elicitations.complete(first.elicitationId);
  await ada.answer("c1", { elicitationId: second.elicitationId, action: "decline" });
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: "accepted declined accepted" }));
});

test("two questions of one tool to sign in share a card whatever their words, unless they have keys", async () => {
  const runtime = createTestRuntime(async function* run(turn) {
    const keys = [undefined, undefined, "work", "private"];
    const asked = keys.map((key, index) => turn.ask({ ...CONNECT, key, message: `Sign in (${index}).` }));
    yield* text((await Promise.all(asked)).map(({ outcome }) => outcome).join(" "));
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const cards = [await stream.request(0), await stream.request(1), await stream.request(2)];
  for (const { elicitationId } of cards) await runtime.elicitations.complete(elicitationId);
  await stream.done;
  expect(stream.chunks).toContainEqual(
    expect.objectContaining({ delta: "accepted accepted accepted accepted" }),
  );
  expect(new Set(cards.map(({ elicitationId }) => elicitationId)).size).toBe(3);
});

/** Asks once and writes the results. */
function inRounds(round: readonly Question[], options: Partial<RuntimeOptions> = {}) {
  const runtime = createTestRuntime(async function* run(turn) {
    const results = await turn.askRound(round);
    yield* text(results.map(({ outcome }) => outcome).join(" "));
  }, options);
  return { runtime, ada: createChatClient(runtime.fetch, { user: "ada" }) };
}

const NAME = { ...CITY, message: "Who?", tool: { id: "name", name: "name" } };

test("parallel questions form one round, whose size is the number of cards", async () => {
  const { runtime, ada } = inRounds([CITY, CONNECT, CONNECT, NAME]);
  const stream = await ada.send("c1");
  await stream.request(2);
  const { elicitations: open }: { elicitations: ElicitationRequest[] } = await (
    await ada.fetch("/run/api/elicitations?conversationId=c1")
  ).json();
  expect(open.map(({ message }) => message)).toEqual(["Where to?", CONNECT.message, "Who?"]);
  const round = { id: expect.stringMatching(/^[\w-]{22}$/), size: 3 };
  for (const request of open) expect(request.round).toEqual(round);
  expect(new Set(open.map((request) => request.round?.id)).size).toBe(1);
  const shown = stream.chunks.filter(({ type }) => type === "data-elicitation-request");
  expect(shown).toMatchObject([{ data: { round } }, { data: { round } }, { data: { round } }]);
  for (const { elicitationId } of open) await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect(stream.chunks).toContainEqual(
    expect.objectContaining({ delta: "declined declined declined declined" }),
  );
  expect(runtime.errors).toEqual([]);
});

test("the size of a round does not include questions in unsupported modes, beyond the limit, or with an invalid schema", async () => {
  const nowhere: UrlQuestion = { ...CONNECT, url: "nowhere", tool: { id: "x", name: "x" } };
  const fourth = { ...NAME, tool: { id: "four", name: "four" } };
  const { runtime, ada } = inRounds([nowhere, CITY, NAME, fourth], {
    limits: { open: { perConversation: 2 } },
  });
  const stream = await ada.send("c1");
  const last = await stream.request(1);
  expect(last.round?.size).toBe(2);
  await runtime.close();
  await stream.done;
  expect(runtime.errors.map(String)).toEqual([expect.stringContaining("must be absolute")]);
});

test.each<[string, Question]>([
  ["request.message", { ...CITY, message: "a".repeat(8193) }],
  ["request.url", { ...CONNECT, url: `https://auth.example.com/${"a".repeat(8192)}` }],
  ["request.round.size", { ...CITY, round: { id: "r", size: 0 } }],
])(
  "a question that clients would refuse because of its %s fails, and the user is not asked",
  async (path, question) => {
    const runtime = createTestRuntime(asking(question));
    const stream = await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
    await stream.done;
    expect(stream.chunks.filter(({ type }) => type === "data-elicitation-request")).toEqual([]);
    expect(runtime.errors.map(String)).toEqual([
      expect.stringContaining(`elicit-kit: this question cannot be asked: ${path}: expected `),
    ]);
  },
);

test("a round with only one card is asked as a single question", async () => {
  const { ada } = inRounds([CONNECT, CITY]);
  const stream = await ada.send("c1", { capabilities: { elicitation: { form: {} } } });
  const request = await stream.request();
  expect(request.round).toBeUndefined();
  await ada.answer("c1", { elicitationId: request.elicitationId, action: "cancel" });
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: "unsupported cancelled" }));
});
