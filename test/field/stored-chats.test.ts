import { type UIMessage, validateUIMessages } from "ai";
import { elicitationRequestSchema } from "elicit-kit/contract/schema";
import { historyForModel } from "elicit-kit/runtime";
import { expect } from "vitest";
import { z } from "zod";
import { withoutApprovals } from "../../src/agent/unique-call-ids.ts";
import { formRequest } from "../../src/contract/testing/requests.ts";
import { fieldCase } from "./field-case.ts";

const STORED: UIMessage[] = [
  {
    id: "m1",
    role: "assistant",
    parts: [
      { type: "data-hotel", data: { name: "Terrace" } },
      { type: "data-elicitation-request", id: "form-1", data: formRequest() },
    ],
  },
];
const hotel = z.object({ name: z.string() });

fieldCase(
  { sources: ["vercel/ai#8065", "vercel/ai#18425"], before: "failed" },
  "a stored conversation with a question loads beside data parts that the app checks",
  async () => {
    const checked = await validateUIMessages({
      messages: STORED,
      dataSchemas: { hotel, "elicitation-request": elicitationRequestSchema },
    });
    expect(checked).toEqual(STORED);
  },
);

fieldCase(
  { sources: ["vercel/ai#8065"], before: "passed" },
  "a stored conversation with a question loads where the app checks no data parts",
  async () => {
    expect(await validateUIMessages({ messages: STORED })).toEqual(STORED);
  },
);

fieldCase(
  { sources: ["vercel/ai#17626", "vercel/ai#18451", "vercel/ai#12709"], before: "failed" },
  "a stored call that still waits for an approval is not sent to the model without a result",
  () => {
    const text = { type: "text", text: "I look it up." };
    const call = { type: "tool-refund", toolCallId: "c", input: {}, approval: { id: "a" } };
    const waiting = { ...call, state: "approval-requested" };
    const ended = { ...call, state: "output-denied" };
    const message = (...parts: unknown[]) => ({ id: "m", role: "assistant", parts });
    expect(withoutApprovals([message(text, waiting, ended), message(waiting)])).toEqual([
      message(text, ended),
    ]);
  },
);

fieldCase(
  { sources: ["vercel/ai#8811", "vercel/ai#10638", "tailcallhq/forgecode#3071"], before: "failed" },
  "after a stop, the model's reasoning is not sent without the call that it led to",
  () => {
    const reasoning = { type: "reasoning", text: "I need a date.", state: "done" };
    const call = { type: "tool-book", toolCallId: "c", state: "input-available", input: {} };
    const message = (...parts: unknown[]) => ({ id: "m", role: "assistant", parts });
    const errorText = "The turn ended before this call had a result.";
    expect(historyForModel([message(reasoning, call)])).toEqual([
      message(reasoning, { ...call, state: "output-error", errorText }),
    ]);
    expect(historyForModel([message(reasoning, { ...call, state: "input-streaming" })])).toEqual([]);
  },
);
