import { expect, test, vi } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { createTestRuntime, text } from "../../../test/stages/test-runtime.ts";
import { entryOf } from "../../../extras/audit/decision.ts";
import type { FormQuestion, RuntimeOptions } from "../index.ts";

const QUESTION: FormQuestion = {
  mode: "form",
  message: "Refund 42 €?",
  tool: { id: "refund", name: "refund" },
  requestedSchema: {
    type: "object",
    properties: { euros: { type: "number", title: "Euros" } },
    required: ["euros"],
  },
};

function setUp(options: Partial<RuntimeOptions>) {
  const results = vi.fn();
  const runtime = createTestRuntime(async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    results(await turn.ask(QUESTION));
    yield* text("Done.");
    yield { type: "finish" };
  }, options);
  return { runtime, results, ada: createChatClient(runtime.fetch, { user: "ada" }) };
}

const resolved = (chunks: readonly Readonly<Record<string, unknown>>[]) =>
  chunks.flatMap(({ data }) =>
    JSON.stringify(data)?.includes("resolution") ? [data as Record<string, unknown>] : [],
  );

test("a rule answers a question: the user is not asked, and reads which rule has answered", async () => {
  const beforeAsk = vi.fn(() => ({ rule: "Small refunds", answer: { euros: 42 } }));
  const { runtime, results, ada } = setUp({ beforeAsk });
  const stream = await ada.send("c1");
  await stream.done;
  expect(results).toHaveBeenCalledWith({ outcome: "accepted", content: { euros: 42 } });
  expect(beforeAsk.mock.calls[0]).toMatchObject([
    {
      user: { id: "ada" },
      conversationId: "c1",
      mode: "form",
      message: "Refund 42 €?",
      tool: { name: "refund" },
    },
  ]);
  const [request] = resolved(stream.chunks);
  expect(request?.["resolution"]).toMatchObject({ outcome: "accepted", by: "Small refunds" });
  const record = await runtime.elicitations.get(String(request?.["elicitationId"]));
  expect(record && (await entryOf(record))).toMatchObject({ event: "accepted", policy: "Small refunds" });
  expect(record && (await entryOf(record))).not.toHaveProperty("by");
});

test("a rule refuses a question: nobody is asked, and the tool learns which rule has refused", async () => {
  const { runtime, results, ada } = setUp({ beforeAsk: () => ({ rule: "No refunds", refuse: true }) });
  const stream = await ada.send("c1");
  await stream.done;
  const reason = 'the rule "No refunds" does not allow it';
  expect(results).toHaveBeenCalledWith({ outcome: "failed", reason });
  const [request] = resolved(stream.chunks);
  const record = await runtime.elicitations.get(String(request?.["elicitationId"]));
  expect(record && (await entryOf(record))).toMatchObject({ event: "failed", policy: "No refunds" });
});

test("a rule leaves a question to another user, who decides it", async () => {
  const { runtime, results, ada } = setUp({
    beforeAsk: () => ({ rule: "Large refunds", assignee: { user: "bo" } }),
    assign: { may: () => true, nameOf: () => "Bo" },
  });
  const stream = await ada.send("c1");
  const { elicitationId, assignee } = await stream.request();
  expect(assignee).toMatchObject({ name: "Bo" });
  const record = await runtime.elicitations.get(elicitationId);
  expect(record && (await entryOf(record))).toMatchObject({
    event: "asked",
    policy: "Large refunds",
    assignee: { user: "bo" },
  });
  const bo = createChatClient(runtime.fetch, { user: "bo" });
  await bo.answer(elicitationId, { elicitationId, action: "accept", content: { euros: 40 } });
  await stream.done;
  expect(results).toHaveBeenCalledWith({ outcome: "accepted", content: { euros: 40 }, by: "bo" });
  const ended = await runtime.elicitations.get(elicitationId);
  expect(ended && (await entryOf(ended))).toMatchObject({ event: "accepted", by: "bo" });
  expect(ended && (await entryOf(ended))).not.toHaveProperty("policy");
});

test("a question without a rule reaches its user", async () => {
  const { results, ada } = setUp({ beforeAsk: () => undefined });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "accept", content: { euros: 1 } });
  await stream.done;
  expect(results).toHaveBeenCalledWith({ outcome: "accepted", content: { euros: 1 } });
});

test.each([
  ["throws", () => Promise.reject(new Error("db-1 is down"))],
  ["answers what the form does not allow", () => ({ rule: "Wrong", answer: { euros: "many" } })],
])("when a rule %s, nobody is asked and the operator reads why", async (_, beforeAsk) => {
  const { runtime, results, ada } = setUp({ beforeAsk });
  const stream = await ada.send("c1");
  await stream.done;
  expect(results.mock.calls[0]?.[0]).toMatchObject({ outcome: "failed" });
  expect(resolved(stream.chunks)).toEqual([]);
  expect(runtime.errors).toHaveLength(1);
});
