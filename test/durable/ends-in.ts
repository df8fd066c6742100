import type { ReadStream } from "../stages/chat-client.ts";

/** The outcome of each request, as a client saw it. */
export function endsIn(stream: ReadStream): Map<string, string[]> {
  const ends = new Map<string, string[]>();
  for (const { type, id, data } of stream.chunks) {
    if (type !== "data-elicitation-request") continue;
    const { resolution } = data as { resolution?: { outcome: string } };
    if (resolution !== undefined) ends.set(String(id), [...(ends.get(String(id)) ?? []), resolution.outcome]);
  }
  return ends;
}
