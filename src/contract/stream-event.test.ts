import { createEventSourceResponseHandler } from "@ai-sdk/provider-utils";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { config } from "zod/mini";
import { parseStreamEvent, streamEventSchema } from "./schema.ts";

// The machine may be busy, and FC_RUNS may ask for long runs.
vi.setConfig({ testTimeout: 600_000 });
// Loading all of zod sets error messages for the whole process. Apps may do that, or not.
const { localeError } = config();
beforeAll(() => void config({ localeError: undefined }));
afterAll(() => void config({ localeError }));
const runs = { numRuns: Number(process.env["FC_RUNS"] ?? 300) };
const request = {
  type: "elicitation-request",
  elicitationId: "e1",
  mode: "url",
  message: "Connect Linear",
  url: "https://auth.example.com/connect",
};
const resolution = { outcome: "accepted", at: "2026-11-20T10:00:00Z" };
const needed = {
  type: "data-tool-auth-required",
  toolCallId: "c",
  toolName: "n",
  toolId: "t",
  message: "Connect",
  authLink: "https://auth.example.com",
};

/** One frame of each known type, in the formats of the platform and the AI SDK. */
const frames = [
  request,
  { type: "elicitation-request", data: request },
  { type: "data-elicitation-request", id: "e1", data: request },
  { type: "data-elicitation-request", id: "e1", data: { ...request, resolution } },
  { type: "elicitation-resolved", elicitationId: "e1", resolution },
  { type: "data-tool-auth-required", data: needed },
  { type: "start", messageId: "m" },
  { type: "start" },
  { type: "text-start", id: "1795216882925-pjoxxrbmf" },
  { type: "text-delta", id: "t", delta: "Let" },
  { type: "text-end", id: "t" },
  { type: "tool-input-start", toolCallId: "c", toolName: "n" },
  { type: "tool-input-delta", toolCallId: "c", inputTextDelta: '{"path":' },
  { type: "tool-input-available", toolCallId: "c", toolName: "n", input: {} },
  { type: "tool-approval-request", toolCallId: "c", approvalId: "aitxt-c" },
  { type: "tool-output-available", toolCallId: "c", output: null },
  { type: "tool-output-error", toolCallId: "c", errorText: "boom" },
  { type: "tool-output-denied", toolCallId: "c" },
  { type: "data-component", id: "x", data: {} },
  { type: "data-artifact", data: {} },
  { type: "data-operation", data: { type: "error", message: "boom" } },
  { type: "data-summary", data: {} },
  { type: "error", message: "boom", severity: "error", timestamp: 1 },
  { type: "error", errorText: "boom" },
  { type: "error", error: "boom" },
  { type: "finish" },
  { type: "finish", finishReason: "stop", usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 } },
];

it.each(frames)("parseStreamEvent recognises %j and returns the same object", (frame) => {
  expect(parseStreamEvent(frame)).toEqual({ ok: true, known: true, event: frame });
  const parsed = parseStreamEvent(frame);
  expect(parsed.ok && parsed.event).toBe(frame);
});

it("parseStreamEvent keeps additional properties of a known event", () => {
  const parsed = parseStreamEvent({ type: "text-end", id: "t", providerMetadata: { x: 1 } });
  expect(parsed.ok && parsed.event).toHaveProperty("providerMetadata.x", 1);
});

describe("a malformed event of a known type", () => {
  it.each([
    [{ ...request, url: "nowhere" }, "request.url: expected url of at most 8192 characters"],
    [{ type: "elicitation-request" }, "request.elicitationId: expected id"],
    [
      { type: "elicitation-request", data: { ...request, mode: "form" } },
      "request.requestedSchema: expected object",
    ],
    [{ type: "data-elicitation-request" }, "request.type: expected elicitation-request"],
    [{ type: "data-elicitation-request", data: null }, "request.type: expected elicitation-request"],
    [{ type: "data-elicitation-request", id: 7, data: request }, "event.id: Invalid input"],
    [{ type: "elicitation-resolved", elicitationId: "e1" }, "event.resolution: Invalid input"],
    [
      { type: "data-tool-auth-required", data: { ...needed, toolCallId: 1, authLink: 1 } },
      "event.data.toolCallId: Invalid input; event.data.authLink: Invalid input",
    ],
    [
      { type: "data-tool-auth-required", data: { ...needed, type: undefined } },
      "event.data.type: Invalid input",
    ],
    // The same event without the envelope, which clients of the AI SDK would refuse.
    [needed, "event.data: Invalid input"],
    [{ type: "text-delta", id: "t" }, "event.delta: Invalid input"],
    [{ type: "data-operation" }, "event.data: Invalid input"],
    [{ type: "tool-output-available", toolCallId: "c" }, "event.output: Invalid input"],
    [{ type: "error" }, "event: Invalid input"],
    [{ type: "finish", usage: { totalTokens: "3" } }, "event.usage.totalTokens: Invalid input"],
  ])("%j is refused and does not pass as unknown", (frame, reason) => {
    expect(parseStreamEvent(frame)).toEqual({ ok: false, reason });
  });

  it("never passes as unknown, whichever properties are wrong", () => {
    fc.assert(
      fc.property(fc.constantFrom(...frames), fc.jsonValue(), (frame, value) => {
        const parsed = parseStreamEvent({ type: frame.type, id: value, data: value, toolCallId: value });
        expect(parsed.ok && !parsed.known).toBe(false);
      }),
      runs,
    );
  });
});

it("parseStreamEvent passes events of unknown types unchanged, whatever the name of the type", () => {
  for (const type of ["tool-progress", "data-mine", "", "__proto__", "constructor", "toString"]) {
    const event = { type, anything: [1] };
    expect(parseStreamEvent(event)).toEqual({ ok: true, known: false, event });
  }
});

it("parseStreamEvent refuses a value without a type", () => {
  for (const value of [null, undefined, "text", 1, [], {}, { type: 1 }]) {
    expect(parseStreamEvent(value)).toEqual({ ok: false, reason: "event.type: expected a string" });
  }
});

it("parseStreamEvent accepts any value without throwing", () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withMap: true, withBigInt: true }), (value) => {
      expect(parseStreamEvent(value)).toHaveProperty("ok");
    }),
    runs,
  );
});

describe("the single schema for all events", () => {
  it("passes known and unknown events in an event-source handler, and refuses a malformed request", async () => {
    const unknown = { type: "data-of-tomorrow", more: [1] };
    const malformed = { ...request, mode: "form" };
    const body = [request, unknown, malformed].map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    const { value: events } = await createEventSourceResponseHandler(streamEventSchema)({
      response: new Response(body, { headers: { "content-type": "text/event-stream" } }),
      url: "https://agent.example.com",
      requestBodyValues: {},
    });
    const parsed: unknown[] = [];
    for await (const event of events) parsed.push(event);
    expect(parsed).toMatchObject([
      { success: true, value: request },
      { success: true, value: unknown },
      { success: false, error: { message: expect.stringContaining("request.requestedSchema") } },
    ]);
  });

  it("accepts exactly the values that parseStreamEvent accepts", () => {
    fc.assert(
      fc.property(fc.constantFrom(...frames), fc.anything(), (frame, data) => {
        for (const value of [data, frame, { ...frame, data }]) {
          expect(streamEventSchema.safeParse(value).success).toBe(parseStreamEvent(value).ok);
        }
      }),
      runs,
    );
  });
});
