import { MockLanguageModelV4 } from "ai/test";
import { expect, test } from "vitest";
import { createManualClock } from "../../base/testing/manual-clock.ts";
import { formRequest } from "../../contract/testing/requests.ts";
import { createAnswerProposer } from "./answer-proposer.ts";

type Reply = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;

function setUp(
  reply: string,
  given: { finish?: Reply["finishReason"]["unified"]; content?: Reply["content"] } = {},
) {
  const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
  const model = new MockLanguageModelV4({
    doGenerate: async () => ({
      content: given.content ?? [{ type: "text", text: reply }],
      finishReason: { unified: given.finish ?? "stop", raw: undefined },
      usage: { inputTokens: tokens, outputTokens: tokens },
      warnings: [],
    }),
  });
  const propose = createAnswerProposer({ model, clock: createManualClock() });
  const request = formRequest({
    requestedSchema: {
      type: "object",
      properties: { city: { type: "string", default: "Rome" }, nights: { type: "integer" } },
      required: ["city"],
    },
  });
  const sentence = {
    request,
    user: { id: "ada" },
    conversationId: "c1",
    signal: new AbortController().signal,
  };
  return { model, propose: (text: string, more = {}) => propose({ ...sentence, text, ...more }), request };
}

test("the model gets the user's sentence, today's date and the form, without defaults or required fields", async () => {
  const { model, propose } = setUp('{"city":"Lisbon"}');
  expect(await propose("Lisbon tomorrow")).toEqual({ city: "Lisbon" });
  const [call] = model.doGenerateCalls;
  expect(call?.responseFormat).toMatchObject({
    type: "json",
    schema: {
      properties: { city: { type: "string" }, nights: { type: "integer" } },
      additionalProperties: false,
    },
  });
  expect(JSON.stringify(call?.responseFormat)).not.toMatch(/default|required/);
  expect(JSON.stringify(call?.prompt)).toMatch(/Lisbon tomorrow/);
  expect(JSON.stringify(call?.prompt)).toMatch(/\d{4}-\d{2}-\d{2}/);
  expect(call?.tools).toBeUndefined();
  expect(call?.maxOutputTokens).toBe(1000);
});

test("the form stays empty when the model replies with text", async () => {
  expect(await setUp("I cannot do that.").propose("hello")).toEqual({});
});

test("the form stays empty when the model is cut off or calls an unknown tool", async () => {
  expect(await setUp('{"city":"Lis', { finish: "length" }).propose("Lisbon")).toEqual({});
  const call = { type: "tool-call", toolCallId: "1", toolName: "form", input: "{}" } as const;
  expect(await setUp("", { finish: "tool-calls", content: [call] }).propose("Lisbon")).toEqual({});
});

test("filling in the form fails with the model's error when the model cannot be reached", async () => {
  const { model, propose } = setUp("{}");
  model.doGenerate = () => Promise.reject(new Error("offline"));
  await expect(propose("Lisbon")).rejects.toThrow("offline");
});

test("the model is not called for a form that is too large", async () => {
  const { model, propose, request } = setUp("{}");
  const properties = { city: { type: "string", description: "x".repeat(40_000) } };
  const large = { ...request, requestedSchema: { type: "object", properties } };
  expect(await propose("Lisbon", { request: large })).toEqual({});
  expect(model.doGenerateCalls).toEqual([]);
});
