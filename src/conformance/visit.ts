import { SUPPORTS_ELICITATION_HEADER } from "../protocol/contract.ts";
import { type ChunkStream, readChunks } from "./chunk-stream.ts";
import type { ConformanceHooks, ConformanceTarget } from "./target.ts";
import { NotChecked, Nonconformity, ensure } from "./verdict.ts";

/** A reply that has been read to its end. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text as JSON; `undefined` when it is none. */
  readonly body: unknown;
}

/** One run of the agent, as its stream is read. */
export interface Run {
  readonly conversationId: string;
  readonly headers: Headers;
  readonly stream: ChunkStream;
}

export interface SayOptions {
  /** @default a new one */
  conversationId?: string | undefined;
  /** Value of the capability header; `null` leaves it out. @default "true" */
  supports?: string | null | undefined;
  /** More members of the body. */
  body?: Readonly<Record<string, unknown>> | undefined;
}

/** Somebody who talks to the server: always with the same headers, or with none. */
export interface Person {
  /** Says something to the agent and reads its stream. */
  say(text: string, options?: SayOptions): Promise<Run>;
  /** The same, for a reply of any kind. */
  send(text: string, options?: SayOptions): Promise<Response>;
  get(path: string): Promise<Reply>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  request(path: string, init: RequestInit): Promise<Response>;
  /** Reads a stream, and stops reading at the end of the visit. */
  read(response: Response): ChunkStream;
}

/** What a case works with. */
export interface Visit {
  readonly patienceMs: number;
  /** A hook; a case that needs a missing one is not checked. */
  need<Name extends keyof ConformanceHooks>(name: Name): NonNullable<ConformanceHooks[Name]>;
  hook<Name extends keyof ConformanceHooks>(name: Name): ConformanceHooks[Name];
  /** Two people who are signed in. */
  people(): readonly [Person, Person];
  /** Somebody with these headers. Without any: nobody the server knows. */
  person(headers?: Readonly<Record<string, string>>): Person;
  leave(): Promise<void>;
}

/** What a person may be held up for by the rate limit. */
const LONGEST_WAIT_MS = 61_000;
/** Looking for a completion may take a server three times half a second; nothing may take longer than this. */
const REPLY_MS = 10_000;

export function visitServer(target: ConformanceTarget): Visit {
  const { api, hooks = {}, patienceMs = 5_000 } = target;
  const left: (() => Promise<unknown>)[] = [];

  function read(response: Response): ChunkStream {
    ensure(response.body !== null, `expected a stream, got ${response.status} without a body`);
    const stream = readChunks(response.body, patienceMs);
    left.push(() => stream.cancel());
    return stream;
  }

  function person(identity: Readonly<Record<string, string>> = {}): Person {
    const fetch = target.fetch ?? globalThis.fetch;

    async function request(path: string, init: RequestInit): Promise<Response> {
      const headers = new Headers(identity);
      new Headers(init.headers).forEach((value, name) => headers.set(name, value));
      const url = URL.canParse(path) ? path : `${api}${path}`;
      const late = new Nonconformity(
        `${init.method ?? "GET"} ${path} was not answered within ${REPLY_MS} ms`,
      );
      return within(REPLY_MS, fetch(url, { ...init, headers }), late);
    }

    /** A server may hold a busy visitor up; the rate limit has its own case. */
    async function patiently(path: string, init: RequestInit): Promise<Response> {
      for (;;) {
        const response = await request(path, init);
        const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
        if (response.status !== 429 || !(seconds * 1_000 <= LONGEST_WAIT_MS)) return response;
        await response.body?.cancel();
        await pause(seconds * 1_000);
      }
    }

    async function send(text: string, options: SayOptions = {}): Promise<Response> {
      const { conversationId = newConversation(), supports = "true", body } = options;
      const headers = new Headers({ "content-type": "application/json" });
      if (supports !== null) headers.set(SUPPORTS_ELICITATION_HEADER, supports);
      const message = { id: newConversation(), role: "user", parts: [{ type: "text", text }] };
      const said = {
        id: conversationId,
        conversationId,
        trigger: "submit-message",
        messages: [message],
        ...body,
      };
      left.push(() => request(`/chat/${conversationId}/stop`, { method: "POST" }).then(drop));
      return patiently("/chat", { method: "POST", headers, body: JSON.stringify(said) });
    }

    return {
      request,
      send,
      read,
      async say(text, options = {}) {
        const { conversationId = newConversation() } = options;
        const response = await send(text, { ...options, conversationId });
        ensure(response.status === 200, `POST /chat: expected 200, got ${response.status}`);
        return { conversationId, headers: response.headers, stream: read(response) };
      },
      async get(path) {
        return replyOf(await patiently(path, {}));
      },
      async post(path, body, headers = { "content-type": "application/json" }) {
        const text = typeof body === "string" ? body : JSON.stringify(body);
        const response = await patiently(path, { method: "POST", headers, body: text });
        if (!isEventStream(response)) return replyOf(response);
        // The rest of a run, which may go on for long: its head says enough.
        left.push(() => drop(response));
        return { status: response.status, headers: response.headers, text: "", body: undefined };
      },
    };
  }

  function need<Name extends keyof ConformanceHooks>(name: Name): NonNullable<ConformanceHooks[Name]> {
    const hook = hooks[name];
    if (hook === undefined) throw new NotChecked(`needs the hook "${name}"`);
    return hook;
  }

  return {
    patienceMs,
    need,
    hook: (name) => hooks[name],
    people() {
      const [first, second] = need("people");
      return [person(first.headers), person(second.headers)];
    },
    person,
    async leave() {
      // Streams first: a turn that is stopped has nobody to tell.
      await Promise.allSettled(left.toReversed().map((goAway) => goAway()));
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Tries until `probe` finds something, or fails with what it should have found. */
export async function eventually<T>(
  visit: Visit,
  what: string,
  probe: () => Promise<T | undefined>,
  withinMs: number = visit.patienceMs,
): Promise<T> {
  for (let waited = 0; ; waited += 50) {
    const found = await probe();
    if (found !== undefined) return found;
    ensure(waited < withinMs, `within ${withinMs} ms ${what} did not come about`);
    await pause(50);
  }
}

async function within<T>(ms: number, promise: Promise<T>, late: Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late), ms);
  });
  return Promise.race([promise, over]).finally(() => clearTimeout(timer));
}

async function replyOf(response: Response): Promise<Reply> {
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: response.status, headers: response.headers, text, body };
}

function newConversation(): string {
  return `conformance-${crypto.randomUUID()}`;
}

export function isEventStream({ headers }: { headers: Headers }): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") === true;
}

async function drop(response: Response): Promise<void> {
  await response.body?.cancel();
}
