import { withEndedCalls } from "./ended-calls.ts";
import { isObject } from "./json.ts";

const ELICITATION_PART = /^(data-)?elicitation-|^data-tool-auth-required$/;
/** The kinds of custom parts for requests, their outcomes and answers. A kind must start with a provider's name. */
const ELICITATION_KIND = /\.elicitation-[^.]*$/;

/**
 * Prepares UI messages for a model. Removes elicitation parts, because a model must neither read old requests nor imitate
 * them. A call that a stopped turn has left without a result gets one that says so, and reasoning is removed if nothing of
 * its step follows, because providers refuse the history otherwise. Messages of which nothing is left are dropped.
 */
export function historyForModel(messages: readonly unknown[]): unknown[] {
  return withEndedCalls(withoutParts(messages, isElicitationPart));
}

/** Removes parts from UI messages, and messages that had no other parts. */
export function withoutParts(
  messages: readonly unknown[],
  isUnwanted: (part: unknown) => boolean,
): unknown[] {
  return messages.flatMap((message) => {
    if (!isObject(message) || !Array.isArray(message["parts"])) return [message];
    const parts = message["parts"].filter((part) => !isUnwanted(part));
    if (parts.length === message["parts"].length) return [message];
    return parts.length === 0 ? [] : [{ ...message, parts }];
  });
}

function isElicitationPart(part: unknown): boolean {
  if (!isObject(part) || typeof part["type"] !== "string") return false;
  const { type, kind } = part;
  if (type === "custom") return typeof kind === "string" && ELICITATION_KIND.test(kind);
  return ELICITATION_PART.test(type);
}

/** A text as a UI message of the AI SDK. */
export interface TextMessage {
  id: string;
  role: "user" | "assistant";
  parts: { type: "text"; text: string }[];
}

export function textMessage(role: TextMessage["role"], id: string, text: string): TextMessage {
  return { id, role, parts: [{ type: "text", text }] };
}
