import { isObject } from "../protocol/json.ts";

/** What a chat's request says: which conversation it belongs to, and how it was sent. */
export interface RunRequest {
  /** `undefined` when the request names none, as with a body of the app's own making. */
  conversationId: string | undefined;
  headers: Headers;
  signal: AbortSignal | undefined;
  credentials: RequestCredentials | undefined;
}

/**
 * Reads a request of an AI SDK transport. It names the chat in the body of a run (as `id`; the contract says
 * `conversationId`, and apps with a body of their own often say `chatId`) and in the path of a re-attached stream,
 * `…/{id}/stream`.
 */
export async function readRunRequest(
  input: RequestInfo | URL,
  init: RequestInit | undefined,
): Promise<RunRequest> {
  const request = input instanceof Request ? input : undefined;
  const body = init?.body ?? (request?.body == null ? undefined : await request.clone().text());
  return {
    conversationId:
      (typeof body === "string" ? namedInBody(body) : undefined) ??
      namedInPath(
        request?.url ?? (input instanceof URL ? input.href : typeof input === "string" ? input : ""),
      ),
    headers: new Headers(init?.headers ?? request?.headers),
    signal: init?.signal ?? request?.signal,
    credentials: init?.credentials ?? request?.credentials,
  };
}

function namedInBody(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    if (!isObject(body)) return undefined;
    return [body["conversationId"], body["chatId"], body["id"]].find((name) => typeof name === "string");
  } catch {
    return undefined;
  }
}

function namedInPath(url: string): string | undefined {
  const segment = /\/([^/?#]+)\/stream(?:[?#]|$)/.exec(url)?.[1];
  try {
    return segment && decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
