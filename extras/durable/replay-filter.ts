import { type StreamChunk, type TurnStreamEntry, isEnd } from "../../src/runtime/internal.ts";

/** The chunks that earlier runs wrote to the log of a turn. */
export interface PastLog {
  /** The position where the text of an unrecorded model call begins. Chunks from here on are taken back. */
  readonly discardFrom: number | undefined;
  /** Whether the log has this chunk already. Each chunk in the log matches only once. */
  has(chunk: StreamChunk): boolean;
}

/** @param modelStreams how many streams of the model are recorded, each of which is a step in the log */
export function createPastLog(entries: readonly TurnStreamEntry[], modelStreams: number): PastLog {
  const steps = entries.filter(({ chunk }) => chunk.type === "start-step");
  const discardFrom = steps[modelStreams]?.seq;
  const counts = new Map<string, number>();
  /** The current content of each part that was written again under its id. */
  const shown = new Map<string, string>();
  for (const { seq, chunk } of entries) {
    const isLeft = discardFrom === undefined || seq < discardFrom || chunk.type.startsWith("data-");
    if (!isLeft) continue;
    const part = partOf(chunk);
    if (part === undefined) counts.set(keyOf(chunk), (counts.get(keyOf(chunk)) ?? 0) + 1);
    else shown.set(part, JSON.stringify(chunk));
  }
  return {
    discardFrom,
    has(chunk) {
      const part = partOf(chunk);
      if (part !== undefined) {
        const text = JSON.stringify(chunk);
        const isShown = shown.get(part) === text;
        shown.set(part, text);
        return isShown;
      }
      const key = keyOf(chunk);
      const left = counts.get(key) ?? 0;
      if (left > 1) counts.set(key, left - 1);
      else counts.delete(key);
      return left > 0;
    },
  };
}

/**
 * The part of a message that a chunk replaces: data with an id, or progress of a tool. Only its current content counts,
 * because a turn that runs again may show "searching" again after "found".
 */
function partOf(chunk: StreamChunk): string | undefined {
  if (isPreliminary(chunk)) return JSON.stringify([chunk.type, "toolCallId" in chunk && chunk.toolCallId]);
  const isData = chunk.type.startsWith("data-") && "id" in chunk;
  return isData ? JSON.stringify([chunk.type, chunk.id]) : undefined;
}

/**
 * Returns a key that is equal for the same chunk in two runs. A tool that is not recorded may return another value when
 * it runs again, but its call has only one result in the log.
 */
function keyOf(chunk: StreamChunk): string {
  const { type } = chunk;
  if (type === "start") return type;
  // A turn that runs again may end in another way. The first end counts.
  if (isEnd(chunk)) return "end";
  const id = "toolCallId" in chunk ? chunk.toolCallId : undefined;
  if (type === "tool-output-error" || type === "tool-output-available") {
    return JSON.stringify(["tool-output", id]);
  }
  if (type === "tool-input-start" || type === "tool-input-available") return JSON.stringify([type, id]);
  return JSON.stringify(chunk);
}

function isPreliminary(chunk: StreamChunk): boolean {
  return "preliminary" in chunk && chunk.preliminary === true;
}
