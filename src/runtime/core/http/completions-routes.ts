import type { Hono } from "hono/tiny";
import { asCompletion } from "./completion.ts";
import { parseCompletionsBody } from "./completions-body.ts";
import { createCompletionsStreamHelper } from "./completions-stream.ts";
import { newId } from "../shared/ids.ts";
import { readJson } from "./read-json.ts";
import { refuse } from "./reply.ts";
import { CLOSED, type ChatContext, type TurnReplies } from "./turn-replies.ts";

/**
 * The OpenAI-style route (contract, section 3). Requests are answered, listed and looked up by the other routes, under
 * the `conversationId` of the body.
 */
export function addCompletionsRoutes(app: Hono, context: ChatContext, replies: TurnReplies): void {
  const { authenticate, clock } = context;

  app.post("/v1/chat/completions", async (c) => {
    const request = c.req.raw;
    const user = await authenticate(request);
    const json = await readJson(request, context.maxChatBytes);
    if (!json.ok) return refuse(json.status, json.detail);
    const body = parseCompletionsBody(json.value);
    if (!body.ok) return refuse(400, body.detail);
    const { conversationId, stream, ...said } = body.value;
    const turn = await replies.start(request, {
      ...said,
      user,
      conversationId: conversationId ?? newId(),
      canAsk: stream && conversationId !== undefined,
    });
    if (turn instanceof Response) return turn;
    if (!stream) return replies.whole(turn, request, asCompletion);
    const created = Math.floor(clock.now() / 1000);
    return replies.stream(turn.id, {
      helper: (write) => createCompletionsStreamHelper(write, { id: turn.id, created }),
      // Clients of this route stop by closing the connection, and have no way to come back.
      onCancel: () => void turn.stop(CLOSED),
    });
  });
}
