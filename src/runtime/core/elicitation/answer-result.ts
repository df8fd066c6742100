import {
  type ContentError,
  type ElicitationAnswer,
  type ElicitationOutcome,
  outcomeOfAction,
} from "../../../protocol/contract.ts";

/** What became of one answer. Of two that race, one is `settled` without `alreadyProcessed`. */
export type AnswerResult =
  | { kind: "settled"; outcome: ElicitationOutcome; alreadyProcessed: boolean }
  | { kind: "consented" }
  /** The accept means completion, and there is none yet. */
  | { kind: "pending"; lastError?: string | undefined }
  | { kind: "invalid"; errors: readonly ContentError[] }
  /** It had ended otherwise. */
  | { kind: "ended"; outcome: ElicitationOutcome }
  | { kind: "content-differs" }
  | { kind: "expired" }
  /** Not there, not this person's, or not of this conversation: nobody is told which. */
  | { kind: "unknown" };

/**
 * What an answer to a request that has ended means: the same again, too late, or otherwise. `content`: whether it is the
 * one that counted; of one that cannot be told only how the request has ended is said.
 */
export function resultOnEnded(
  outcome: ElicitationOutcome,
  answer: ElicitationAnswer,
  content: "same" | "different" | "unknown",
): AnswerResult {
  if (outcomeOfAction[answer.action] !== outcome) {
    return outcome === "expired" ? { kind: "expired" } : { kind: "ended", outcome };
  }
  if (content === "unknown") return { kind: "ended", outcome };
  return content === "different"
    ? { kind: "content-differs" }
    : { kind: "settled", outcome, alreadyProcessed: true };
}
