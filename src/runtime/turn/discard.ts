import { isObject } from "../../contract/json.ts";
import type { StreamChunk, TurnStreamEntry } from "../ports/index.ts";

export const DISCARD_TYPE = "data-turn-discard";

/**
 * The chunk that {@link TurnStream.discard} appends: whoever has read entries from position `from` on drops them, except
 * `data-*` chunks. The runtime's own routes never send it.
 */
export function discardChunk(
  from: number,
): StreamChunk & { readonly data: { readonly from: number }; readonly transient: true } {
  return { type: DISCARD_TYPE, data: { from }, transient: true };
}

/** The position from which an entry takes back what was read. `undefined`: it takes nothing back. */
export function discardedFrom({ chunk }: Pick<TurnStreamEntry, "chunk">): number | undefined {
  if (chunk.type !== DISCARD_TYPE || !("data" in chunk) || !isObject(chunk.data)) return undefined;
  const from = chunk.data["from"];
  return typeof from === "number" ? from : undefined;
}

/** Whether `TurnStream.discard` removes a chunk. Data, such as requests, does not come from the model. */
export function isDiscardable({ type }: StreamChunk): boolean {
  return !type.startsWith("data-");
}

/**
 * What counts of the entries that were read from a log. The same for a reader who was there when entries were taken back
 * and for one who reads the log later.
 */
export function withoutDiscarded(entries: readonly TurnStreamEntry[]): readonly TurnStreamEntry[] {
  let left: TurnStreamEntry[] = [];
  for (const entry of entries) {
    const from = discardedFrom(entry);
    if (from === undefined) left.push(entry);
    else left = left.filter(({ seq, chunk }) => seq < from || !isDiscardable(chunk));
  }
  return left;
}
