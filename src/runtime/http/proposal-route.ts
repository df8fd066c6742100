import type { Hono } from "hono/tiny";
import { type WriteLimit, createWriteCount } from "../../base/write-limit.ts";
import { jsonReply, notFound, refuse } from "../../base/reply.ts";
import { MAX_SENTENCE_LENGTH, type ProposeAnswer, propose, takesSentence } from "../request/proposal.ts";
import { outcomeOf } from "../request/record.ts";
import { endedReply, readWrite } from "./answer-routes.ts";
import type { RouteContext } from "./turn-replies.ts";

/** Each sentence is one call of a model. A user who keeps correcting a sentence stays below this limit. */
const PROPOSALS_PER_MINUTE = 30;

export interface ProposalOptions {
  proposeAnswer: ProposeAnswer;
  writeLimit: WriteLimit | undefined;
  /** Called when the limit is exceeded. */
  onLimit: () => void;
}

/**
 * Adds the route that proposes answers to a form from a sentence of its user (contract, section 4). It changes nothing.
 */
export function addProposalRoute(app: Hono, context: RouteContext, options: ProposalOptions): void {
  const { elicitations, clock } = context;
  const { proposeAnswer, writeLimit, onLimit } = options;
  const count = createWriteCount({
    clock,
    perMinute: PROPOSALS_PER_MINUTE,
    // Separate from other writes of the user, so that sentences do not use up the limit for answers.
    writeLimit: writeLimit && ((sender, ...uses) => writeLimit(`proposals of ${sender}`, ...uses)),
    onLimit,
  });

  app.post("/api/elicitations/:id/proposal", async (c) => {
    const { signal } = c.req.raw;
    const write = await readWrite(c.req.raw, context, count);
    if (write instanceof Response) return write;
    const { text } = write.body;
    if (typeof text !== "string" || text.trim() === "" || [...text].length > MAX_SENTENCE_LENGTH) {
      return refuse(
        400,
        `text must be what the user has written, in at most ${MAX_SENTENCE_LENGTH} characters.`,
      );
    }
    const record = await elicitations.findToAnswer(c.req.param("id"), write.user.id);
    if (record === undefined) return notFound();
    const outcome = outcomeOf(record);
    if (outcome !== undefined) return endedReply({ outcome });
    if (!takesSentence(record.request)) return refuse(400, "A sentence cannot fill in this request.");
    try {
      const content = await propose(proposeAnswer, { record, text, clock, signal });
      return jsonReply(200, { success: true, elicitationId: record.request.elicitationId, content });
    } catch (error) {
      if (!signal.aborted) throw error;
      return refuse(400, "The client has left before its text was read.");
    }
  });
}
