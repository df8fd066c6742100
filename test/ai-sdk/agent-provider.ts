import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { elicitationTransform } from "elicit-kit/ai-sdk";
import type { Envelope } from "../../src/ai-sdk/envelope.ts";
import { readSseData } from "../../src/client/sse.ts";
import { parseStreamEvent } from "elicit-kit/contract/schema";

export interface AgentModelOptions {
  /** Base of the agent's OpenAI-style routes, for example `https://agent.example.com/run/v1`. */
  baseUrl: string;
  /** The user's own credentials, because the agent only accepts its own users. */
  headers: Record<string, string>;
  /** The id of the conversation at the agent's server. Its requests are answered under it. */
  conversationId: string;
  fetch?: typeof globalThis.fetch;
  /** For AI SDK 6, whose runs end at unknown parts: requests are passed to this function instead. */
  onEnvelope?: (envelope: Envelope) => void;
}

/** A whole provider for an agent that asks users: a language model of AI SDK 7 over its OpenAI-style route. */
export function createAgentModel(modelId: string, options: AgentModelOptions): LanguageModelV4 {
  const { baseUrl, headers, conversationId, fetch = globalThis.fetch, onEnvelope } = options;
  const transformed = { textEnvelopes: true, ...(onEnvelope && { onEnvelope }) };
  return {
    specificationVersion: "v4",
    provider: "agent",
    modelId,
    supportedUrls: {},
    doGenerate() {
      throw new Error("An agent that may ask can only be streamed: use streamText.");
    },
    async doStream({ prompt, abortSignal, headers: more }) {
      const response = await fetch(`${baseUrl}/chat/completions`, {
        method: "POST",
        headers: {
          ...more,
          ...headers,
          "content-type": "application/json",
          "x-supports-elicitation": "true",
        },
        body: JSON.stringify({ model: modelId, conversationId, stream: true, messages: toMessages(prompt) }),
        ...(abortSignal && { signal: abortSignal }),
      });
      if (!response.ok || response.body === null) {
        throw new Error(`The agent answered ${response.status}: ${await response.text()}`);
      }
      const parts = readParts(response.body);
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        async pull(controller) {
          const { done, value } = await parts.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        },
        cancel: async () => void (await parts.return(undefined)),
      });
      return { stream: stream.pipeThrough(elicitationTransform(transformed)) };
    },
  };
}

async function* readParts(body: ReadableStream<Uint8Array>): AsyncGenerator<LanguageModelV4StreamPart> {
  const id = "text";
  let raw: string | undefined;
  yield { type: "stream-start", warnings: [] };
  yield { type: "text-start", id };
  for await (const data of readSseData(body)) {
    if (data === "[DONE]") break;
    const { choices, error } = JSON.parse(data);
    if (error) yield { type: "error", error: new Error(error.message) };
    const content = choices?.[0]?.delta?.content;
    raw = choices?.[0]?.finish_reason ?? raw;
    if (typeof content === "string" && !isAside(content)) yield { type: "text-delta", id, delta: content };
  }
  yield { type: "text-end", id };
  const unified = raw === "stop" || raw === "length" ? raw : "other";
  yield { type: "finish", finishReason: { unified, raw }, usage: UNKNOWN_USAGE };
}

/**
 * Data of the agent's server beside the text, one event in a frame: everything except requests, which become parts later.
 */
function isAside(content: string): boolean {
  if (!content.startsWith("{")) return false;
  try {
    const parsed = parseStreamEvent(JSON.parse(content));
    return parsed.ok && !parsed.event.type.startsWith("elicitation-");
  } catch {
    return false;
  }
}

function toMessages(prompt: LanguageModelV4Prompt) {
  return prompt.flatMap(({ role, content }) => {
    if (role !== "user" && role !== "assistant") return [];
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
    return text === "" ? [] : [{ role, content: text }];
  });
}

const UNKNOWN_USAGE = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
