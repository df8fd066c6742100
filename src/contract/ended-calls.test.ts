import { convertToModelMessages, validateUIMessages } from "ai";
import { expect, it } from "vitest";
import { historyForModel } from "./message-parts.ts";

const said = (text: string) => ({ type: "text", text });
const thought = (text: string) => ({ type: "reasoning", text });
const step = { type: "step-start" };
const call = (toolCallId: string, more: object) => ({ type: "tool-book", toolCallId, input: {}, ...more });
const waiting = call("c1", { state: "input-available" });
const done = call("c2", { state: "output-available", output: "Booked" });

async function modelReads(...parts: readonly unknown[]) {
  const question = { id: "m1", role: "user", parts: [said("Book")] };
  const next = { id: "m3", role: "user", parts: [said("Never mind")] };
  const messages = historyForModel([question, { id: "m2", role: "assistant", parts }, next]);
  const [, ...rest] = await convertToModelMessages(await validateUIMessages({ messages }));
  return rest.slice(0, -1).map(({ role, content }) => ({ role, content }));
}
const asCall = (toolCallId: string) => expect.objectContaining({ type: "tool-call", toolCallId });
const result = (toolCallId: string, output: object) =>
  expect.objectContaining({ type: "tool-result", toolCallId, output });
const ENDED = { type: "error-text", value: "The turn ended before this call had a result." };

it("the model reads that a call ended without a result, after the reasoning that led to it", async () => {
  expect(await modelReads(step, thought("A form"), waiting)).toEqual([
    { role: "assistant", content: [expect.objectContaining(thought("A form")), asCall("c1")] },
    { role: "tool", content: [result("c1", ENDED)] },
  ]);
});

it("a call keeps its result beside one that has none", async () => {
  const first = call("c1", { state: "output-available", output: "Half", preliminary: true });
  const dynamic = { ...waiting, toolCallId: "c3", type: "dynamic-tool", toolName: "book" };
  expect(await modelReads(step, first, done, dynamic)).toEqual([
    { role: "assistant", content: [asCall("c1"), asCall("c2"), asCall("c3")] },
    {
      role: "tool",
      content: [result("c1", ENDED), result("c2", { type: "text", value: "Booked" }), result("c3", ENDED)],
    },
  ]);
});

it.each([
  ["a call that was not complete", [call("c1", { state: "input-streaming" })]],
  ["a call that the provider runs", [{ ...waiting, providerExecuted: true }]],
  ["a question", [{ type: "data-elicitation-request", id: "e", data: {} }]],
  ["nothing", []],
])("reasoning is left out if only %s follows it in its step", async (_, after) => {
  expect(await modelReads(step, thought("Why"), done, step, thought("Hm"), ...after)).toEqual([
    { role: "assistant", content: [expect.objectContaining(thought("Why")), asCall("c2")] },
    { role: "tool", content: [result("c2", { type: "text", value: "Booked" })] },
  ]);
});

it("a message of which nothing is left is left out", async () => {
  expect(await modelReads(thought("Hm"))).toEqual([]);
});

it("a whole turn stays as it is", () => {
  const parts = [step, thought("Why"), said("I book."), done, step, thought("So"), said("Done.")];
  const messages = [{ id: "m2", role: "assistant", parts }];
  expect(historyForModel(messages)).toEqual(messages);
});

const pending = call("c1", { state: "approval-requested", approval: { id: "a1" } });
const approved = call("c1", { state: "approval-responded", approval: { id: "a1", approved: true } });
const denied = call("c1", { state: "approval-responded", approval: { id: "a1", approved: false } });

it("a call whose approval the user has passed over is left out, with its reasoning", async () => {
  expect(await modelReads(step, thought("Why"), pending)).toEqual([]);
});

it("an approved call that did not run before the next message has ended", async () => {
  expect(await modelReads(step, thought("Why"), approved)).toEqual([
    { role: "assistant", content: [expect.objectContaining(thought("Why")), asCall("c1")] },
    { role: "tool", content: [result("c1", ENDED)] },
  ]);
});

it("a call that the user has refused keeps that as its result", async () => {
  const denial = { type: "tool-approval-response", approvalId: "a1", approved: false };
  expect(await modelReads(step, thought("Why"), denied)).toEqual([
    {
      role: "assistant",
      content: [
        expect.objectContaining(thought("Why")),
        asCall("c1"),
        expect.objectContaining({ type: "tool-approval-request", approvalId: "a1" }),
      ],
    },
    {
      role: "tool",
      content: [
        expect.objectContaining(denial),
        result("c1", expect.objectContaining({ type: "execution-denied" })),
      ],
    },
  ]);
});

it.each([
  ["waits for its approval", pending],
  ["was approved", approved],
])("a call of the last message that %s stays as it is", (_, part) => {
  const messages = [
    { id: "m1", role: "user", parts: [said("Book")] },
    { id: "m2", role: "assistant", parts: [step, thought("Why"), part] },
  ];
  expect(historyForModel(messages)).toEqual(messages);
});
