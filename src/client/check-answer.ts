import type { ElicitationAnswer, ElicitationRequest } from "../contract/contract.ts";
import { type AnswerReceipt, type Channel, ChannelError } from "./channel.ts";
import type { OpenQuestion } from "./open-questions.ts";

/**
 * Returns a refusal for an accept with invalid content, for protocols in which no other side checks it. The check is
 * loaded with the first answer to a form, because many pages never need it.
 */
async function refusalOf(
  request: ElicitationRequest,
  { elicitationId, action, content }: ElicitationAnswer,
): Promise<AnswerReceipt | undefined> {
  if (action !== "accept" || request.mode !== "form") return undefined;
  const checked = (await loadCheck())(request.requestedSchema, content);
  if (checked.ok) return undefined;
  const message = "Some answers do not fit their questions.";
  return { elicitationId, kind: "refused", status: 400, message, errors: checked.errors };
}

const OTHER_REFUSED = "Another answer does not fit, so none was sent.";

/** Returns refusals for answers that are sent together if one of them is invalid, because then none may be sent. */
export async function refusalsOf(
  answers: readonly ElicitationAnswer[],
  requestOf: (elicitationId: string) => ElicitationRequest | undefined,
): Promise<readonly AnswerReceipt[] | undefined> {
  const refusals = await Promise.all(
    answers.map(async (answer) => {
      const request = requestOf(answer.elicitationId);
      return request && refusalOf(request, answer);
    }),
  );
  if (!refusals.some(Boolean)) return undefined;
  return answers.map(
    ({ elicitationId }, index) =>
      refusals[index] ?? { elicitationId, kind: "refused", status: 409, message: OTHER_REFUSED },
  );
}

/** Checks each answer, and takes it for itself. */
export function respondEach<Question extends OpenQuestion>(
  open: ReadonlyMap<string, Question>,
  takeAnswer: (question: Question, answer: ElicitationAnswer) => AnswerReceipt,
): Channel["respond"] {
  return async (answers, { signal }) => {
    const receipts = answers.map(async (answer): Promise<AnswerReceipt> => {
      const { elicitationId } = answer;
      const asked = open.get(elicitationId);
      const refusal = asked && (await refusalOf(asked.request, answer));
      // The server may have cancelled the question in the meantime.
      const question = open.get(elicitationId);
      return refusal ?? (question ? takeAnswer(question, answer) : { elicitationId, kind: "gone" });
    });
    const all = await Promise.all(receipts);
    signal.throwIfAborted();
    return all;
  };
}

async function loadCheck() {
  try {
    const { checkContent } = await import("../form/check-content.ts");
    return checkContent;
  } catch (cause) {
    throw new ChannelError("the check of answers could not be loaded", { retryable: true, cause });
  }
}
