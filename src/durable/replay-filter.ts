import { type StreamChunk, type TurnStreamEntry, isEnd } from "../runtime/internal.ts";

/** What the log of a turn has from earlier runs. */
export interface PastLog {
  /** Where the words of a model call begin that was not recorded. They are taken back. */
  readonly discardFrom: number | undefined;
  /** Whether the log has this chunk already. Each chunk of the log counts once. */
  has(chunk: StreamChunk): boolean;
}

/** @param modelStreams how many streams of the model are recorded, each of which is a step in the log */
export function createPastLog(entries: readonly TurnStreamEntry[], modelStreams: number): PastLog {
  const steps = entries.filter(({ chunk }) => chunk.type === "start-step");
  const discardFrom = steps[modelStreams]?.seq;
  const counts = new Map<string, number>();
  /** What each part shows that is written again under its id. */
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
 * The part of a message that a chunk replaces: data with an id, or progress of a tool. What it shows counts, and not
 * whether it has shown the same before: a turn that runs again may show "searching" again, after "found".
 */
function partOf(chunk: StreamChunk): string | undefined {
  if (isPreliminary(chunk)) return JSON.stringify([chunk.type, "toolCallId" in chunk && chunk.toolCallId]);
  const isData = chunk.type.startsWith("data-") && "id" in chunk;
  return isData ? JSON.stringify([chunk.type, chunk.id]) : undefined;
}

/**
 * What makes two chunks the same in two runs. A tool that is not recorded may return something else when it runs again,
 * but its call has one result.
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
