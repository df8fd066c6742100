import {
  type AssigneeList,
  type ElicitationAnswer,
  type ElicitationOutcome,
  type ContentError,
  outcomeOfAction,
} from "../../contract/contract.ts";

/** The result of one answer. When answers race, exactly one is `settled` with `alreadyProcessed: false`. */
export type AnswerResult =
  | { kind: "settled"; outcome: ElicitationOutcome; alreadyProcessed: boolean }
  | { kind: "consented" }
  /** The accept claims completion, but the server has not seen it yet. */
  | { kind: "pending"; lastError?: string | undefined }
  | { kind: "invalid"; errors: readonly ContentError[] }
  /** The request had already ended with another outcome, or `by` another user. */
  | { kind: "ended"; outcome: ElicitationOutcome; by?: string | undefined }
  /** It waits for somebody else. */
  | { kind: "assigned"; name: string }
  | { kind: "content-differs" }
  | { kind: "expired" }
  /** The request does not exist, or belongs to another user or conversation. The caller is not told which. */
  | { kind: "unknown" };

/** What became of giving a request to somebody else. `name`: whom it waits for now, if not the user whose turn asks. */
export type AssignResult =
  | { kind: "assigned"; name: string | undefined }
  | { kind: "ended"; outcome: ElicitationOutcome; by?: string | undefined }
  /** `assign` of `createRuntime` does not allow it, or is not set. */
  | { kind: "forbidden" }
  | { kind: "unknown" };

/** What became of reminding the user or the group that a request waits for. */
export type RemindResult =
  | { kind: "reminded" }
  /** Their last notice is too recent, or still to come. */
  | { kind: "too-soon"; retryAfterMs: number }
  /** It waits for nobody else, or nobody gets a notice of it. */
  | { kind: "forbidden" }
  | { kind: "ended"; outcome: ElicitationOutcome; by?: string | undefined }
  | { kind: "unknown" };

/** To whom a user may give a request that they decide. */
export type ChoicesResult =
  | { kind: "choices"; choices: AssigneeList["assignees"] }
  | { kind: "ended"; outcome: ElicitationOutcome; by?: string | undefined }
  | { kind: "unknown" };

/**
 * The result of an answer to a request that has ended: a repeat of the answer that settled it, too late, or a different
 * answer. `content` says whether it equals the content that settled the request. With `unknown`, the result only names
 * the outcome.
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
