import type { ElicitationRecord, Settlement } from "../ports/index.ts";

/** Returns the record with `patch` and the next revision. */
export function changedRecord(
  record: ElicitationRecord,
  patch: Partial<ElicitationRecord>,
): ElicitationRecord {
  return { ...record, ...patch, revision: record.revision + 1 };
}

/** Returns the record as ended. It holds the digest of the answer, never its content. */
export function endedRecord(
  record: ElicitationRecord,
  { outcome, reason }: Pick<Settlement, "outcome" | "reason">,
  { now, answerDigest }: { now: number; answerDigest?: string | undefined },
): ElicitationRecord {
  return { ...record, revision: record.revision + 1, status: outcome, reason, answerDigest, endedAt: now };
}
