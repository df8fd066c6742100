import type { LanguageModel } from "ai";

type Model = Extract<LanguageModel, { specificationVersion: "v4" }>;
type Part =
  Awaited<ReturnType<Model["doStream"]>>["stream"] extends ReadableStream<infer Chunk> ? Chunk : never;

const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };

/** Calls the tool, and writes one word when it has the result. It keeps no state, so that it uses no memory. */
export const model: Model = {
  specificationVersion: "v4",
  provider: "bench",
  modelId: "bench",
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error("elicit-kit: the bench streams")),
  async doStream({ prompt }) {
    const isAnswered = prompt.at(-1)?.role === "tool";
    const said: Part[] = isAnswered
      ? [
          { type: "text-start", id: "t" },
          { type: "text-delta", id: "t", delta: "Done." },
          { type: "text-end", id: "t" },
        ]
      : [{ type: "tool-call", toolCallId: "call", toolName: "book_flight", input: "{}" }];
    const finishReason = {
      unified: isAnswered ? ("stop" as const) : ("tool-calls" as const),
      raw: undefined,
    };
    const usage = { inputTokens: tokens, outputTokens: tokens };
    const parts: Part[] = [
      { type: "stream-start", warnings: [] },
      ...said,
      { type: "finish", finishReason, usage },
    ];
    return {
      stream: new ReadableStream({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      }),
    };
  },
};
