import { isObject } from "../../src/contract/json.ts";
import { parseJson } from "../../src/contract/parse-json.ts";
import type { StreamChunk, StreamHelper } from "../../src/runtime/internal.ts";

/** OpenAI's finish reasons, by the AI SDK's name. Every other reason becomes `stop`. */
const FINISH_REASONS: Readonly<Record<string, string>> = {
  length: "length",
  "content-filter": "content_filter",
};

/** The runtime does not see how many tokens a model has used. */
const NO_USAGE = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

/**
 * `POST /run/v1/chat/completions`: OpenAI's server-sent events. A request, or its outcome, is a JSON object that is the
 * whole content of one frame. Text of the model that would parse as a JSON object is split into two frames, so that a
 * model cannot forge a request. Tools run on the server and are not sent to the client. Pass `id` without the `chatcmpl-`
 * prefix, and `created` in seconds.
 */
export function createCompletionsStreamHelper(
  write: (event: string) => void,
  { id, created, usage = false }: { id: string; created: number; usage?: boolean },
): StreamHelper {
  let begun = false;
  let spoken = false;
  let isNewText = false;
  let finishReason = "stop";
  let failed = false;

  function writeFrame(delta: object, finish_reason: string | null = null) {
    if (!begun) {
      begun = true;
      writeFrame({ role: "assistant" });
    }
    const choices = [{ index: 0, delta, finish_reason }];
    const frame = { id: `chatcmpl-${id}`, object: "chat.completion.chunk", created, choices };
    write(`data: ${JSON.stringify(frame)}\n\n`);
  }

  function writeText(delta: string) {
    if (delta === "") return;
    if (isNewText && spoken) writeFrame({ content: "\n\n" });
    isNewText = false;
    spoken = true;
    for (const content of splitJsonObject(delta)) writeFrame({ content });
  }

  const writeEnvelope = (envelope: object) => writeFrame({ content: JSON.stringify(envelope) });

  return {
    writeChunk(chunk: StreamChunk) {
      if (chunk.type === "text-start") isNewText = true;
      else if (chunk.type === "text-delta") writeText(textOf(chunk, "delta") ?? "");
      else if (chunk.type === "finish")
        finishReason = FINISH_REASONS[textOf(chunk, "finishReason") ?? ""] ?? "stop";
      else if (chunk.type === "error") {
        failed = true;
        const message = textOf(chunk, "errorText") ?? "The assistant could not finish its answer.";
        write(`data: ${JSON.stringify({ error: { message, type: "server_error" } })}\n\n`);
      }
    },
    writeElicitationRequest: writeEnvelope,
    writeElicitationResolved: ({ elicitationId, resolution }) =>
      writeEnvelope({ type: "elicitation-resolved", elicitationId, resolution }),
    end() {
      if (!failed) writeFrame({}, finishReason);
      // Clients that asked for it wait for this frame, which has no choice.
      if (usage && !failed) {
        const frame = { id: `chatcmpl-${id}`, object: "chat.completion.chunk", created, choices: [] };
        write(`data: ${JSON.stringify({ ...frame, usage: NO_USAGE })}\n\n`);
      }
      write("data: [DONE]\n\n");
    },
  };
}

/** Splits a text so that no piece is a JSON object. */
function splitJsonObject(text: string): readonly string[] {
  if (!isJsonObject(text)) return [text];
  const cut = text.indexOf("{") + 1;
  return [text.slice(0, cut), text.slice(cut)];
}

function isJsonObject(text: string): boolean {
  // trim() removes more characters than JSON's white space, such as a byte order mark. A client may do the same.
  const trimmed = text.trim();
  // A fast exit for nearly all texts.
  return trimmed.startsWith("{") && isObject(parseJson(trimmed));
}

function textOf(chunk: StreamChunk, key: string): string | undefined {
  const value: unknown = Object.entries(chunk).find(([name]) => name === key)?.[1];
  return typeof value === "string" ? value : undefined;
}
