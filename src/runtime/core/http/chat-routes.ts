import type { Hono } from "hono/tiny";
import { answerByMessage } from "./answer-routes.ts";
import { isId, parseChatBody } from "./chat-body.ts";
import { asMessage } from "./completion.ts";
import { readJson } from "./read-json.ts";
import { notSignedIn, refuse } from "./reply.ts";
import { UI_MESSAGE_STREAM_HEADERS } from "./sse.ts";
import { createUiMessageStreamHelper } from "../turn/stream-helper.ts";
import { CLOSED, type ChatContext, type TurnReplies } from "./turn-replies.ts";

const UI_MESSAGE_STREAM = { helper: createUiMessageStreamHelper, headers: UI_MESSAGE_STREAM_HEADERS };

/** The routes of section 3 of the contract: one turn as a UI message stream, its stop, and a second reader. */
export function addChatRoutes(app: Hono, context: ChatContext, replies: TurnReplies): void {
  const { authenticate, turns, turnStream } = context;

  app.post("/api/chat", async (c) => {
    const request = c.req.raw;
    const user = await authenticate(request);
    const json = await readJson(request, context.maxChatBytes);
    if (!json.ok) return refuse(json.status, json.detail);
    const body = parseChatBody(json.value);
    if (!body.ok) return refuse(400, body.detail);
    const { stream, answers, ...said } = body.value;
    if (answers !== undefined) {
      return answerByMessage(context, { user, conversationId: said.conversationId, parts: answers });
    }
    const turn = await replies.start(request, { ...said, user, canAsk: stream });
    if (turn instanceof Response) return turn;
    if (!stream) return replies.whole(turn, request, asMessage);
    // Nobody can come back to an anonymous turn, so it ends with its connection. Others go on without a reader.
    const onCancel = user === undefined ? () => void turn.stop(CLOSED) : undefined;
    return replies.stream(turn.id, { ...UI_MESSAGE_STREAM, onCancel });
  });

  app.get("/api/chat/:conversationId/stream", async (c) => {
    const user = await authenticate(c.req.raw);
    if (user === undefined) return notSignedIn();
    const turnId = await turnStream.find(c.req.param("conversationId"), user.id);
    if (turnId === undefined) return new Response(null, { status: 204 });
    // A stream that nobody reads would never be closed.
    return c.req.method === "HEAD" ? new Response(null) : replies.stream(turnId, UI_MESSAGE_STREAM);
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
