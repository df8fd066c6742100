import type { ElicitationAnswer, ElicitationRequest } from "../protocol/contract.ts";
import { type AnswerReceipt, ChannelError } from "./channel.ts";

/**
 * The refusal of an accept whose content does not fit its form, for protocols in which nobody else checks it. The check is
 * loaded with the first answer to a form: a page that only opens pages does not need it.
 */
export async function refusalOf(
  request: ElicitationRequest,
  { elicitationId, action, content }: ElicitationAnswer,
): Promise<AnswerReceipt | undefined> {
  if (action !== "accept" || request.mode !== "form") return undefined;
  const checked = (await loadCheck())(request.requestedSchema, content);
  if (checked.ok) return undefined;
  const message = "Some answers do not fit their questions.";
  return { elicitationId, kind: "refused", status: 400, message, errors: checked.errors };
}

async function loadCheck() {
  try {
    const { checkContent } = await import("../form/check-content.ts");
    return checkContent;
  } catch (cause) {
    throw new ChannelError("the check of answers could not be loaded", { retryable: true, cause });
  }
}
