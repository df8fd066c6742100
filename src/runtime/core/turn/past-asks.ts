import type { ElicitationResult } from "../elicitation/question.ts";
import { outcomeOf } from "../elicitation/record.ts";
import type { ElicitationRecord, ElicitationRecords, TurnStream } from "../ports/index.ts";
import { eventOf } from "./logged-event.ts";
import { type PastAsks, refusalKey } from "./turn-ask.ts";

/** Reads the requests of a turn from its log, and their outcomes from the records: the log may lack the last ones. */
export async function readPastAsks(
  turnId: string,
  { stream, records }: { stream: Pick<TurnStream, "read">; records: Pick<ElicitationRecords, "get"> },
): Promise<PastAsks> {
  const ids = new Set<string>();
  const { signal } = new AbortController();
  for await (const entry of stream.read(turnId, { live: false, signal })) {
    const event = eventOf(entry);
    if ("request" in event) ids.add(event.request.elicitationId);
  }
  const calls = new Set<string>();
  const refused = new Map<string, ElicitationResult>();
  for (const id of ids) {
    const record = await records.get(id);
    if (record === undefined || record.turnId !== turnId) continue;
    const { mode, toolCallId } = record.request;
    if (toolCallId !== undefined) calls.add(toolCallId);
    const result = refusalIn(record);
    const key = refusalKey({ mode, tool: record.tool });
    if (result !== undefined && key !== undefined) refused.set(key, result);
  }
  return { calls, refused };
}

function refusalIn(record: ElicitationRecord): ElicitationResult | undefined {
  const outcome = outcomeOf(record);
  if (outcome === "expired") return { outcome, afterMs: record.expiresAt - record.createdAt };
  return outcome === "declined" || outcome === "cancelled" ? { outcome } : undefined;
}
