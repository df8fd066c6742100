import type { ElicitationRecord } from "../ports/index.ts";
import { KitError } from "../../contract/kit-error.ts";
import type { Question } from "./question.ts";

/** An earlier run of the turn has asked something else under the same id. Its answer must not be used. */
export class QuestionChanged extends KitError {
  constructor() {
    super(
      "elicit-kit: a question with this elicitationId was asked before, and asked for something else. Its answer is not used. Give a question that has changed another id.",
    );
  }
}

/** Throws if `known`, the record of the question's id, asks for something else than `asked`. */
export function ensureSameQuestion(
  known: ElicitationRecord,
  asked: ElicitationRecord,
  { key }: Question,
): void {
  if (contentOf(known, key) !== contentOf(asked, key)) throw new QuestionChanged();
}

/** What an answer is an answer to. A question with a key may be worded differently. */
function contentOf({ request, signIn }: ElicitationRecord, key: string | undefined): string {
  const { mode } = request;
  if (mode === "form")
    return JSON.stringify([mode, request.requestedSchema, key === undefined && request.message]);
  return JSON.stringify([mode, request.url, request.service?.name, signIn?.url, signIn?.scope]);
}
