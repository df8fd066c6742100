import type { ElicitationRecord, Settlement } from "../ports.ts";

/** The record after a change that leaves it open. */
export function changedRecord(
  record: ElicitationRecord,
  patch: Partial<ElicitationRecord>,
): ElicitationRecord {
  return { ...record, ...patch, revision: record.revision + 1 };
}

/** The record after its end. The content of an answer is not part of it, only its digest. */
export function endedRecord(
  record: ElicitationRecord,
  { outcome, reason }: Pick<Settlement, "outcome" | "reason">,
  { now, answerDigest }: { now: number; answerDigest?: string | undefined },
): ElicitationRecord {
  return { ...record, revision: record.revision + 1, status: outcome, reason, answerDigest, endedAt: now };
}
