import { isObject } from "../contract/json.ts";
import { withoutParts } from "../contract/message-parts.ts";

/**
 * Removes approved calls of tools that need no approval. Only a client can have forged them. The AI SDK would run them
 * with the client's input, although no model made the call.
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
