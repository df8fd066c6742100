import type { Hono } from "hono/tiny";
import { answerByMessage } from "./answer-routes.ts";
import { readChatBody } from "./read-chat.ts";
import { emptyReply, jsonReply } from "../../base/reply.ts";
import type { User } from "../../base/identity.ts";
import type { SurfaceTurn } from "../turn/surface.ts";
import type { RouteContext } from "./route-context.ts";

/** How long a client that lost the stream can read the rest after the turn has ended. */
const KEEP_MS = 60_000;

/** The chat routes (contract, section 3): they run a turn in the client's format, re-attach to it, and stop it. */
export function addChatRoutes(app: Hono, context: RouteContext): void {
  const { admission, chats, replies } = context;

  /**
   * Finds a turn of any format. All formats share conversation ids, but only the first has routes to stop and to
   * re-attach.
   */
  async function findTurn(conversationId: string, user: User): Promise<SurfaceTurn | undefined> {
    for (const { surface } of chats) {
      const turn = await surface.find(user, { conversationId });
      if (turn !== undefined) return turn;
    }
    return undefined;
  }

  /**
   * Finds the turn to reattach to: the open one, or the ended one that writes or answers the message `messageId`. A client
   * that names no message may already have the whole answer, and would show it twice.
   */
  async function findReadable(
    conversationId: string,
    messageId: string | undefined,
    user: User,
  ): Promise<SurfaceTurn | undefined> {
    const turn = await findTurn(conversationId, user);
    if (turn?.ended !== true) return turn;
    if (messageId === undefined) return undefined;
    const isMeant = turn.ref["messageId"] === messageId || (await messageIdOf(turn)) === messageId;
    return isMeant ? turn : undefined;
  }

  for (const chat of chats) {
    app.post(chat.format.path, async (c) => {
      const request = c.req.raw;
      const sender = await admission.sender(request);
      if (sender instanceof Response) return sender;
      const body = await readChatBody(context, request, sender, chat.format);
      if (body instanceof Response) return body;
      const { user } = sender;
      const { conversationId, answers: parts, stream } = body;
      if (parts !== undefined) return answerByMessage(context, request, { user, conversationId, parts });
      const canReattach = chat === chats[0] && stream && user !== undefined;
      return replies.run(chat, request, sender, body, canReattach ? KEEP_MS : 0);
    });
    for (const [path, document] of Object.entries(chat.format.documents ?? {})) {
      app.get(path, async (c) => {
        const reader = await admission.reader(c.req.raw);
        return reader instanceof Response ? reader : jsonReply(200, document);
      });
    }
  }

  app.get("/api/chat/:conversationId/stream", async (c) => {
    const reader = await admission.reader(c.req.raw);
    if (reader instanceof Response) return reader;
    const turn = await findReadable(c.req.param("conversationId"), c.req.query("messageId"), reader.user);
    if (turn === undefined) return emptyReply(204);
    // The body of a HEAD reply is not read, so a stream would stay open.
    if (c.req.method === "HEAD") return emptyReply(200);
    return admission.refuseStream(c.req.raw) ?? replies.resume(turn, reader);
  });

  app.post("/api/chat/:conversationId/stop", async (c) => {
    const writer = await admission.person(c.req.raw);
    if (writer instanceof Response) return writer;
    const turn = await findTurn(c.req.param("conversationId"), writer.user);
    const messageId = c.req.query("messageId");
    const isMeant =
      turn?.ended === false && (messageId === undefined || (await messageIdOf(turn)) === messageId);
    if (isMeant) await turn.stop("The person stopped the turn.");
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
