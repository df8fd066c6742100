import { isObject } from "../../src/contract/json.ts";
import { newId } from "../../src/base/ids.ts";
import type { ChatFormat } from "../../src/runtime/internal.ts";
import { createCompletionsStreamHelper } from "./completions-stream.ts";

interface UiMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly parts: readonly object[];
}

/**
 * `POST /run/v1/chat/completions`: OpenAI's body and events, with the extensions of the contract (section 3). Clients
 * answer, list and read requests with the routes of the chat, using the `conversationId` of the body. Without a
 * `conversationId` the agent cannot ask. Closing the connection stops the turn. The route counts no tokens: where a
 * client asks for them, it gets zeros. `GET /run/v1/models` lists the one agent.
 *
 * @example
 * const runtime = createRuntime({ formats: [openAiFormat], runTurn, authenticate, allowedOrigins, onError: console.error });
 */
export const openAiFormat: ChatFormat = {
  kind: "openai",
  path: "/v1/chat/completions",
  // A server has one agent, and the `model` of a body is ignored.
  documents: {
    "/v1/models": {
      object: "list",
      data: [{ id: "agent", object: "model", created: 0, owned_by: "elicit-kit" }],
    },
  },
  read({ messages: given, stream, stream_options: options }) {
    const listed: readonly unknown[] = Array.isArray(given) ? given : [];
    // System messages are left out, because only the operator instructs the agent. Tools run on the server, so tools and
    // tool messages of the client are ignored.
    const messages = listed.flatMap(toUiMessage);
    if (messages.length === 0)
      return { ok: false, detail: "messages must be a list with at least one message that says something." };
    const usage = isObject(options) && options["include_usage"] === true;
    return { ok: true, messages, stream: stream === true, usage };
  },
  stream: (write, { turnId, now, usage }) =>
    createCompletionsStreamHelper(write, { id: turnId, created: Math.floor(now / 1000), usage }),
  /** OpenAI's chat completion, with the `data-…` chunks in `data`. */
  whole(collected, { turnId, now }) {
    const message = { role: "assistant", content: collected.text() };
    const data = collected.data();
    return {
      id: `chatcmpl-${turnId}`,
      object: "chat.completion",
      created: Math.floor(now / 1000),
      choices: [{ index: 0, message, finish_reason: "stop" }],
      ...(data.length > 0 && { data }),
    };
  },
};

function toUiMessage(message: unknown): UiMessage[] {
  if (!isObject(message)) return [];
  const { role, content } = message;
  if (role !== "user" && role !== "assistant") return [];
  const listed: readonly unknown[] = Array.isArray(content) ? content : [{ type: "text", text: content }];
  const parts = listed.flatMap(toPart);
  return parts.length === 0 ? [] : [{ id: newId(), role, parts }];
}

function toPart(part: unknown): object[] {
  if (!isObject(part)) return [];
  const { type, text, image_url: image } = part;
  if (type === "text" && typeof text === "string" && text !== "") return [{ type, text }];
  const url = isObject(image) ? image["url"] : undefined;
  return type === "image_url" && typeof url === "string" ? [{ type: "file", mediaType: "image/*", url }] : [];
}
