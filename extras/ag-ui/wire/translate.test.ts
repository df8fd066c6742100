import { InterruptSchema, ResumeEntrySchema } from "@ag-ui/core/schemas";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseElicitationRequest } from "../../../src/contract/guard.ts";
import { formRequest, urlRequest } from "../../../src/contract/testing/requests.ts";
import {
  METADATA_KEY,
  URL_REASON,
  readInterrupt,
  readResumeEntry,
  writeInterrupt,
  writeResumeEntry,
} from "./translate.ts";
import { interruptOfLegacy, writeLegacyResume } from "./legacy.ts";

const read = (interrupt: object) => readInterrupt(interrupt as never, "mine", "Planner");

describe("a request that is written and read back", () => {
  test("keeps the schema, the tool call and the expiry of a form, and gets a new id", () => {
    const expiresAt = "2026-11-23T12:00:00Z";
    const asked = formRequest({ expiresAt, toolCallId: "call-1" });
    const interrupt = writeInterrupt(asked, 7);
    expect(interrupt).toMatchObject({ id: "form-1.7", reason: "input_required", expiresAt });
    expect(InterruptSchema.parse(interrupt)).toEqual(interrupt);
    expect(read(JSON.parse(JSON.stringify(interrupt)))).toMatchObject({
      key: "form-1",
      answerAs: "content",
      request: {
        elicitationId: "mine",
        mode: "form",
        message: asked.message,
        requestedSchema: asked.requestedSchema,
        toolCallId: "call-1",
        expiresAt,
        requester: { name: "Planner", claimedName: "Acme Assistant" },
        context: { trigger: "ag_ui_interrupt", reason: "input_required" },
      },
    });
  });

  test("has its page in the metadata, with its completion mode and its status", () => {
    const progress = { status: "pending", lastError: "denied" } as const;
    const interrupt = writeInterrupt(urlRequest({ acceptMeans: "consent", progress }), undefined);
    expect(interrupt).toMatchObject({ id: "url-1", reason: URL_REASON });
    expect(InterruptSchema.parse(interrupt)).toEqual(interrupt);
    expect(read(interrupt).request).toMatchObject({
      mode: "url",
      url: urlRequest().url,
      acceptMeans: "consent",
      progress,
    });
  });

  test("keeps its key when it is reported again at another position", () => {
    const asked = formRequest();
    expect(read(writeInterrupt(asked, 3)).key).toBe(read(writeInterrupt(asked, 9)).key);
  });

  test.each(["accept", "decline", "cancel"] as const)("gets the answer %s as it was written", (action) => {
    const question = read(writeInterrupt(formRequest(), 7));
    const content = action === "accept" ? { city: "Rome", tags: ["a"] } : undefined;
    const entry = writeResumeEntry({ ...question, answer: { action, content } });
    expect(ResumeEntrySchema.parse(entry)).toEqual(entry);
    expect(readResumeEntry(entry)).toEqual({
      elicitationId: "form-1",
      action,
      after: 7,
      ...(content && { content }),
    });
  });

  test("is resumed as cancelled if it has expired without an answer", () => {
    const question = read(writeInterrupt(formRequest(), 7));
    expect(writeResumeEntry(question)).toEqual({ interruptId: "form-1.7", status: "cancelled" });
  });
});

test("any interrupt becomes a valid request, and any answer resumes the interrupt exactly once", () => {
  const text = fc.option(fc.string(), { nil: undefined });
  const anyInterrupt = fc.record({
    id: fc.string(),
    reason: fc.constantFrom("input_required", "confirmation", "tool_call", URL_REASON, "acme:ask"),
    message: text,
    toolCallId: text,
    expiresAt: text,
    responseSchema: fc.oneof(fc.object(), fc.constant(undefined), fc.constant({ type: "string" })),
    metadata: fc.oneof(fc.object(), fc.constant({ [METADATA_KEY]: { url: "https://example.com/" } })),
  });
  const anyAction = fc.constantFrom("accept", "decline", "cancel");
  fc.assert(
    fc.property(anyInterrupt, anyAction, (interrupt, action) => {
      const question = read(interrupt);
      expect(parseElicitationRequest(question.request).ok).toBe(true);
      const entry = writeResumeEntry({ ...question, answer: { action } });
      expect(entry.interruptId).toBe(interrupt.id);
      expect(ResumeEntrySchema.safeParse(JSON.parse(JSON.stringify(entry))).success).toBe(true);
    }),
  );
});

test("a malformed resume entry is ignored", () => {
  for (const entry of [null, "x", {}, { interruptId: 7 }, { interruptId: "a", status: "maybe" }]) {
    expect(readResumeEntry(entry)).toBeUndefined();
  }
  fc.assert(
    fc.property(fc.anything(), (entry) => {
      expect(() => readResumeEntry(entry)).not.toThrow();
    }),
  );
});

test("in the LangGraph style, one answer is sent as a value, several as a list, and a refusal as its action", () => {
  const question = read({ id: "a", reason: "langgraph:interrupt" });
  const accepted = { ...question, answer: { action: "accept", content: { response: "Ada" } } } as const;
  const declined = { ...question, answer: { action: "decline" } } as const;
  expect(writeLegacyResume([accepted])).toEqual({ forwardedProps: { command: { resume: "Ada" } } });
  expect(writeLegacyResume([accepted, declined])).toEqual({
    forwardedProps: { command: { resume: ["Ada", { action: "decline" }] } },
  });
});

test("the payload with which a Mastra tool suspends is shown as a question, never as raw JSON", () => {
  const suspended = { type: "mastra_suspend", toolCallId: "c1", toolName: "refund" };
  const resumeSchema = JSON.stringify({ type: "object", properties: { approved: { type: "boolean" } } });
  const said = JSON.stringify({ ...suspended, suspendPayload: { message: "Refund 20 €?" }, resumeSchema });
  const question = read(interruptOfLegacy(said, "a"));
  expect(question.request).toMatchObject({
    message: "Refund 20 €?",
    requestedSchema: { properties: { approved: { type: "boolean" } } },
  });
  const silent = read(
    interruptOfLegacy(JSON.stringify({ ...suspended, suspendPayload: { amount: 20 } }), "b"),
  );
  expect(silent.request.message).toBe("The agent waits for your answer.");
});
