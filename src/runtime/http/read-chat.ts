import { RESPONSE_PART_TYPE, SUPPORTS_ELICITATION_HEADER } from "../../contract/contract.ts";
import { isObject } from "../../contract/json.ts";
import { acceptedLanguages } from "../../base/accept-language.ts";
import { MAX_ID_LENGTH, isId, newId } from "../../base/ids.ts";
import type { SupportedModes } from "../ask/question.ts";
import type { User } from "../../base/identity.ts";
import type { Sender } from "../../base/identity.ts";
import { answerByMessage } from "./answer-routes.ts";
import { type ChatBody, type ChatFormat, UI_MESSAGES } from "./chat-format.ts";
import { refuse } from "../../base/reply.ts";
import type { RouteContext } from "./route-context.ts";

/** A chat message for your own route to answer. Returned by `runtime.readChat`. */
export interface RouteChat {
  readonly conversationId: string;
  /** The messages from the client, not validated. Check them with `validateUIMessages`. */
  readonly messages: readonly unknown[];
  /** The sender, from the runtime's `authenticate`. */
  readonly user: User | undefined;
  /** The request modes that the chat can show. */
  readonly supports: SupportedModes;
  /** The page's origin, if it is one of the runtime's `allowedOrigins`. */
  readonly chatOrigin: string | undefined;
  readonly returnUrl: string | undefined;
  /** The user's languages as BCP 47 tags, best first, from `Accept-Language`. */
  readonly languages: readonly string[];
  /** Your own fields of the message, such as the `body` option of `useElicitation`: not validated, and untrusted. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

const MAX_URL_LENGTH = 2048;
/** Also accepted, because `useChat` users expect it: the part without the `data-` envelope. */
const BARE_RESPONSE_TYPE = "elicitation-response";
/** The members of a body that the contract or the AI SDK defines. */
const KNOWN_MEMBERS: ReadonlySet<string> = new Set([
  "id",
  "conversationId",
  "messages",
  "trigger",
  "messageId",
  "stream",
  "capabilities",
  "returnUrl",
  "startId",
]);
const NO_MODES: SupportedModes = { url: false, form: false };

/** Reads an admitted body. A separate function, so that the rest of the body can be garbage-collected during a turn. */
export async function readChatBody(
  { admission }: Pick<RouteContext, "admission">,
  request: Request,
  sender: Sender,
  format: ChatFormat = UI_MESSAGES,
): Promise<ChatBody | Response> {
  const json = await admission.body(request, sender);
  if (json instanceof Response) return json;
  const { value: body, bytes } = json;
  const isOwn = format === UI_MESSAGES;
  const { returnUrl, startId } = body;
  const given = body["conversationId"] ?? (isOwn ? body["id"] : undefined);
  const conversationId = given ?? newId();
  if (!isId(conversationId)) {
    const name = isOwn ? "conversationId (or id)" : "conversationId";
    return refuse(400, `${name} must be a string of 1 to ${MAX_ID_LENGTH} characters.`);
  }
  if (isOwn && startId !== undefined && !isId(startId))
    return refuse(400, `startId must be a string of 1 to ${MAX_ID_LENGTH} characters.`);
  const read = format.read(body);
  if (!read.ok) return refuse(400, read.detail);
  const { messages, stream, usage = false } = read;
  const last: unknown = isOwn ? messages.at(-1) : undefined;
  const parts: readonly unknown[] = isObject(last) && Array.isArray(last["parts"]) ? last["parts"] : [];
  const answers = parts.filter(isResponsePart);
  if (answers.length > 0 && answers.length < parts.length)
    return refuse(400, "A message that answers an elicitation has no other parts.");
  // The user can be asked if they see the turn while it runs, and if the client can send an answer, for which it needs
  // the conversation.
  const canAsk = stream && (isOwn || given !== undefined);
  return {
    conversationId,
    messages,
    stream,
    usage,
    startId: isOwn && isId(startId) ? startId : undefined,
    messageId: isObject(last) && isId(last["id"]) ? last["id"] : undefined,
    supports: canAsk ? supportedModes(request.headers, body["capabilities"]) : NO_MODES,
    returnUrl: typeof returnUrl === "string" && returnUrl.length <= MAX_URL_LENGTH ? returnUrl : undefined,
    own: Object.fromEntries(isOwn ? Object.entries(body).filter(([name]) => !KNOWN_MEMBERS.has(name)) : []),
    answers: answers.length > 0 ? answers : undefined,
    bytes,
  };
}

/**
 * Does the work of the chat route before a turn: checks identity, origin, limits, size and format, and handles answers.
 */
export async function readRouteChat(context: RouteContext, request: Request): Promise<RouteChat | Response> {
  const sender = await context.admission.sender(request);
  if (sender instanceof Response) return sender;
  const body = await readChatBody(context, request, sender);
  if (body instanceof Response) return body;
  const { conversationId, messages, supports, answers, returnUrl, own } = body;
  const { user } = sender;
  if (answers !== undefined)
    return answerByMessage(context, request, { user, conversationId, parts: answers });
  return {
    conversationId,
    messages,
    user,
    supports,
    chatOrigin: context.chatOriginOf(request),
    returnUrl,
    languages: acceptedLanguages(request.headers.get("accept-language")),
    body: own,
    signal: request.signal,
  };
}

/**
 * The modes that the client declares (contract, section 2). The header declares both modes. `capabilities.elicitation` of
 * the body names single modes and overrides the header. `{}` means form, as in MCP.
 */
function supportedModes(headers: Headers, capabilities: unknown): SupportedModes {
  const elicitation =
    isObject(capabilities) && Object.hasOwn(capabilities, "elicitation")
      ? capabilities["elicitation"]
      : undefined;
  if (elicitation === undefined) {
    const both = headers.get(SUPPORTS_ELICITATION_HEADER) === "true";
    return both ? { url: true, form: true } : NO_MODES;
  }
  if (!isObject(elicitation)) return NO_MODES;
  const names = (mode: string) => Object.hasOwn(elicitation, mode) && isObject(elicitation[mode]);
  return { url: names("url"), form: names("form") || Object.keys(elicitation).length === 0 };
}

function isResponsePart(part: unknown): boolean {
  return isObject(part) && (part["type"] === RESPONSE_PART_TYPE || part["type"] === BARE_RESPONSE_TYPE);
}
