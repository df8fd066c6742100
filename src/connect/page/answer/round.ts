import { html } from "hono/html";
import type { ElicitationRecord } from "../../../runtime/internal.ts";
import type { PageContext } from "../context.ts";
import type { Html } from "../layout/html.ts";
import type { PageWords } from "../../../words/page/en.ts";

/** The progress of a request's round. */
export interface RoundProgress {
  readonly answered: number;
  readonly size: number;
  /** Another request of the round that waits for an answer. */
  readonly nextId: string | undefined;
}

/**
 * The agent waits for all requests of a round, so the page links from one to the next. Each answer ends its request at
 * once, because the server keeps no user input.
 */
export async function progressOf(
  { request, conversationId, user }: ElicitationRecord,
  { elicitations }: Pick<PageContext, "elicitations">,
): Promise<RoundProgress | undefined> {
  const { round, elicitationId } = request;
  if (round === undefined) return undefined;
  const open = (await elicitations.listOpen(conversationId, user.id)).filter(
    (record) => record.request.round?.id === round.id,
  );
  // A page that the user has agreed to open waits for its own completion, not for an answer.
  const waiting = open.filter(({ status }) => status === "pending");
  const next = waiting.find((record) => record.request.elicitationId !== elicitationId);
  return {
    answered: Math.max(0, round.size - waiting.length),
    size: round.size,
    nextId: next?.request.elicitationId,
  };
}

export function roundHint(
  words: PageWords,
  round: Pick<RoundProgress, "answered" | "size"> | undefined,
): Html | "" {
  return round === undefined
    ? ""
    : html`<p class="hint">${words.roundProgress(round.answered, round.size)}</p>`;
}
