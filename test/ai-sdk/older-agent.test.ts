import type { LanguageModel } from "ai";
import { convertArrayToReadableStream } from "ai/test";
import { createRuntime } from "elicit-kit/runtime";
import { expect, it } from "vitest";
import { createHotelAgent } from "../../docs/examples/older-agent.ts";
import { authenticateTestUser, createChatClient } from "../stages/chat-client.ts";
import { aiSdk } from "./ai-sdk.ts";

const finish =
  aiSdk === 5
    ? (reason: string) => ({ type: "finish", finishReason: reason, usage: {} })
    : (reason: string) => ({
        type: "finish",
        finishReason: { unified: reason, raw: undefined },
        usage: { inputTokens: {}, outputTokens: {} },
      });

/** A model that calls the tool, and then reports the result. The AI SDK's own mock has another name in each version. */
const model = {
  specificationVersion: { 5: "v2", 6: "v3", 7: "v4" }[aiSdk],
  provider: "test",
  modelId: "test",
  supportedUrls: {},
  async doStream({ prompt }: { prompt: { role: string; content: { output: { value: string } }[] }[] }) {
    const last = prompt.at(-1);
    const delta = last?.content[0]?.output?.value ?? "";
    const parts =
      last?.role === "tool"
        ? [
            { type: "text-start", id: "1" },
            { type: "text-delta", id: "1", delta },
            { type: "text-end", id: "1" },
            finish("stop"),
          ]
        : [
            { type: "tool-call", toolCallId: "call-1", toolName: "bookHotel", input: "{}" },
            finish("tool-calls"),
          ];
    return { stream: convertArrayToReadableStream<object>(parts) };
  },
} as unknown as LanguageModel;

it(`the agent of the guide asks, and continues with the answer (AI SDK ${aiSdk})`, async () => {
  const runtime = createRuntime({
    runTurn: createHotelAgent(model),
    authenticate: authenticateTestUser,
    allowedOrigins: () => true,
    onError: (error) => expect.unreachable(String(error)),
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId, message } = await stream.request();
  expect(message).toBe("Which hotel shall I book?");
  const content = { city: "Lisbon", nights: 3 };
  expect((await ada.answer("c1", { elicitationId, action: "accept", content })).status).toBe(200);
  await stream.done;
  expect(stream.chunks).toContainEqual(
    expect.objectContaining({ type: "text-delta", delta: "Booked 3 nights in Lisbon." }),
  );
  await runtime.close();
});
