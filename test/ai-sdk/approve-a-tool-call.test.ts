/** What docs/ask/approve-a-tool-call.md says: `confirm` in a tool, and the approvals of the AI SDK through the runtime. */
import { convertToModelMessages, streamText, tool, toUIMessageStream, validateUIMessages } from "ai";
import { createAgentTurn } from "elicit-kit/agent";
import { stripElicitationParts } from "elicit-kit/runtime";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { createRefund } from "../../docs/examples/refund.ts";
import { createChatClient } from "../stages/chat-client.ts";
import { createScriptedModel, toolResultsSeen } from "../stages/scripted-model.ts";
import { createTestRuntime } from "../stages/test-runtime.ts";

const ORDER = { order: "A-17", cents: 4200 };

test.each([
  ["accepts", { action: "accept", content: { answer: true } }, "Refunded 42.00 €."],
  ["says no", { action: "accept", content: { answer: false } }, "does not want this refund"],
  ["declines", { action: "decline" }, "does not want this refund"],
])("a refund happens only when the user allows it: the user %s", async (_, answer, result) => {
  const pay = vi.fn(async () => {});
  const model = createScriptedModel({ refund: ORDER }, "Done.");
  const runtime = createTestRuntime(
    createAgentTurn({
      model,
      tools: { refund: createRefund(pay) },
      requester: { name: "Shop" },
      onError: console.error,
    }),
  );
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId, message } = await stream.request();
  expect(message).toBe("Refund 42.00 € for order A-17?");
  expect(pay).not.toHaveBeenCalled();
  await ada.answer("c1", { elicitationId, ...answer });
  await stream.done;
  expect(JSON.stringify(toolResultsSeen(model))).toContain(result);
  expect(pay.mock.calls).toEqual(result.startsWith("Refunded") ? [["A-17", 4200]] : []);
});

test("when nobody answers, the tool does nothing, and the model reads that silence is no answer", async () => {
  const pay = vi.fn(async () => {});
  const model = createScriptedModel({ refund: ORDER }, "Done.");
  const runtime = createTestRuntime(
    createAgentTurn({
      model,
      tools: { refund: createRefund(pay) },
      requester: { name: "Shop" },
      onError: console.error,
    }),
  );
  const stream = await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
  await stream.request();
  runtime.clock.advance(10 * 60_000);
  await stream.done;
  expect(pay).not.toHaveBeenCalled();
  expect(JSON.stringify(toolResultsSeen(model))).toContain("10 minutes");
});

test("toolApproval of an app's own streamText passes through the runtime, and the next message runs the call", async () => {
  const pay = vi.fn(async () => "Refunded.");
  const model = createScriptedModel({ refund: ORDER }, "Done.");
  const runtime = createTestRuntime(async (turn) => {
    const messages = await validateUIMessages({ messages: stripElicitationParts(turn.messages) });
    const inputSchema = z.object({ order: z.string(), cents: z.int() });
    const result = streamText({
      model,
      messages: await convertToModelMessages(messages, { ignoreIncompleteToolCalls: true }),
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
