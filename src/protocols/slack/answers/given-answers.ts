import type { Clock } from "../../../base/clock.ts";
import type { ElicitationRequest } from "../../../contract/contract.ts";
import type { SurfaceTurn } from "../../../runtime/internal.ts";
import type { SlackLanguage } from "../blocks/english.ts";
import type { AnswerLine } from "../blocks/request-message.ts";
import { describeAnswers } from "./submission.ts";

/**
 * Records contain no answers, and the stores with the answers keep them for only some minutes. After that, the message
 * shows none.
 */
const LOOK_MS = 1000;

/** The user's answers to a form that Slack could show, even if the user answered it elsewhere. Never secrets. */
export async function givenAnswers(
  turn: Pick<SurfaceTurn, "settlement">,
  request: ElicitationRequest,
  { clock, language }: { readonly clock: Clock; readonly language: SlackLanguage },
): Promise<readonly AnswerLine[]> {
  if (request.mode !== "form" || request.resolution?.outcome !== "accepted") return [];
  // What another user has answered goes to the agent alone.
  if (request.resolution.by !== undefined) return [];
  const late = new AbortController();
  const cancel = clock.after(LOOK_MS, () => late.abort());
  try {
    const settlement = await turn.settlement(request.elicitationId, { signal: late.signal });
    return describeAnswers(request, settlement?.content ?? {}, language);
  } catch (error) {
    if (!late.signal.aborted) throw error;
    return [];
  } finally {
    cancel();
  }
}
