import type { Hono } from "hono/tiny";
import { jsonReply, notFound, refuse } from "../../base/reply.ts";
import { MAX_SENTENCE_LENGTH, type ProposeAnswer, propose, takesSentence } from "../request/proposal.ts";
import { outcomeOf } from "../request/record.ts";
import { readWrite } from "./answer-routes.ts";
import type { RouteContext } from "./turn-replies.ts";

/** Proposes answers to a form from a sentence of its user (contract, section 4). Changes nothing. */
export function addProposalRoute(app: Hono, context: RouteContext, proposeAnswer: ProposeAnswer): void {
  const { elicitations, clock } = context;

  app.post("/api/elicitations/:id/proposal", async (c) => {
    const write = await readWrite(c.req.raw, context);
    if (write instanceof Response) return write;
    const { text } = write.body;
    if (typeof text !== "string" || text.trim() === "" || [...text].length > MAX_SENTENCE_LENGTH) {
      return refuse(
        400,
        `text must be what the user has written, in at most ${MAX_SENTENCE_LENGTH} characters.`,
      );
    }
    const record = await elicitations.find(c.req.param("id"), write.user.id);
    if (record === undefined) return notFound();
    const outcome = outcomeOf(record);
    if (outcome !== undefined) return refuse(409, `This request has already ended: ${outcome}.`, { outcome });
    if (!takesSentence(record.request)) return refuse(400, "A sentence cannot fill in this request.");
    const content = await propose(proposeAnswer, { record, text, clock });
    return jsonReply(200, { success: true, elicitationId: record.request.elicitationId, content });
  });
}
