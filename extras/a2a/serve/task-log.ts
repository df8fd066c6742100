import type { ElicitationOutcome } from "../../../src/contract/contract.ts";
import { type TurnStreamEntry, discardedFrom, eventOf } from "../../../src/runtime/internal.ts";

/** The meaning of one log entry for its task. */
export type TaskChange =
  /** More text of the reply. */
  | { readonly kind: "text"; readonly text: string }
  /** A part of the reply was discarded. The reply is now `text` of the log. */
  | { readonly kind: "rewritten" }
  /** A tool call begins. Clients do not get its input and output. */
  | { readonly kind: "tool"; readonly name: string }
  | { readonly kind: "resolved"; readonly elicitationId: string }
  | { readonly kind: "other" };

/** The state of a task, built from the log of its turn. It is the same for every reader, in every process. */
export interface TaskLog {
  see(entry: TurnStreamEntry): TaskChange;
  /** The position of the last entry. */
  readonly after: number | undefined;
  /** When the last entry was written, in milliseconds since the epoch. */
  readonly at: number | undefined;
  /** The reply so far. */
  readonly text: string;
  /** Why the turn failed, in words for users. */
  readonly failure: string | undefined;
  readonly isStopped: boolean;
  /**
   * The newest questions that ended without an accept. Clients need the list, because they take a page that is no longer
   * in a status for a complete one.
   */
  readonly withdrawn: readonly string[];
}

const MAX_WITHDRAWN = 10;
const PARAGRAPH = "\n\n";

export function createTaskLog(): TaskLog {
  let after: number | undefined;
  let at: number | undefined;
  let pieces: { readonly seq: number; readonly text: string }[] = [];
  let isNewText = false;
  let failure: string | undefined;
  let isStopped = false;
  const withdrawn: string[] = [];

  function write(seq: number, delta: string): TaskChange {
    const text = isNewText && pieces.length > 0 ? PARAGRAPH + delta : delta;
    isNewText = false;
    pieces.push({ seq, text });
    return { kind: "text", text };
  }

  function takeBack(from: number): TaskChange {
    const before = pieces.length;
    pieces = pieces.filter(({ seq }) => seq < from);
    return pieces.length === before ? OTHER : { kind: "rewritten" };
  }

  function end(elicitationId: string, outcome: ElicitationOutcome): TaskChange {
    if (outcome !== "accepted") withdrawn.push(elicitationId);
    if (withdrawn.length > MAX_WITHDRAWN) withdrawn.shift();
    return { kind: "resolved", elicitationId };
  }

  return {
    see(entry) {
      ({ seq: after, at } = entry);
      const from = discardedFrom(entry);
      if (from !== undefined) return takeBack(from);
      const event = eventOf(entry);
      if (event.kind === "text") return event.text === "" ? OTHER : write(entry.seq, event.text);
      if (event.kind === "error") failure = event.text;
      if (event.kind === "resolved") {
        const { elicitationId, resolution } = event.request;
        return end(elicitationId, resolution.outcome);
      }
      if (event.kind !== "chunk") return OTHER;
      const { chunk } = event;
      if (chunk.type === "text-start") isNewText = true;
      if (chunk.type === "abort") isStopped = true;
      if (chunk.type !== "tool-input-available" || !("toolName" in chunk)) return OTHER;
      return typeof chunk.toolName === "string" ? { kind: "tool", name: chunk.toolName } : OTHER;
    },
    get after() {
      return after;
    },
    get at() {
      return at;
    },
    get text() {
      return pieces.map(({ text }) => text).join("");
    },
    get failure() {
      return failure;
    },
    get isStopped() {
      return isStopped;
    },
    withdrawn,
  };
}

const OTHER: TaskChange = { kind: "other" };
