/** What docs/ask/approve-a-tool-call.md says: `askFirst`, and the approvals of the AI SDK, on a card in the same turn. */
import { convertToModelMessages, streamText, tool, toUIMessageStream, validateUIMessages } from "ai";
import { type AgentTurnOptions, createAgentTurn } from "elicit-kit/agent";
import { askFirst, createElicitor, historyForModel } from "elicit-kit/runtime";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { createRefund } from "../../docs/examples/refund.ts";
import { createChatClient } from "../stages/chat-client.ts";
import { createScriptedModel, toolResultsSeen } from "../stages/scripted-model.ts";
import { createTestRuntime } from "../stages/test-runtime.ts";

const ORDER = { order: "A-17", cents: 4200 };
const inputSchema = z.object({ order: z.string(), cents: z.int() });

function setUp(tools: AgentTurnOptions["tools"], more: Partial<AgentTurnOptions> = {}, calls = 1) {
  const steps = Array.from({ length: calls }, () => ({ refund: ORDER }));
  const model = createScriptedModel(...steps, "Done.", ...steps, "Done.");
  const agent = createAgentTurn({
    model,
    tools,
    requester: { name: "Shop" },
    onError: console.error,
    ...more,
  });
  const runtime = createTestRuntime(agent);
  return { model, runtime, ada: createChatClient(runtime.fetch, { user: "ada" }) };
}

const paying = () => vi.fn(async () => {});

test.each([
  ["approves", { action: "accept", content: { cents: 4200 } }, "Refunded 42.00 €.", [["A-17", 4200]]],
  [
    "changes the amount",
    { action: "accept", content: { cents: 3000 } },
    "the user changed",
    [["A-17", 3000]],
  ],
  ["declines", { action: "decline" }, "The user declined", []],
  ["says what they want instead", { action: "decline", note: "Only 30 €" }, "Only 30 €", []],
  ["dismisses the card", { action: "cancel" }, "dismissed the request", []],
])("a refund happens only as the user approves it: the user %s", async (_, answer, result, paid) => {
  const pay = paying();
  const { model, ada } = setUp({ refund: createRefund(pay) });
  const stream = await ada.send("c1");
  const { elicitationId, message, context } = await stream.request();
  expect(message).toBe("Refund an order\n\nOrder: A-17");
  expect(context?.["review"]).toEqual({
    subject: "Refund an order",
    rows: [{ label: "Order", value: "A-17" }],
  });
  expect(pay).not.toHaveBeenCalled();
  await ada.answer("c1", { elicitationId, ...answer });
  await stream.done;
  expect(JSON.stringify(toolResultsSeen(model))).toContain(result);
  expect(pay.mock.calls).toEqual(paid);
});

test("when nobody answers, the tool does not run, and the model reads that silence is no approval", async () => {
  const pay = paying();
  const { model, runtime, ada } = setUp({ refund: createRefund(pay) });
  const stream = await ada.send("c1");
  await stream.request();
  runtime.clock.advance(10 * 60_000);
  await stream.done;
  expect(pay).not.toHaveBeenCalled();
  expect(JSON.stringify(toolResultsSeen(model))).toContain("Silence is no approval");
});

test("a tool that is allowed for the conversation runs without a card there, until the user takes that back", async () => {
  const pay = paying();
  const { ada } = setUp({ refund: createRefund(pay) }, {}, 2);
  const stream = await ada.send("c1");
  const { elicitationId, remember } = await stream.request();
  expect(remember).toEqual({ days: 30, scope: "conversation" });
  await ada.answer("c1", { elicitationId, action: "accept", content: { cents: 3000 }, remember: true });
  await stream.done;
  // The second call has its own arguments, not those of the first one.
  expect(pay.mock.calls).toEqual([
    ["A-17", 3000],
    ["A-17", 4200],
  ]);
  const used = stream.chunks
    .map(({ data }) => JSON.stringify(data))
    .find((data) => data?.includes('"remembered"'));
  const key = /"remembered":"(.+?)"/.exec(used ?? "")?.[1] ?? "";
  expect(key).not.toBe("");

  const elsewhere = await ada.send("c2");
  expect((await elsewhere.request()).resolution).toBeUndefined();
  await ada.fetch("/run/api/chat/c2/stop", { method: "POST" });

  const forgotten = await ada.fetch(`/run/api/remembered/${key}/forget`, { method: "POST", body: {} });
  expect(forgotten.status).toBe(200);
  const again = await ada.send("c1");
  expect((await again.request()).resolution).toBeUndefined();
  await ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
  expect(pay).toHaveBeenCalledTimes(2);
});

test.each([
  ["toolApproval of the agent's settings", { settings: { toolApproval: { refund: "user-approval" } } }, {}],
  [
    "a function as toolApproval",
    {
      settings: {
        toolApproval: ({ toolCall }: { toolCall: { toolName: string } }) =>
          toolCall.toolName === "refund" ? "user-approval" : undefined,
      },
    },
    {},
  ],
  ["needsApproval of the tool", {}, { needsApproval: true }],
  ["needsApproval as a function", {}, { needsApproval: ({ cents }: { cents: number }) => cents > 100 }],
] as const)("%s asks on a card, and the call continues in the same turn", async (_, settings, more) => {
  const pay = vi.fn(async () => "Refunded.");
  const refund = tool({ title: "Refund", inputSchema, execute: pay, ...more });
  const { model, ada } = setUp({ refund }, settings);
  const stream = await ada.send("c1");
  const { elicitationId, message } = await stream.request();
  expect(message).toBe("Refund\n\nOrder: A-17\nCents: 4200");
  expect(pay).not.toHaveBeenCalled();
  await ada.answer("c1", { elicitationId, action: "accept", content: {} });
  await stream.done;
  expect(pay).toHaveBeenCalledOnce();
  expect(JSON.stringify(toolResultsSeen(model))).toContain("Refunded.");
  expect(stream.chunks.filter(({ type }) => type === "tool-approval-request")).toEqual([]);
});

test("toolApproval can deny a call without a card, and approve one", async () => {
  const pay = vi.fn(async () => "Refunded.");
  const refund = tool({ inputSchema, execute: pay, needsApproval: true });
  const denied = setUp(
    { refund },
    { settings: { toolApproval: { refund: { type: "denied", reason: "not today" } } } },
  );
  await (
    await denied.ada.send("c1")
  ).done;
  expect(pay).not.toHaveBeenCalled();
  expect(JSON.stringify(toolResultsSeen(denied.model))).toContain("not today");
  const approved = setUp({ refund }, { settings: { toolApproval: { refund: "approved" } } });
  await (
    await approved.ada.send("c1")
  ).done;
  expect(pay).toHaveBeenCalledOnce();
});

test("askFirst works in an app's own streamText, too", async () => {
  const pay = vi.fn(async () => "Refunded.");
  const model = createScriptedModel({ refund: ORDER }, "Done.");
  const runtime = createTestRuntime(async (turn) => {
    const elicitor = (toolCallId: string) => createElicitor({ turn, tool: "refund", toolCallId });
    const messages = await validateUIMessages({ messages: historyForModel(turn.messages) });
    const result = streamText({
      model,
      messages: await convertToModelMessages(messages),
      tools: { refund: askFirst(tool({ inputSchema, execute: pay }))({ elicitor }) },
    });
    return toUIMessageStream({ stream: result.stream, originalMessages: messages });
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId, message } = await stream.request();
  expect(message).toBe("Refund\n\nOrder: A-17\nCents: 4200");
  await ada.answer("c1", { elicitationId, action: "accept", content: {} });
  await stream.done;
  expect(pay).toHaveBeenCalledOnce();
});

test("toolApproval of an app's own streamText passes through the runtime, and the next message runs the call", async () => {
  const pay = vi.fn(async () => "Refunded.");
  const model = createScriptedModel({ refund: ORDER }, "Done.");
  const runtime = createTestRuntime(async (turn) => {
    const messages = await validateUIMessages({ messages: historyForModel(turn.messages) });
    const result = streamText({
      model,
      messages: await convertToModelMessages(messages),
      tools: { refund: tool({ inputSchema, execute: pay }) },
      toolApproval: { refund: "user-approval" },
    });
    return toUIMessageStream({ stream: result.stream, originalMessages: messages });
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const first = await ada.send("c1");
  await first.done;
  const asked = first.chunks.find(({ type }) => type === "tool-approval-request");
  expect(asked).toBeDefined();
  expect(pay).not.toHaveBeenCalled();

  const question = { id: "u1", role: "user", parts: [{ type: "text", text: "Refund my order" }] };
  const approval = { id: String(asked?.["approvalId"]), approved: true };
  const call = { toolCallId: String(asked?.["toolCallId"]), input: ORDER, approval };
  const part = { type: "tool-refund", state: "approval-responded", ...call };
  const messages = [question, { id: "a1", role: "assistant", parts: [{ type: "step-start" }, part] }];
  const second = await ada.send("c1", { messages });
  await second.done;
  expect(pay).toHaveBeenCalledOnce();
});

test("the user reviews a draft, and the tool gets it as they have left it", async () => {
  const mail = z.object({ to: z.email(), text: z.string(), urgent: z.boolean() });
  const draft = { to: "bo@example.com", text: "Dear Bo,\nsee you on Monday.", urgent: false };
  const seen = vi.fn();
  const model = createScriptedModel({ write: {} }, "Done.");
  const write: NonNullable<AgentTurnOptions["tools"]>[string] = ({ elicitor }) =>
    tool({
      inputSchema: z.object({}),
      async execute(_, { toolCallId }) {
        seen(await elicitor(toolCallId).review("Send this mail", draft, mail));
        return "ok";
      },
    });
  const ada = createChatClient(
    createTestRuntime(
      createAgentTurn({ model, tools: { write }, requester: { name: "Mail" }, onError: console.error }),
    ).fetch,
    { user: "ada" },
  );
  const stream = await ada.send("c1");
  const { elicitationId, requestedSchema } = await stream.request();
  expect(requestedSchema?.properties).toMatchObject({
    to: { default: draft.to },
    text: { default: draft.text },
  });
  const content = { ...draft, text: "Dear Bo,\r\nsee you on Monday.", urgent: true };
  await ada.answer("c1", { elicitationId, action: "accept", content });
  await stream.done;
  expect(seen).toHaveBeenCalledWith({
    outcome: "accepted",
    value: { ...draft, urgent: true },
    changed: ["urgent"],
  });
});
