import type {
  ElicitationContent,
  ElicitationRequest,
  FormElicitationRequest,
} from "../../contract/contract.ts";
import type { Clock } from "../../base/clock.ts";
import { within, untilAborted } from "../../base/deadlines.ts";
import type { User } from "../../base/identity.ts";
import { findSecretFields, parseRequestedSchema } from "../../form/index.ts";
import { fitContent } from "../../form/fit-content.ts";
import type { ElicitationRecord } from "../../runtime/ports/index.ts";

/** Proposes answers to a form. See `proposeAnswer` of `createRuntime`. */
export type ProposeAnswer = (sentence: {
  readonly request: FormElicitationRequest;
  /** The user's text, at most 4,000 characters. */
  readonly text: string;
  readonly user: User;
  readonly conversationId: string;
  readonly signal: AbortSignal;
}) => Promise<unknown>;

/** The limit in code points. */
export const MAX_SENTENCE_LENGTH = 4000;
const PROPOSE_MS = 20_000;

/** Whether a sentence may fill in the request. */
export function takesSentence(request: ElicitationRequest): boolean {
  const fields = fieldsOf(request);
  return fields.length > 0 && findSecretFields(fields, request.message).length === 0;
}

/** Returns the valid part of the proposed values. Rejects when `signal` aborts. */
export async function propose(
  proposeAnswer: ProposeAnswer,
  {
    record,
    text,
    clock,
    signal: left,
  }: { record: ElicitationRecord; text: string; clock: Clock; signal: AbortSignal },
): Promise<ElicitationContent> {
  const { request, user, conversationId } = record;
  if (request.mode !== "form") return {};
  const proposed = await within(clock, PROPOSE_MS, async (late) => {
    const signal = AbortSignal.any([late, left]);
    const proposing = proposeAnswer({ request, text, user, conversationId, signal });
    const content = await untilAborted(proposing, signal);
    signal.throwIfAborted();
    return content;
  });
  return fitContent({ fields: fieldsOf(request), message: request.message }, proposed);
}

function fieldsOf({ requestedSchema }: ElicitationRequest) {
  const parsed = requestedSchema && parseRequestedSchema(requestedSchema);
  return parsed?.ok === true ? parsed.fields : [];
}
