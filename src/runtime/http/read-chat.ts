import type { SupportedModes } from "../request/question.ts";
import type { User } from "../ports/index.ts";
import type { Sender } from "../turn/input-limit.ts";
import { answerByMessage } from "./answer-routes.ts";
import { supportedModes } from "./capability.ts";
import { type ChatBody, parseChatBody } from "./chat-body.ts";
import { refuse } from "./reply.ts";
import type { ChatContext } from "./turn-replies.ts";

/** A chat message that a route of your own may answer. Made by `runtime.readChat`. */
export interface RouteChat {
  readonly conversationId: string;
  /** As the client sent them, not validated. Check them with `validateUIMessages`. */
  readonly messages: readonly unknown[];
  /** The sender, from the runtime's `authenticate`. */
  readonly user: User | undefined;
  /** The request modes that the chat can show. */
  readonly supports: SupportedModes;
  /** The page's origin, if it is one of the runtime's `allowedOrigins`. */
  readonly chatOrigin: string | undefined;
  readonly returnUrl: string | undefined;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

/** Reads an admitted body. A separate function, so that the rest of the body can be garbage-collected during a turn. */
export async function readChatBody(
  { admission }: ChatContext,
  request: Request,
  sender: Sender,
): Promise<(ChatBody & { bytes: number }) | Response> {
  const json = await admission.body(request, sender);
  if (json instanceof Response) return json;
  const body = parseChatBody(json.value);
  return body.ok ? { ...body.value, bytes: json.bytes } : refuse(400, body.detail);
}

/** Does what the chat route does before a turn: checks identity, origin, limits, size and shape, and takes answers. */
export async function readRouteChat(context: ChatContext, request: Request): Promise<RouteChat | Response> {
  const sender = await context.admission.sender(request);
  if (sender instanceof Response) return sender;
  const body = await readChatBody(context, request, sender);
  if (body instanceof Response) return body;
  const { conversationId, messages, answers, returnUrl } = body;
  const { user } = sender;
  if (answers !== undefined)
    return answerByMessage(context, request, { user, conversationId, parts: answers });
  return {
    conversationId,
    messages,
    user,
    supports: body.stream ? supportedModes(request.headers, body.capabilities) : { url: false, form: false },
    chatOrigin: context.chatOriginOf(request),
    returnUrl,
    signal: request.signal,
  };
}
