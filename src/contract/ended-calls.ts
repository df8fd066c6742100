import { isObject } from "./json.ts";

/** What the model reads of a call whose turn ended first. */
const ENDED = "The turn ended before this call had a result.";

/**
 * Ends what a stopped turn has left open in UI messages, because model providers refuse the whole conversation otherwise.
 * A call without a result gets one that says so. A call that was not complete is removed, and so is reasoning that nothing
 * of its step follows: providers accept reasoning only before what it led to. The AI SDK runs a call that the user has
 * approved, but only before their next message.
 */
export function withEndedCalls(messages: readonly unknown[]): unknown[] {
  const lastOfUser = messages.findLastIndex((message) => isObject(message) && message["role"] === "user");
  return messages.flatMap((message, index) => {
    if (!isObject(message) || message["role"] !== "assistant" || !Array.isArray(message["parts"]))
      return [message];
    let isFollowed = false;
    const parts = message["parts"].toReversed().flatMap((part) => {
      if (!isPart(part)) return [part];
      const { type } = part;
      if (type === "step-start") isFollowed = false;
      if (type === "reasoning") return isFollowed ? [part] : [];
      const kept = ended(part, index < lastOfUser);
      if (kept !== undefined && type !== "step-start" && !type.startsWith("data-")) isFollowed = true;
      return kept ?? [];
    });
    return parts.length === 0 ? [] : [{ ...message, parts: parts.toReversed() }];
  });
}

type Part = Readonly<Record<string, unknown>> & { readonly type: string };

const isPart = (part: unknown): part is Part => isObject(part) && typeof part["type"] === "string";

/** A part with a result, if it is a call. `undefined`: a call that no provider takes. */
function ended(part: Part, isBeforeUser: boolean): Part | undefined {
  const { output: _output, approval, preliminary, ...call } = part;
  const { state } = call;
  if (!part.type.startsWith("tool-") && part.type !== "dynamic-tool") return part;
  const isApproved = state === "approval-responded" && isObject(approval) && approval["approved"] === true;
  const isOpen =
    state === "input-available" ||
    (state === "output-available" && preliminary === true) ||
    (isBeforeUser && isApproved);
  const isIncomplete = state === "input-streaming" || (isBeforeUser && state === "approval-requested");
  if (!isOpen && !isIncomplete) return part;
  // Only the provider knows what became of a call that it runs itself.
  if (isIncomplete || part["providerExecuted"] === true) return undefined;
  return { ...call, state: "output-error", errorText: ENDED };
}
