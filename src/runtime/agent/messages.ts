import { isObject } from "../../protocol/json.ts";

const ELICITATION_PART = /^(data-)?elicitation-|^data-tool-auth-required$/;

/**
 * UI messages without what elicitation left in them: a model must neither read old requests nor learn to write them.
 * Messages that held nothing else are dropped, since a user message without content is an error to some providers.
 */
export function stripElicitationParts(messages: readonly unknown[]): unknown[] {
  return messages.flatMap((message) => {
    if (!isObject(message) || !Array.isArray(message["parts"])) return [message];
    const parts = message["parts"].filter((part) => !isElicitationPart(part));
    if (parts.length === message["parts"].length) return [message];
    return parts.length === 0 ? [] : [{ ...message, parts }];
  });
}

function isElicitationPart(part: unknown): boolean {
  if (!isObject(part) || typeof part["type"] !== "string") return false;
  if (part["type"] === "custom") return String(part["kind"]).endsWith(".elicitation-request");
  return ELICITATION_PART.test(part["type"]);
}
