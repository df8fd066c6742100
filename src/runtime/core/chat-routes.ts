import type { Hono } from "hono";
import { type RouteContext, answerByMessage, tooMany } from "./answer-routes.ts";
import { supportedModes } from "./capability.ts";
import { isId, parseChatBody } from "./chat-body.ts";
import type { OriginCheck } from "./origin.ts";
import { collectCompletion } from "./completion.ts";
import { readJson } from "./read-json.ts";
import { jsonReply, notSignedIn, refuse } from "./reply.ts";
import { uiMessageStream } from "./sse.ts";
import type { TurnLog } from "./turn-log.ts";
import type { OpenTurn, Turns } from "./turns.ts";

export interface ChatContext extends RouteContext {
  turns: Turns;
  log: TurnLog;
  isAllowedOrigin: OriginCheck;
  maxChatBytes: number;
  keepAliveMs: number;
}

/** The routes of section 3 of the contract: one turn as a stream, its stop, and a second reader. */
export function addChatRoutes(app: Hono, context: ChatContext): void {
  const { authenticate, turns, log, clock, keepAliveMs } = context;

  function streamOf(turn: OpenTurn, onCancel?: () => void): Response {
    const reader = new AbortController();
    const entries = log.read(turn.id, { live: true, signal: reader.signal });
    return uiMessageStream(entries, { reader, clock, keepAliveMs, onCancel });
  }

  app.post("/api/chat", async (c) => {
    const request = c.req.raw;
    const user = await authenticate(request);
    const json = await readJson(request, context.maxChatBytes);
    if (!json.ok) return refuse(json.status, json.detail);
    const body = parseChatBody(json.value);
    if (!body.ok) return refuse(400, body.detail);
    const { conversationId, messages, stream, capabilities, returnUrl, answers } = body.value;
    if (answers !== undefined) return answerByMessage(context, { user, conversationId, parts: answers });

    const allowed = user === undefined ? undefined : context.limit(user.id);
    if (allowed?.ok === false) return tooMany(allowed.retryAfter);
    const origin = request.headers.get("origin");
    const turn = turns.start({
      conversationId,
      user,
      messages,
      supports: stream ? supportedModes(request.headers, capabilities) : { url: false, form: false },
      chatOrigin: origin !== null && context.isAllowedOrigin(origin) ? origin : undefined,
      returnUrl,
    });
    if (stream) {
      // Nobody can come back to an anonymous turn, so it ends with its connection. Others go on without a reader.
      return streamOf(
        turn,
        user === undefined ? () => void turn.stop("The connection was closed.") : undefined,
      );
    }
    const { signal } = request;
    signal.addEventListener("abort", () => void turn.stop("The connection was closed."));
    const answer = await collectCompletion(log.read(turn.id, { live: true, signal }), {
      id: turn.id,
      now: clock.now(),
    });
    return answer === undefined
      ? refuse(500, "The assistant could not finish its answer.")
      : jsonReply(200, answer);
  });

  app.get("/api/chat/:conversationId/stream", async (c) => {
    const user = await authenticate(c.req.raw);
    if (user === undefined) return notSignedIn();
    const turn = turns.find(c.req.param("conversationId"), user.id);
    return turn === undefined ? new Response(null, { status: 204 }) : streamOf(turn);
  });

  app.post("/api/chat/:conversationId/stop", async (c) => {
    const user = await authenticate(c.req.raw);
    if (user === undefined) return notSignedIn();
    const conversationId = c.req.param("conversationId");
    if (!isId(conversationId)) return refuse(400, "conversationId is missing.");
    await turns.find(conversationId, user.id)?.stop("The person stopped the turn.");
    return new Response(null, { status: 204 });
  });
}
