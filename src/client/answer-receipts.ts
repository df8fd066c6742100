import { type ElicitationAnswer, outcomeOfAction, type StatusReport } from "../contract/contract.ts";
import { parseAnswerAck, parseProblem } from "../contract/guard.ts";
import type { AnswerReceipt } from "./channel.ts";
import { fieldOf, listOf } from "./http-replies.ts";

/** Matches a body that is a web page. */
export const HTML = Symbol("a web page");

/** Returns the receipt of each answer in a reply (contract, section 4). A reply to one answer may come without a list. */
export function receiptsOf(
  answers: readonly ElicitationAnswer[],
  status: number,
  body: unknown,
): AnswerReceipt[] {
  return answers.map((answer) => {
    const id = answer.elicitationId;
    const result = listOf(body, "results").find((one) => fieldOf(one, "elicitationId") === id);
    const code = fieldOf(result, "status");
    return typeof code === "number"
      ? receiptOf(answer, code, fieldOf(result, "body"))
      : receiptOf(answer, status, body);
  });
}

function receiptOf(
  { elicitationId, action }: ElicitationAnswer,
  status: number,
  body: unknown,
): AnswerReceipt {
  const ack = parseAnswerAck(body);
  if (status < 300 && ack.ok) {
    const { value } = ack;
    return receiptOfStatus(elicitationId, "outcome" in value ? { status: value.outcome } : value);
  }
  // A server of the basic level may only report that it has taken the answer.
  if (status < 300 && body !== HTML && fieldOf(body, "success") !== false && !fieldOf(body, "error")) {
    return status === 202
      ? { elicitationId, kind: "pending" }
      : { elicitationId, kind: "settled", outcome: outcomeOfAction[action] };
  }
  const problem = parseProblem(body);
  if (!problem.ok) {
    const message = `The server's reply (${status}) is not one of an elicitation server. Is the API address right?`;
    return { elicitationId, kind: "refused", status, message };
  }
  const { code, detail, errors, outcome } = problem.value;
  if (status === 404) return { elicitationId, kind: "gone" };
  const ended =
    status === 410
      ? "expired"
      : code === "content-differs"
        ? "accepted"
        : status === 409
          ? outcome
          : undefined;
  if (ended !== undefined) return { elicitationId, kind: "settled", outcome: ended, differs: true };
  return { elicitationId, kind: "refused", status, message: detail, errors };
}

/**
 * Returns the receipt for an answer, from the status of its request. Without a report, the server does not know the
 * request.
 */
export function receiptOfStatus(
  elicitationId: string,
  report: Pick<StatusReport, "status" | "lastError" | "byUser"> | undefined,
): AnswerReceipt {
  if (report === undefined) return { elicitationId, kind: "gone" };
  const { status, lastError, byUser } = report;
  if (status === "pending") return { elicitationId, kind: "pending", lastError, byUser };
  if (status === "consented" || status === "completed") return { elicitationId, kind: "consented" };
  return { elicitationId, kind: "settled", outcome: status };
}
