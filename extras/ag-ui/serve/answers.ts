import { isElicitationContent } from "../../../src/contract/elicit-result.ts";
import { isObject } from "../../../src/contract/json.ts";
import type { ElicitationRequest } from "../../../src/contract/contract.ts";
import {
  type SurfaceTurn,
  type Presented,
  type Taken,
  take,
  takeUnreadable,
} from "../../../src/runtime/internal.ts";
import { type AgUiAnswer, readResumeEntry } from "../wire/translate.ts";

/** The result of handling the answers of a run with `resume`. */
export type TakenAnswers =
  /** `after`: the position in the log up to which the client has read. */
  | { readonly kind: "taken"; readonly after: number | undefined }
  /**
   * There were too many answers at once. The client sends all of them again, and answers that were already taken count
   * once.
   */
  | { readonly kind: "limited"; readonly retryAfter: number };

/**
 * Handles each answer of a run once. Entries for unknown questions or other turns are ignored. The record stores the
 * errors of an answer, for every process.
 */
export async function takeAnswers(
  turn: SurfaceTurn,
  resume: readonly unknown[],
  presented: (request: ElicitationRequest) => Presented,
): Promise<TakenAnswers> {
  const read = resume.flatMap((entry) => readResumeEntry(entry) ?? []);
  const first = new Map<string, AgUiAnswer>();
  for (const answer of read) if (!first.has(answer.elicitationId)) first.set(answer.elicitationId, answer);
  const open = await turn.open();
  for (const answer of first.values()) {
    const request = open.find(({ elicitationId }) => elicitationId === answer.elicitationId);
    const taken = request && (await takeOne(turn, answer, { request, how: presented(request) }));
    if (taken?.kind === "limited") return taken;
  }
  const positions = read.flatMap(({ after }) => after ?? []);
  return { kind: "taken", after: positions.length === 0 ? undefined : Math.max(...positions) };
}

async function takeOne(
  turn: SurfaceTurn,
  given: AgUiAnswer,
  { request, how }: { readonly request: ElicitationRequest; readonly how: Presented },
): Promise<Taken | undefined> {
  const { elicitationId, content } = given;
  const action = how.as === "link" && isDenial(given) ? "decline" : given.action;
  if (action !== "accept" || request.mode === "url") return take(turn, { elicitationId, action });
  // If there is an answer page, the answer comes from it.
  if (how.as !== "form") return undefined;
  return isElicitationContent(content)
    ? take(turn, { elicitationId, action, content })
    : takeUnreadable(turn, elicitationId);
}

/** Whether a client has denied a confirmation. */
function isDenial({ content }: AgUiAnswer): boolean {
  return isObject(content) && content["approved"] === false;
}
