import { RESPONSE_PART_TYPE, type ElicitationResponse } from "../../contract/contract.ts";
import { parseElicitationResponse } from "../../contract/guard.ts";
import { isObject } from "../../contract/json.ts";
import { newId } from "../../base/ids.ts";

/** Body of `POST /run/api/chat`: what `useChat` sends, plus the extensions of the contract. */
export interface ChatBody {
  conversationId: string;
  messages: readonly unknown[];
  /** `false`: reply with one JSON object instead of a stream. The agent then cannot ask. */
  stream: boolean;
  capabilities: unknown;
  returnUrl: string | undefined;
  /** The parts of the last message, if it contains only answers: the fast path. */
  answers: readonly unknown[] | undefined;
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; detail: string };

const MAX_ID_LENGTH = 256;
export const MAX_URL_LENGTH = 2048;
/** Also accepted, because `useChat` users expect it: the part without the `data-` envelope. */
const BARE_RESPONSE_TYPE = "elicitation-response";

export function parseChatBody(body: Readonly<Record<string, unknown>>): Parsed<ChatBody> {
  const { messages, returnUrl } = body;
  const conversationId = body["conversationId"] ?? body["id"] ?? newId();
  if (!isId(conversationId)) {
    return {
      ok: false,
      detail: `conversationId (or id) must be a string of 1 to ${MAX_ID_LENGTH} characters.`,
    };
  }
  if (!Array.isArray(messages) || messages.length === 0) {
    return { ok: false, detail: "messages must be a list with at least one message." };
  }
  const last: unknown = messages.at(-1);
  const parts: readonly unknown[] = isObject(last) && Array.isArray(last["parts"]) ? last["parts"] : [];
  const answers = parts.filter(isResponsePart);
  if (answers.length > 0 && answers.length < parts.length) {
    return { ok: false, detail: "A message that answers an elicitation has no other parts." };
  }
  return {
    ok: true,
    value: {
      conversationId,
      messages,
      stream: body["stream"] !== false,
      capabilities: body["capabilities"],
      returnUrl: typeof returnUrl === "string" && returnUrl.length <= MAX_URL_LENGTH ? returnUrl : undefined,
      answers: answers.length > 0 ? answers : undefined,
    },
  };
}

/** Parses the answer in a part: its `data`, or the part itself if it has no envelope. */
export function parseResponsePart(part: unknown): Parsed<ElicitationResponse> {
  const data = isObject(part) && isObject(part["data"]) ? part["data"] : part;
  const parsed = parseElicitationResponse(data);
  return parsed.ok ? parsed : { ok: false, detail: parsed.reason };
}

export function isId(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= MAX_ID_LENGTH;
}

function isResponsePart(part: unknown): boolean {
  return isObject(part) && (part["type"] === RESPONSE_PART_TYPE || part["type"] === BARE_RESPONSE_TYPE);
}
