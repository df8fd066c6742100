import type { ElicitationResult } from "../request/question.ts";
import { type ResolvedRequest, currentRequest, isResolved, outcomeOf } from "../request/record.ts";
import type { ElicitationRecord, ElicitationRecords, TurnStream } from "../ports/index.ts";
import { eventOf } from "./logged-event.ts";
import { type PastAsks, refusalKey } from "./turn-ask.ts";

/** What an earlier run asked, and what its log lacks. */
export interface PastRequests extends PastAsks {
  /** Requests that have ended although the log shows them open. Their calls may be recorded, and do not ask again. */
  readonly unshown: readonly ResolvedRequest[];
}

/** Reads the requests of a turn from its log, and their outcomes from the records: the log may lack the last ones. */
export async function readPastAsks(
  turnId: string,
  { stream, records }: { stream: Pick<TurnStream, "read">; records: Pick<ElicitationRecords, "get"> },
): Promise<PastRequests> {
  /** Whether the log shows its end, by request. */
  const shown = new Map<string, boolean>();
  const { signal } = new AbortController();
  for await (const entry of stream.read(turnId, { live: false, signal })) {
    const event = eventOf(entry);
    if ("request" in event) shown.set(event.request.elicitationId, event.kind === "resolved");
  }
  const calls = new Set<string>();
  const refused = new Map<string, ElicitationResult>();
  const unshown: ResolvedRequest[] = [];
  const found = await Promise.all([...shown.keys()].map((id) => records.get(id)));
  for (const record of found) {
    if (record === undefined || record.turnId !== turnId) continue;
    const request = currentRequest(record);
    const isShown = shown.get(request.elicitationId) === true;
    if (!isShown && isResolved(request) && !isBeingStored(request)) unshown.push(request);
    const { mode, toolCallId } = record.request;
    if (toolCallId !== undefined) calls.add(toolCallId);
    const result = refusalIn(record);
    const key = refusalKey({ mode, tool: record.tool });
    if (result !== undefined && key !== undefined) refused.set(key, result);
  }
  return { calls, refused, unshown };
}

/** What the person has connected may still be being stored, and may fail. The call that waits for it tells how it ended. */
function isBeingStored({ mode, resolution }: ResolvedRequest): boolean {
  return mode === "url" && resolution.outcome === "accepted";
}

function refusalIn(record: ElicitationRecord): ElicitationResult | undefined {
  const outcome = outcomeOf(record);
  if (outcome === "expired") return { outcome, afterMs: record.expiresAt - record.createdAt };
  return outcome === "declined" || outcome === "cancelled" ? { outcome } : undefined;
}
