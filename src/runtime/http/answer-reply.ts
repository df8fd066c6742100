import type { AnswerAck } from "../../contract/contract.ts";
import type { AnswerResult } from "../request/answer-result.ts";
import { jsonReply, notFound, refuse } from "./reply.ts";

/** The reply with the status and body of a result (contract, section 4). */
export function answerReply(elicitationId: string, result: AnswerResult): Response {
  const success = { success: true, elicitationId } as const;
  switch (result.kind) {
    case "settled":
      return ackReply(200, {
        ...success,
        outcome: result.outcome,
        ...(result.alreadyProcessed && { alreadyProcessed: true }),
      });
    case "consented":
      return ackReply(200, { ...success, status: "consented" });
    case "pending":
      return ackReply(202, { ...success, status: "pending", lastError: result.lastError });
    case "invalid":
      return refuse(400, "Some fields do not fit. The request is still open.", { errors: result.errors });
    case "ended":
      return refuse(409, `This request has already ended: ${result.outcome}.`, { outcome: result.outcome });
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
