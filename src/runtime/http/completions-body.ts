import { isObject } from "../../contract/json.ts";
import { MAX_URL_LENGTH, type Parsed, isId } from "./chat-body.ts";
import { newId } from "../../base/ids.ts";

/** Body of `POST /run/v1/chat/completions`: what OpenAI's clients send, plus the extensions of the contract. */
export interface CompletionsBody {
  /** Without it, the user could not answer, so the agent cannot ask. */
  conversationId: string | undefined;
  /** As UI messages. System messages are left out: only the operator instructs the agent. */
  messages: readonly UiMessage[];
  /** As with OpenAI, `true` only if the client asks for it. */
  stream: boolean;
  capabilities: unknown;
  returnUrl: string | undefined;
}

interface UiMessage {
  id: string;
  role: "user" | "assistant";
  parts: readonly object[];
}

/** Parses the body. Tools run on the server, so tools of the client and their messages are ignored. */
export function parseCompletionsBody(body: Readonly<Record<string, unknown>>): Parsed<CompletionsBody> {
  const { conversationId, returnUrl } = body;
  if (conversationId !== undefined && !isId(conversationId)) {
    return { ok: false, detail: "conversationId must be a string of 1 to 256 characters." };
  }
  const listed: readonly unknown[] = Array.isArray(body["messages"]) ? body["messages"] : [];
  const messages = listed.flatMap(toUiMessage);
  if (messages.length === 0) {
    return { ok: false, detail: "messages must be a list with at least one message that says something." };
  }
  return {
    ok: true,
    value: {
      conversationId,
      messages,
      stream: body["stream"] === true,
      capabilities: body["capabilities"],
      returnUrl: typeof returnUrl === "string" && returnUrl.length <= MAX_URL_LENGTH ? returnUrl : undefined,
    },
  };
}

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
