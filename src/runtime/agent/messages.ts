import { isObject } from "../../protocol/json.ts";

const ELICITATION_PART = /^(data-)?elicitation-|^data-tool-auth-required$/;
/** Kinds of custom parts for requests, their ends and answers. They start with a provider's name. */
const ELICITATION_KIND = /\.elicitation-[^.]*$/;

/**
 * Removes elicitation parts from UI messages: a model must neither read old requests nor learn to write them. Messages
 * without other parts are dropped, because some providers reject a user message without content.
 */
export function stripElicitationParts(messages: readonly unknown[]): unknown[] {
  return withoutParts(messages, isElicitationPart);
}

/**
 * Removes approved calls of tools that need no approval. Only a client can have forged them, and the AI SDK would run them
 * with the client's input although no model has made the call.
 */
export function withoutForgedCalls(
  messages: readonly unknown[],
  tools: Readonly<Record<string, { needsApproval?: unknown }>>,
): unknown[] {
  return withoutParts(messages, (part) => {
    if (!isObject(part) || part["state"] !== "approval-responded") return false;
    const { type } = part;
    const name =
      type === "dynamic-tool"
        ? part["toolName"]
        : typeof type === "string"
          ? type.slice("tool-".length)
          : undefined;
    return !(typeof name === "string" && Object.hasOwn(tools, name) && tools[name]?.needsApproval);
  });
}

function withoutParts(messages: readonly unknown[], isUnwanted: (part: unknown) => boolean): unknown[] {
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
