import type { ElicitationOutcome } from "./contract.ts";
import { parseElicitationRequest } from "./guard.ts";

/** When a turn worked and when it waited. Times are milliseconds since the epoch, on the server's clock. */
export interface TurnTimeline {
  readonly from: number;
  readonly to: number;
  /** The waits in the order in which they were asked. They may overlap. Between them, the turn works. */
  readonly waits: readonly TurnWait[];
}

/** One request: the turn pauses at `from` and resumes at `to`. */
export interface TurnWait {
  readonly elicitationId: string;
  readonly message: string;
  readonly from: number;
  readonly to: number;
  /** Absent if the log ends before the request does. */
  readonly outcome?: ElicitationOutcome | undefined;
}

/** Computes the timeline of a turn from its log. Returns `undefined` for a log without entries. */
export function timelineOf(
  entries: readonly { readonly at: number; readonly chunk: object }[],
): TurnTimeline | undefined {
  const from = entries[0]?.at;
  const to = entries.at(-1)?.at;
  if (from === undefined || to === undefined) return undefined;
  const waits = new Map<string, TurnWait>();
  for (const { at, chunk } of entries) {
    const parsed = "data" in chunk ? parseElicitationRequest(chunk.data) : undefined;
    if (parsed?.ok !== true) continue;
    const { elicitationId, message, resolution } = parsed.value;
    const begun = waits.get(elicitationId)?.from ?? at;
    waits.set(
      elicitationId,
      resolution === undefined
        ? { elicitationId, message, from: begun, to }
        : { elicitationId, message, from: begun, to: at, outcome: resolution.outcome },
    );
  }
  return { from, to, waits: [...waits.values()] };
}
