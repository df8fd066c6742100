import type { Hono } from "hono/tiny";
import { asCompletion } from "./completion.ts";
import { type CompletionsBody, parseCompletionsBody } from "./completions-body.ts";
import { createCompletionsStreamHelper } from "./completions-stream.ts";
import type { Sender } from "../turn/input-limit.ts";
import { newId } from "../../base/ids.ts";
import { refuse } from "./reply.ts";
import { CLOSED, type ChatContext, type TurnReplies } from "./turn-replies.ts";

/**
 * The OpenAI-style route (contract, section 3). Clients use the other routes to answer, list and look up requests, with
 * the `conversationId` of the body.
 */
export function addCompletionsRoutes(app: Hono, context: ChatContext, replies: TurnReplies): void {
  const { admission, clock, surfaces } = context;

  /** A separate function, so that the rest of the body can be garbage-collected while the turn runs. */
  async function readBody(
    request: Request,
    sender: Sender,
  ): Promise<(CompletionsBody & { bytes: number }) | Response> {
    const json = await admission.body(request, sender);
    if (json instanceof Response) return json;
    const body = parseCompletionsBody(json.value);
    return body.ok ? { ...body.value, bytes: json.bytes } : refuse(400, body.detail);
  }

  app.post("/v1/chat/completions", async (c) => {
    const request = c.req.raw;
    const sender = await admission.sender(request);
    if (sender instanceof Response) return sender;
    const body = await readBody(request, sender);
    if (body instanceof Response) return body;
    const { conversationId, stream, ...input } = body;
    const turn = await replies.start(surfaces.openai, request, {
      ...input,
      sender,
      conversationId: conversationId ?? newId(),
      isStream: stream,
      canAsk: stream && conversationId !== undefined,
    });
    if (turn instanceof Response) return turn;
    if (!stream) return replies.whole(turn, request, asCompletion);
    const created = Math.floor(clock.now() / 1000);
    return replies.stream(turn, sender, {
      helper: (write) => createCompletionsStreamHelper(write, { id: turn.id, created }),
      // Clients of this route stop a turn by closing the connection, and cannot reattach.
      onCancel: () => turn.stop(CLOSED),
    });
  });
}
