import { type ElicitationRequest, REQUEST_PART_TYPE } from "../../src/contract/contract.ts";
import { parseElicitationRequest } from "../../src/contract/guard.ts";
import { isObject } from "../../src/contract/json.ts";
import type { User } from "../../src/runtime/index.ts";

export const CHAT_ORIGIN = "https://chat.example.com";

/** Identity for tests: `Bearer ada` or the cookie `user=ada` is Ada, whatever else the HTTP request contains. */
export function authenticateTestUser(request: Request): User | undefined {
  const bearer = /^Bearer (\w+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
  const id = bearer ?? /(?:^|; )user=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1];
  return id === undefined ? undefined : { id, name: id[0]?.toUpperCase() + id.slice(1) };
}

/** A stream as a client reads it. */
export interface ReadStream {
  readonly response: Response;
  /** The chunks so far. */
  readonly chunks: readonly Readonly<Record<string, unknown>>[];
  /** Comment lines, such as keep-alives. */
  readonly comments: readonly string[];
  /** The first open request (or the one at `index`) that `is` accepts, once it exists. */
  request(index?: number, is?: (request: ElicitationRequest) => boolean): Promise<ElicitationRequest>;
  /** Resolves when the stream has ended. The last chunk of each part id counts. */
  done: Promise<void>;
  cancel(): Promise<void>;
}

export interface ChatClient {
  fetch(
    path: string,
    init?: { method?: string; body?: unknown; headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<Response>;
  /** Sends a message and reads the stream in the background. */
  send(conversationId: string, body?: Readonly<Record<string, unknown>>): Promise<ReadStream>;
  answer(conversationId: string, answer: Readonly<Record<string, unknown>>): Promise<Response>;
}

/** A chat of one user, over plain `fetch`. */
export function createChatClient(
  fetch: (request: Request) => Promise<Response>,
  { user, headers = {} }: { user?: string | undefined; headers?: Record<string, string> | undefined } = {},
): ChatClient {
  const defaults: Record<string, string> = {
    origin: CHAT_ORIGIN,
    ...(user !== undefined && { authorization: `Bearer ${user}` }),
    ...headers,
  };
  const client: ChatClient = {
    fetch(path, { method, body, headers: more, signal } = {}) {
      const isText = typeof body === "string";
      return fetch(
        new Request(`https://runtime.example.com${path}`, {
          method: method ?? (body === undefined ? "GET" : "POST"),
          ...(signal !== undefined && { signal }),
          headers: {
            ...defaults,
            ...(body !== undefined && { "content-type": "application/json" }),
            ...more,
          },
          ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
        }),
      );
    },
    async send(conversationId, body = {}) {
      const message = { id: "m1", role: "user", parts: [{ type: "text", text: "Go" }] };
      const response = await client.fetch("/run/api/chat", {
        headers: { "x-supports-elicitation": "true" },
        body: { id: conversationId, trigger: "submit-message", messages: [message], ...body },
      });
      return readStream(response);
    },
    answer: (conversationId, answer) =>
      client.fetch("/run/api/elicitation-responses", { body: { conversationId, ...answer } }),
  };
  return client;
}

export function readStream(response: Response): ReadStream {
  const chunks: Readonly<Record<string, unknown>>[] = [];
  const comments: string[] = [];
  let waiting: (() => void)[] = [];
  let isDone = false;
  const wake = () => {
    const woken = waiting;
    waiting = [];
    for (const resume of woken) resume();
  };
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();

  async function read(): Promise<void> {
    let rest = "";
    for (;;) {
      const next = await reader?.read();
      if (next === undefined || next.done) break;
      const events = (rest + next.value).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        if (event.startsWith(":")) comments.push(event);
        else if (event !== "data: [DONE]") chunks.push(asObject(JSON.parse(event.slice("data: ".length))));
      }
      wake();
    }
  }
  const done = read().finally(() => {
    isDone = true;
    wake();
  });
  // A failed test no longer waits for it, and must not end the run of other tests.
  done.catch(() => {});
  return {
    response,
    chunks,
    comments,
    done,
    async request(index = 0, is = () => true) {
      for (;;) {
        const ids = new Map<string, ElicitationRequest>();
        for (const chunk of chunks) {
          const parsed =
            chunk["type"] === REQUEST_PART_TYPE ? parseElicitationRequest(chunk["data"]) : undefined;
          if (parsed?.ok === true) ids.set(parsed.value.elicitationId, parsed.value);
        }
        const found = [...ids.values()].filter((request) => request.resolution === undefined && is(request))[
          index
        ];
        if (found !== undefined) return found;
        if (isDone) {
          const end = JSON.stringify(chunks.slice(-3)).slice(0, 1000);
          throw new Error(`the stream (${response.status}) has ended without an open request: ${end}`);
        }
        await new Promise<void>((resume) => waiting.push(resume));
      }
    },
    cancel: async () => {
      await reader?.cancel();
    },
  };
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw new Error("a chunk is not an object");
  return value;
}
