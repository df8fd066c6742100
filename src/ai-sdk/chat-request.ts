import { isObject } from "../contract/json.ts";
import { parseJson } from "../contract/parse-json.ts";

/** An HTTP request of a chat's transport: its conversation, and how it was sent. */
export interface ChatRequest {
  /** `undefined` if the HTTP request names no conversation, for example with a custom body. */
  conversationId: string | undefined;
  /** Whether the HTTP request has a body. Without one, it re-attaches to a turn. */
  isMessage: boolean;
  /** The body that was passed beside the URL, if it is a JSON object. */
  body: Readonly<Record<string, unknown>> | undefined;
  /** The URL where the AI SDK re-attaches to the turn. `undefined` if no conversation is named. */
  streamUrl: string | undefined;
  headers: Headers;
  signal: AbortSignal | undefined;
  credentials: RequestCredentials | undefined;
}

/**
 * Reads an HTTP request of an AI SDK transport. The conversation is in the body of a message, as `id` (`conversationId`
 * in the contract, often `chatId` in a custom body), or in the path `…/{id}/stream` of a re-attached stream.
 */
export async function readChatRequest(
  input: RequestInfo | URL,
  init: RequestInit | undefined,
): Promise<ChatRequest> {
  const request = input instanceof Request ? input : undefined;
  const body = init?.body ?? (request?.body == null ? undefined : await request.clone().text());
  const json = typeof body === "string" ? objectIn(body) : undefined;
  const url = input instanceof Request ? input.url : input instanceof URL ? input.href : input;
  const named =
    json && [json["conversationId"], json["chatId"], json["id"]].find((name) => typeof name === "string");
  const conversationId = named ?? namedInPath(url);
  return {
    conversationId,
    isMessage: body != null,
    body: init?.body == null ? undefined : json,
    streamUrl: named === undefined ? conversationId && url : streamUrlOf(url, named),
    headers: new Headers(init?.headers ?? request?.headers),
    signal: init?.signal ?? request?.signal,
    credentials: init?.credentials ?? request?.credentials,
  };
}

function streamUrlOf(chatUrl: string, conversationId: string): string {
  const [path = "", query = ""] = chatUrl.split(/(?=[?#])/, 2);
  return `${path}/${encodeURIComponent(conversationId)}/stream${query}`;
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const json = parseJson(text);
  return isObject(json) ? json : undefined;
}

function namedInPath(url: string): string | undefined {
  const segment = /\/([^/?#]+)\/stream(?:[?#]|$)/.exec(url)?.[1];
  try {
    return segment && decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
