import type { TurnStreamEntry } from "./ports.ts";

/**
 * The answer of a turn for a client that does not stream (`stream: false`), in the shape of a chat completion: its
 * text, with a blank line between the parts. `undefined` when the turn failed or was aborted.
 */
export async function collectCompletion(
  entries: AsyncIterable<TurnStreamEntry>,
  { id, now }: { id: string; now: number },
): Promise<object | undefined> {
  const parts: string[] = [];
  for await (const { chunk } of entries) {
    if (chunk.type === "error" || chunk.type === "abort") return undefined;
    if (chunk.type === "text-start") parts.push("");
    if (chunk.type === "text-delta" && "delta" in chunk && typeof chunk.delta === "string") {
      parts.push((parts.pop() ?? "") + chunk.delta);
    }
  }
  const message = { role: "assistant", content: parts.join("\n\n") };
  return {
    id: `chat-${id}`,
    object: "chat.completion",
    created: Math.floor(now / 1000),
    choices: [{ index: 0, message, finish_reason: "stop" }],
  };
}
