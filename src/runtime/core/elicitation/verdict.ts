import type {
  AnswerAck,
  ContentError,
  ElicitationAnswer,
  ElicitationOutcome,
} from "../../../protocol/contract.ts";
import type { ElicitationRecord } from "../ports.ts";
import { OUTCOME_OF } from "./record.ts";
import { jsonReply, notFound, refuse } from "../http/reply.ts";

/** What became of one answer. Of two that race, one is `settled` without `alreadyProcessed`. */
export type Verdict =
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

/** What an answer to a request that has ended means: the same again, too late, or otherwise. */
export function verdictOnEnded(
  record: ElicitationRecord,
  outcome: ElicitationOutcome,
  answer: ElicitationAnswer,
  digest: string,
): Verdict {
  if (OUTCOME_OF[answer.action] !== outcome) {
    return outcome === "expired" ? { kind: "expired" } : { kind: "ended", outcome };
  }
  const differs = record.answerDigest !== undefined && record.answerDigest !== digest;
  return differs ? { kind: "content-differs" } : { kind: "settled", outcome, alreadyProcessed: true };
}

/** Status and body of a verdict (contract, section 4). */
export function verdictReply(elicitationId: string, verdict: Verdict): Response {
  const success = { success: true, elicitationId } as const;
  switch (verdict.kind) {
    case "settled":
      return ackReply(200, {
        ...success,
        outcome: verdict.outcome,
        ...(verdict.alreadyProcessed && { alreadyProcessed: true }),
      });
    case "consented":
      return ackReply(200, { ...success, status: "consented" });
    case "pending":
      return ackReply(202, { ...success, status: "pending", lastError: verdict.lastError });
    case "invalid":
      return refuse(400, "Some fields do not fit. The request is still open.", { errors: verdict.errors });
    case "ended":
      return refuse(409, `This request has already ended: ${verdict.outcome}.`, { outcome: verdict.outcome });
    case "content-differs":
      return refuse(409, "This request was already answered, with other content.", {
        code: "content-differs",
      });
    case "expired":
      return refuse(410, "This request was not answered in time.", { outcome: "expired" });
    default:
      return notFound();
  }
}

function ackReply(status: 200 | 202, body: AnswerAck): Response {
  return jsonReply(status, body);
}
