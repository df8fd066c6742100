import type { Hono } from "hono/tiny";
import { createWriteCount } from "../../base/write-limit.ts";
import { jsonReply, notFound, refuse } from "../../base/reply.ts";
import { endedReply, readWrite } from "../../runtime/http/answer-routes.ts";
import type { FeatureParts, SentenceFeature } from "../../runtime/http/feature.ts";
import type { RouteContext } from "../../runtime/http/route-context.ts";
import { outcomeOf } from "../../runtime/request/record.ts";
import { MAX_SENTENCE_LENGTH, type ProposeAnswer, propose, takesSentence } from "./propose.ts";

/** Each sentence is one call of a model. A user who keeps correcting a sentence stays below this limit. */
const PROPOSALS_PER_MINUTE = 30;

/** The option of `createRuntime` for proposals. */
export interface ProposalOptions {
  /**
   * Proposes answers to a form from a sentence of the user, such as `createAnswerProposer` of `elicit-kit/agent`. Returns
   * values by field. Invalid values are left out. The form shows them, and the user sends it. Not called for a form that
   * asks for secrets, and at most 30 times a minute for one user. `signal` aborts after 20 seconds, or when the client
   * has left.
   * @default undefined: a message withdraws the form
   */
  proposeAnswer?: ProposeAnswer | undefined;
}

/** Fills in forms from sentences. `undefined` without `proposeAnswer`. */
export function proposalsFor(
  { proposeAnswer }: ProposalOptions,
  parts: FeatureParts,
): SentenceFeature | undefined {
  return (
    proposeAnswer && {
      takes: takesSentence,
      addRoutes: (app, context) => addProposalRoute(app, context, proposeAnswer, parts),
    }
  );
}

/**
 * Adds the route that proposes answers to a form from a sentence of its user (contract, section 4). It changes nothing.
 */
function addProposalRoute(
  app: Hono,
  context: RouteContext,
  proposeAnswer: ProposeAnswer,
  { writeLimit, observer }: FeatureParts,
): void {
  const { elicitations, clock } = context;
  const count = createWriteCount({
    clock,
    perMinute: PROPOSALS_PER_MINUTE,
    // Separate from other writes of the user, so that sentences do not use up the limit for answers.
    writeLimit: writeLimit && ((sender, ...uses) => writeLimit(`proposals of ${sender}`, ...uses)),
    onLimit: () => observer?.limited("proposals"),
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
