import {
  type AssigneeList,
  type ElicitationAnswer,
  type ElicitationOutcome,
  type ElicitationRequest,
  type ContentError,
  outcomeOfAction,
} from "../../contract/contract.ts";

/** The request had already ended: for an answer, with another outcome or by another user (`by`). */
export interface EndedResult {
  kind: "ended";
  outcome: ElicitationOutcome;
  by?: string | undefined;
}

/** The result of one answer. Of several concurrent answers, exactly one is `settled` with `alreadyProcessed: false`. */
export type AnswerResult =
  | { kind: "settled"; outcome: ElicitationOutcome; alreadyProcessed: boolean }
  | { kind: "consented" }
  /** The accept claims completion, but the server has not confirmed it yet. */
  | { kind: "pending"; lastError?: string | undefined; byUser?: boolean | undefined }
  | { kind: "invalid"; errors: readonly ContentError[] }
  | EndedResult
  /** The request is waiting for another user. */
  | { kind: "assigned"; name: string }
  | { kind: "content-differs" }
  /** The answer leaves the decision to the agent, which the request does not offer. */
  | { kind: "not-delegable" }
  | { kind: "expired" }
  /** The request does not exist, or belongs to another user or conversation. The caller cannot find out which. */
  | { kind: "unknown" };

/** The result of assigning a request. `assignee` is as in the request, if it is not the user whose turn asks. */
export type AssignResult =
  | { kind: "assigned"; assignee: ElicitationRequest["assignee"] }
  | EndedResult
  /** `assign` of `createRuntime` does not allow it, or is not set. */
  | { kind: "forbidden" }
  | { kind: "unknown" };

/** The result of reminding the user or the group that a request waits for. */
export type RemindResult =
  | { kind: "reminded" }
  /** Their last notice is too recent, or still pending. */
  | { kind: "too-soon"; retryAfterMs: number }
  /** The request has no assignee, or notices are not configured. */
  | { kind: "forbidden" }
  | EndedResult
  | { kind: "unknown" };

/** The result of giving the user of a request more time. */
export type ExtendResult =
  /** RFC 3339. */
  | { kind: "extended"; expiresAt: string }
  /** The request already ends at its `extendableUntil`, or has none. */
  | { kind: "forbidden" }
  | EndedResult
  | { kind: "unknown" };

/** The users and groups to whom the user who decides a request may give it. */
export type ChoicesResult =
  | { kind: "choices"; choices: AssigneeList["assignees"] }
  | EndedResult
  | { kind: "unknown" };

/**
 * The result of an answer to a request that has ended: a repetition of the answer that settled it, too late, or a
 * different answer. `content` says whether it equals the content that settled the request. With `unknown`, the result
 * only contains the outcome.
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
