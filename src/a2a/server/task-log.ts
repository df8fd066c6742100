import type { ElicitationOutcome } from "../../protocol/contract.ts";
import { type TurnStreamEntry, eventOf } from "../../runtime/core/index.ts";

/** What one entry of a turn's log means for its task. */
export type TaskChange =
  /** More of the reply. */
  | { readonly kind: "text"; readonly text: string }
  /** A call of a tool begins. Its input and output stay here. */
  | { readonly kind: "tool"; readonly name: string }
  | { readonly kind: "resolved"; readonly elicitationId: string }
  | { readonly kind: "other" };

/** A task, as far as the log of its turn tells it. The same for every reader, in every process. */
export interface TaskLog {
  see(entry: TurnStreamEntry): TaskChange;
  /** Position of the last entry. */
  readonly after: number | undefined;
  /** When the last entry was written, in milliseconds since the epoch. */
  readonly at: number | undefined;
  /** The reply so far. */
  readonly text: string;
  /** Why the turn has failed, in words for people. */
  readonly failure: string | undefined;
  readonly isStopped: boolean;
  /**
   * The newest questions that have ended without an accept. Clients are told, because they take a page that a status no
   * longer lists for a finished one.
   */
  readonly withdrawn: readonly string[];
}

const MAX_WITHDRAWN = 10;
const PARAGRAPH = "\n\n";

export function createTaskLog(): TaskLog {
  let after: number | undefined;
  let at: number | undefined;
  let text = "";
  let isNewText = false;
  let failure: string | undefined;
  let isStopped = false;
  const withdrawn: string[] = [];

  function write(delta: string): TaskChange {
    const separated = isNewText && text !== "" ? PARAGRAPH + delta : delta;
    isNewText = false;
    text += separated;
    return { kind: "text", text: separated };
  }

  function end(elicitationId: string, outcome: ElicitationOutcome): TaskChange {
    if (outcome !== "accepted") withdrawn.push(elicitationId);
    if (withdrawn.length > MAX_WITHDRAWN) withdrawn.shift();
    return { kind: "resolved", elicitationId };
  }

  return {
    see(entry) {
      ({ seq: after, at } = entry);
      const event = eventOf(entry);
      if (event.kind === "text") return event.text === "" ? OTHER : write(event.text);
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
      return text;
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
