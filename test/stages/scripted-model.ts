import { type MockLanguageModelV4, MockLanguageModelV4 as MockModel, simulateReadableStream } from "ai/test";

type Part =
  Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"] extends ReadableStream<infer P> ? P : never;

/** One reply of the model: text, or tool calls by name, with their input. */
export type Step = string | Readonly<Record<string, unknown>>;

/** A model that gives these replies, one per step, and records its prompts (`doStreamCalls`). */
export function createScriptedModel(...steps: readonly Step[]): MockLanguageModelV4 {
  return new MockModel({
    doStream: steps.map((step, index) => ({
      stream: simulateReadableStream({
        chunks: partsOf(step, index),
        initialDelayInMs: null,
        chunkDelayInMs: null,
      }),
    })),
  });
}

/**
 * A model whose reply follows from its messages, in any process: the first one without a tool result, the next one after
 * the results of the first, and so on.
 */
export function createStatelessModel(
  steps: readonly Step[],
  onCall: () => Promise<void>,
): MockLanguageModelV4 {
  return new MockModel({
    async doStream({ prompt }) {
      await onCall();
      const index = prompt.filter(({ role }) => role === "tool").length;
      const chunks = partsOf(steps[index] ?? "", index);
      return { stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) };
    },
  });
}

function partsOf(step: Step, index: number): Part[] {
  const calls: Part[] =
    typeof step === "string"
      ? [
          { type: "text-start", id: `t${index}` },
          { type: "text-delta", id: `t${index}`, delta: step },
          { type: "text-end", id: `t${index}` },
        ]
      : Object.entries(step).map(([name, input], n) => ({
          type: "tool-call",
          toolCallId: `call_${index}_${n}`,
          toolName: name.replace(/#\d+$/, ""),
          input: JSON.stringify(input),
        }));
  const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
  const unified = typeof step === "string" ? ("stop" as const) : ("tool-calls" as const);
  return [
    { type: "stream-start", warnings: [] },
    ...calls,
    {
      type: "finish",
      finishReason: { unified, raw: undefined },
      usage: { inputTokens: tokens, outputTokens: tokens },
    },
  ];
}

/** The tool results that the model got in its last step. */
export function toolResultsSeen(model: MockLanguageModelV4): unknown[] {
  const prompt = model.doStreamCalls.at(-1)?.prompt ?? [];
  return prompt.flatMap((message) =>
    message.role === "tool"
      ? message.content.flatMap((part) => (part.type === "tool-result" ? [part.output] : []))
      : [],
  );
}
