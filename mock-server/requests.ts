import {
  type ElicitationAnswer,
  RESPONSE_PART_TYPE,
  SUPPORTS_ELICITATION_HEADER,
} from "../src/contract/contract.ts";
import { parseElicitationResponse } from "../src/contract/guard.ts";
import { isObject } from "../src/contract/json.ts";

/** `chat` runs or reads a turn, `answer` answers a request, and `status` reads which requests are open or how one ended. */
export type RequestKind = "chat" | "answer" | "status" | "other";

/** A request to the mock server, classified before the server processes it. */
export interface SeenRequest {
  readonly kind: RequestKind;
  /** The valid answers in it. */
  readonly answers: readonly ElicitationAnswer[];
}

/** Does not consume the request's body. */
export async function lookAt(request: Request): Promise<SeenRequest> {
  const { pathname } = new URL(request.url);
  const isPost = request.method === "POST";
  if (isPost && pathname.endsWith("/elicitation-responses")) {
    const body = await readBody(request);
    return { kind: "answer", answers: answersIn(body["conversationId"], [body]) };
  }
  if (isPost && pathname.endsWith("/chat/completions")) return { kind: "chat", answers: [] };
  if (isPost && pathname.endsWith("/chat")) {
    const body = await readBody(request);
    const parts = answerParts(body);
    const answers = answersIn(body["conversationId"] ?? body["id"], parts);
    return { kind: parts.length > 0 ? "answer" : "chat", answers };
  }
  if (pathname.endsWith("/stream")) return { kind: "chat", answers: [] };
  const isStatus = request.method === "GET" && /\/elicitations(?:\/[^/]+)?$/.test(pathname);
  return { kind: isStatus ? "status" : "other", answers: [] };
}

/** The same request from a client that cannot show elicitations. */
export async function withoutCapability(request: Request): Promise<Request> {
  const { capabilities: _, ...body } = await readBody(request);
  const headers = new Headers(request.headers);
  headers.delete(SUPPORTS_ELICITATION_HEADER);
  return new Request(request.url, { method: "POST", headers, body: JSON.stringify(body) });
}

/** The text of the user's last message, among the messages that the client sent. */
export function lastSaid(messages: readonly unknown[]): string {
  const last = messages.at(-1);
  const parts: readonly unknown[] = isObject(last) && Array.isArray(last["parts"]) ? last["parts"] : [];
  return parts
    .map((part) => (isObject(part) && part["type"] === "text" ? String(part["text"]) : ""))
    .join("");
}

async function readBody(request: Request): Promise<Readonly<Record<string, unknown>>> {
  try {
    const body: unknown = await request.clone().json();
    return isObject(body) ? body : {};
  } catch {
    return {};
  }
}

function answerParts(body: Readonly<Record<string, unknown>>): readonly unknown[] {
  const messages: readonly unknown[] = Array.isArray(body["messages"]) ? body["messages"] : [];
  const last = messages.at(-1);
  const parts: readonly unknown[] = isObject(last) && Array.isArray(last["parts"]) ? last["parts"] : [];
  return parts.flatMap((part) => {
    if (!isObject(part)) return [];
    if (part["type"] === RESPONSE_PART_TYPE) return [part["data"]];
    return part["type"] === "elicitation-response" ? [part["data"] ?? part] : [];
  });
}

function answersIn(conversationId: unknown, given: readonly unknown[]): ElicitationAnswer[] {
  return given.flatMap((one) => {
    const parsed = parseElicitationResponse(one);
    if (!parsed.ok || typeof conversationId !== "string") return [];
    const { elicitationId, action, content } = parsed.value;
    return [{ conversationId, elicitationId, action, ...(content !== undefined && { content }) }];
  });
}
