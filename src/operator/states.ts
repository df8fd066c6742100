import type { Verification } from "../audit/verify.ts";
import type { Html } from "../connect/page/layout/html.ts";
import { OUTCOME_ICONS } from "../connect/page/layout/page-parts.ts";
import { type ElicitationRecord, outcomeOf } from "../runtime/internal.ts";
import { stateOf } from "./document.ts";
import { countOf } from "./format.ts";

export function recordState(record: ElicitationRecord, now: number): Html {
  const outcome = outcomeOf(record) ?? (record.expiresAt <= now ? "expired" : undefined);
  if (outcome !== undefined) {
    const kind =
      outcome === "accepted" ? "good" : outcome === "expired" || outcome === "failed" ? "bad" : undefined;
    return stateOf(OUTCOME_ICONS[outcome], outcome, kind);
  }
  if (record.lastError !== undefined) return stateOf("alert", "attempt failed", "bad");
  return record.status === "consented" ? stateOf("link", "page opened") : stateOf("pause", "waits");
}

/** The result of verifying the end of the log. */
export function chainState(verification: Verification): Html {
  if (!verification.ok) return stateOf("alert", `row ${verification.seq}: ${verification.problem}`, "bad");
  const { first, seq, rows } = verification;
  if (rows === 0) return stateOf("check", "no rows yet");
  return stateOf("check", `verified from row ${countOf(first)} to ${countOf(seq)}`, "good");
}
