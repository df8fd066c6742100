import type { Hono } from "hono/tiny";
import { answerByMessage } from "./answer-routes.ts";
import { asMessage } from "./completion.ts";
import { readChatBody } from "./read-chat.ts";
import { emptyReply } from "./reply.ts";
import type { User } from "../ports/index.ts";
import type { SurfaceTurn } from "../turn/surface.ts";
import { CLOSED, type ChatContext, type TurnReplies, UI_MESSAGE_STREAM } from "./turn-replies.ts";

/** How long a client that lost the stream of a turn can read the rest after the turn has ended. */
const KEEP_MS = 60_000;

/** The chat routes (contract, section 3): run a turn as a UI message stream, reattach to it, and stop it. */
export function addChatRoutes(app: Hono, context: ChatContext, replies: TurnReplies): void {
  const { admission, surfaces } = context;

  /** Finds a turn of either chat route. They share conversation ids, and the OpenAI route has no stop or reattach of its own. */
  async function findTurn(conversationId: string, user: User): Promise<SurfaceTurn | undefined> {
    const where = { conversationId };
    return (await surfaces.chat.find(user, where)) ?? surfaces.openai.find(user, where);
  }

  /**
   * Finds the turn to reattach to: the open one, or the ended one that writes the message `messageId`. A client that
   * names no message may have the whole message from elsewhere, and would show it twice.
   */
  async function findReadable(
    conversationId: string,
    messageId: string | undefined,
    user: User,
  ): Promise<SurfaceTurn | undefined> {
    const turn = await findTurn(conversationId, user);
    if (turn?.ended !== true) return turn;
    return messageId !== undefined && (await messageIdOf(turn)) === messageId ? turn : undefined;
  }

  app.post("/api/chat", async (c) => {
    const request = c.req.raw;
    const sender = await admission.sender(request);
    if (sender instanceof Response) return sender;
    const body = await readChatBody(context, request, sender);
    if (body instanceof Response) return body;
    const { user } = sender;
    const { stream, answers, ...input } = body;
    if (answers !== undefined) {
      return answerByMessage(context, request, {
        user,
        conversationId: input.conversationId,
        parts: answers,
      });
    }
    const turn = await replies.start(surfaces.chat, request, {
      ...input,
      sender,
      isStream: stream,
      canAsk: stream,
      keepMs: stream && user !== undefined ? KEEP_MS : 0,
    });
    if (turn instanceof Response) return turn;
    if (!stream) return replies.whole(turn, request, asMessage);
    // An anonymous user cannot reattach, so the turn ends with its connection. Other turns continue without a reader.
    const onCancel = user === undefined ? () => turn.stop(CLOSED) : undefined;
    return replies.stream(turn, sender, { ...UI_MESSAGE_STREAM, onCancel });
  });

  app.get("/api/chat/:conversationId/stream", async (c) => {
    const reader = await admission.reader(c.req.raw);
    if (reader instanceof Response) return reader;
    const turn = await findReadable(c.req.param("conversationId"), c.req.query("messageId"), reader.user);
    if (turn === undefined) return emptyReply(204);
    // The body of a HEAD reply is not read, so a stream would never be closed.
    if (c.req.method === "HEAD") return emptyReply(200);
    return replies.refuseReader(reader) ?? replies.stream(turn, reader, UI_MESSAGE_STREAM);
  });

  app.post("/api/chat/:conversationId/stop", async (c) => {
    const writer = await admission.person(c.req.raw);
    if (writer instanceof Response) return writer;
    const turn = await findTurn(c.req.param("conversationId"), writer.user);
    if (turn?.ended === false) await turn.stop("The person stopped the turn.");
    return emptyReply(204);
  });
}

/** The id of the message that a turn writes, from the first chunk of its log. */
async function messageIdOf(turn: SurfaceTurn): Promise<unknown> {
  for await (const { chunk } of turn.read({ live: false, signal: new AbortController().signal })) {
    return "messageId" in chunk ? chunk.messageId : undefined;
  }
  return undefined;
}
