import type {
  ElicitationContent,
  ElicitationRequest,
  FormElicitationRequest,
} from "../../contract/contract.ts";
import { type Clock } from "../../base/clock.ts";
import { deadline } from "../../base/deadlines.ts";
import type { User } from "../../base/identity.ts";
import { findSecretFields, parseRequestedSchema } from "../../form/index.ts";
import { fitContent } from "../../form/fit-content.ts";
import type { ElicitationRecord } from "../ports/index.ts";

/** Proposes answers to a form. See `proposeAnswer` of `createRuntime`. */
export type ProposeAnswer = (sentence: {
  readonly request: FormElicitationRequest;
  /** What the user has written, in at most 4,000 characters. */
  readonly text: string;
  readonly user: User;
  readonly conversationId: string;
  readonly signal: AbortSignal;
}) => Promise<unknown>;

/** In code points. */
export const MAX_SENTENCE_LENGTH = 4000;
const PROPOSE_MS = 20_000;

/** Whether a sentence may fill in the request. */
export function takesSentence(request: ElicitationRequest): boolean {
  const fields = fieldsOf(request);
  return fields.length > 0 && findSecretFields(fields, request.message).length === 0;
}

/** The values that were proposed and fit the form. */
export async function propose(
  proposeAnswer: ProposeAnswer,
  { record, text, clock }: { record: ElicitationRecord; text: string; clock: Clock },
): Promise<ElicitationContent> {
  const { request, user, conversationId } = record;
  if (request.mode !== "form") return {};
  const { signal, cancel } = deadline(clock, PROPOSE_MS);
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  try {
    const proposing = proposeAnswer({ request, text, user, conversationId, signal });
    return fitContent(
      { fields: fieldsOf(request), message: request.message },
      await Promise.race([proposing, late]),
    );
  } finally {
    cancel();
  }
}

function fieldsOf({ requestedSchema }: ElicitationRequest) {
  const parsed = requestedSchema && parseRequestedSchema(requestedSchema);
  return parsed?.ok === true ? parsed.fields : [];
}
