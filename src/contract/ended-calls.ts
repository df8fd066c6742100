import { isObject } from "./json.ts";

/** What the model reads of a call whose turn ended first. */
const ENDED = "The turn ended before this call had a result.";

/**
 * Ends what a stopped turn has left open in UI messages, because model providers refuse the whole conversation otherwise.
 * A call without a result gets one that says so. A call that was not complete is removed, and so is reasoning that nothing
 * of its step follows: providers accept reasoning only before what it led to.
 */
export function withEndedCalls(messages: readonly unknown[]): unknown[] {
  return messages.flatMap((message) => {
    if (!isObject(message) || message["role"] !== "assistant" || !Array.isArray(message["parts"]))
      return [message];
    let isFollowed = false;
    const parts = message["parts"].toReversed().flatMap((part) => {
      if (!isPart(part)) return [part];
      const { type } = part;
      if (type === "step-start") isFollowed = false;
      if (type === "reasoning") return isFollowed ? [part] : [];
      const kept = ended(part);
      if (kept !== undefined && type !== "step-start" && !type.startsWith("data-")) isFollowed = true;
      return kept ?? [];
    });
    return parts.length === 0 ? [] : [{ ...message, parts: parts.toReversed() }];
  });
}

type Part = Readonly<Record<string, unknown>> & { readonly type: string };

const isPart = (part: unknown): part is Part => isObject(part) && typeof part["type"] === "string";

/** A part with a result, if it is a call. `undefined`: a call that no provider takes. */
function ended(part: Part): Part | undefined {
  const { output: _output, preliminary, ...call } = part;
  if (!part.type.startsWith("tool-") && part.type !== "dynamic-tool") return part;
  const isOpen =
    part["state"] === "input-available" || (part["state"] === "output-available" && preliminary === true);
  if (part["state"] !== "input-streaming" && !isOpen) return part;
  // Only the provider knows what became of a call that it runs itself.
  if (!isOpen || part["providerExecuted"] === true) return undefined;
  return { ...call, state: "output-error", errorText: ENDED };
}
