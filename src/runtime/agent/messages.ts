import { isObject } from "../../protocol/json.ts";

const ELICITATION_PART = /^(data-)?elicitation-|^data-tool-auth-required$/;
/** Of custom parts, which a provider's name comes before: requests, their ends and answers. */
const ELICITATION_KIND = /\.elicitation-[^.]*$/;

/**
 * UI messages without what elicitation left in them: a model must neither read old requests nor learn to write them.
 * Messages that held nothing else are dropped, since a user message without content is an error to some providers.
 */
export function stripElicitationParts(messages: readonly unknown[]): unknown[] {
  return withoutParts(messages, isElicitationPart);
}

/**
 * UI messages without calls that the person is said to have allowed, of tools that ask nobody for permission. The AI SDK
 * would make them as they stand, with an input that comes from the client: no model has asked for them.
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
