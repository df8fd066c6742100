import { SUPPORTS_ELICITATION_HEADER } from "../../src/contract/contract.ts";
import {
  type Reply,
  answered,
  bounded,
  readReply,
  redirectOrigin,
  Nonconformity,
  NotChecked,
  ensure,
} from "./reply.ts";
import { type ChunkStream, readChunks } from "./chunk-stream.ts";
import type { ConformanceHooks, ConformanceTarget } from "./target.ts";

/** One turn of the agent, while its stream is read. */
export interface Turn {
  readonly conversationId: string;
  readonly headers: Headers;
  readonly stream: ChunkStream;
}

export interface MessageOptions {
  /** @default a new one */
  conversationId?: string | undefined;
  /** The value of the capability header. `null` leaves it out. @default "true" */
  supports?: string | null | undefined;
  /** Additional members of the body. */
  body?: Readonly<Record<string, unknown>> | undefined;
}

/** A client of the server that sends the same identity with each HTTP request, or no identity. */
export interface Person {
  /** Sends a chat message and reads the stream of its turn. */
  sendMessage(text: string, options?: MessageOptions): Promise<Turn>;
  /** Sends a chat message and accepts any kind of reply. */
  trySendMessage(text: string, options?: MessageOptions): Promise<Response>;
  get(path: string): Promise<Reply>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** Sends an HTTP request. If the rate limit asks to wait, waits and sends it again. `path` may be a whole URL. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Sends a write once, without retries, for the rule about the rate limit. */
  postOnce(path: string, body: string, headers: Readonly<Record<string, string>>): Promise<Reply>;
  /** Reads a stream until the stream or the case ends. */
  read(response: Response): ChunkStream;
}

/** A question that the agent can be made to ask. */
export interface AnyQuestion {
  readonly mode: "url" | "form";
  /** The chat message that makes the agent ask it. */
  readonly message: string;
}

/** The functions that a case uses. */
export interface TestContext {
  readonly patienceMs: number;
  /** Returns a hook. A case whose hook is missing is not checked. */
  need<Name extends keyof ConformanceHooks>(name: Name): NonNullable<ConformanceHooks[Name]>;
  hook<Name extends keyof ConformanceHooks>(name: Name): ConformanceHooks[Name];
  /** Returns a question of this mode if the server has one, else of the other mode. For rules that apply to both. */
  question(preferred: "url" | "form"): AnyQuestion;
  /** Returns one question of each mode that the server has. */
  questions(): readonly AnyQuestion[];
  /** Returns two signed-in users. */
  people(): readonly [Person, Person];
  /** Returns a client with these headers. Without headers, it is not signed in. */
  person(headers?: Readonly<Record<string, string>>): Person;
  /** Stops the turns of the case, and stops reading. */
  close(): Promise<void>;
}

/** The contract counts writes by the minute, so no server may require a longer wait. */
const LONGEST_WAIT_MS = 61_000;
/** How often an HTTP request is sent while the server replies with 429. */
const MAX_TRIES = 10;

export function createTestContext(target: ConformanceTarget): TestContext {
  const { api, hooks = {}, patienceMs = 5_000 } = target;
  const closing: (() => Promise<unknown>)[] = [];

  function read(response: Response): ChunkStream {
    ensure(response.body !== null, `expected a stream, got ${response.status} without a body`);
    const stream = readChunks(response.body, patienceMs);
    closing.push(() => stream.cancel());
    return stream;
  }

  function person(identity: Readonly<Record<string, string>> = {}): Person {
    const fetch = target.fetch ?? globalThis.fetch;

    async function requestOnce(path: string, init: RequestInit = {}): Promise<Response> {
      const headers = new Headers(identity);
      new Headers(init.headers).forEach((value, name) => headers.set(name, value));
      const url = URL.canParse(path) ? path : `${api}${path}`;
      const to = nameOf(path, init);
      // Redirects are not followed, because they would send the headers and the body to another address.
      const response = await answered(to, fetch(url, { ...init, headers, redirect: "manual" }));
      const elsewhere = redirectOrigin(response, url);
      if (elsewhere !== undefined) {
        await drop(response);
        throw new Nonconformity(`${to} redirects to ${elsewhere}, and no redirect is followed`);
      }
      return bounded(response);
    }

    async function request(path: string, init: RequestInit = {}): Promise<Response> {
      for (let tries = 1; ; tries += 1) {
        const response = await requestOnce(path, init);
        const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
        const isLimited = response.status === 429 && seconds * 1_000 <= LONGEST_WAIT_MS;
        if (!isLimited || tries === MAX_TRIES) return response;
        await drop(response);
        await pause(seconds * 1_000);
      }
    }

    async function call(path: string, init: RequestInit, how = request): Promise<Reply> {
      const response = await how(path, init);
      const to = nameOf(path, init);
      if (!isEventStream(response)) return readReply(to, response);
      // The rest of a turn may take long. Its status and headers are enough here.
      closing.push(() => drop(response));
      return { to, status: response.status, headers: response.headers, text: "", body: undefined };
    }

    async function trySendMessage(text: string, options: MessageOptions = {}): Promise<Response> {
      const { conversationId = newConversation(), supports = "true", body } = options;
      const headers = new Headers({ "content-type": "application/json" });
      if (supports !== null) headers.set(SUPPORTS_ELICITATION_HEADER, supports);
      const message = { id: newConversation(), role: "user", parts: [{ type: "text", text }] };
      const sent = {
        id: conversationId,
        conversationId,
        trigger: "submit-message",
        messages: [message],
        ...body,
      };
      return request("/chat", { method: "POST", headers, body: JSON.stringify(sent) });
    }

    const stop = (conversationId: string) =>
      request(`/chat/${conversationId}/stop`, { method: "POST" }).then(drop);

    return {
      request,
      postOnce: (path, body, headers) => call(path, { method: "POST", headers, body }, requestOnce),
      read,
      async trySendMessage(text, options = {}) {
        const { conversationId = newConversation() } = options;
        const response = await trySendMessage(text, { ...options, conversationId });
        if (response.status === 200) closing.push(() => stop(conversationId));
        return response;
      },
      async sendMessage(text, options = {}) {
        const { conversationId = newConversation() } = options;
        const response = await trySendMessage(text, { ...options, conversationId });
        ensure(response.status === 200, `POST /chat: expected 200, got ${response.status}`);
        const stream = read(response);
        // A stop counts as a write, so a needless stop would use up the rate limit.
        closing.push(async () => (stream.hasEnded() ? undefined : stop(conversationId)));
        return { conversationId, headers: response.headers, stream };
      },
      get: (path) => call(path, {}),
      post(path, body, headers = { "content-type": "application/json" }) {
        const text = typeof body === "string" ? body : JSON.stringify(body);
        return call(path, { method: "POST", headers, body: text });
      },
    };
  }

  function need<Name extends keyof ConformanceHooks>(name: Name): NonNullable<ConformanceHooks[Name]> {
    const hook = hooks[name];
    if (hook === undefined) throw new NotChecked(`needs the hook "${name}"`);
    return hook;
  }

  function questions(): AnyQuestion[] {
    const url = hooks.connect ?? hooks.consent;
    const form = hooks.form?.message;
    const known: AnyQuestion[] = [];
    if (url !== undefined) known.push({ mode: "url", message: url });
    if (form !== undefined) known.push({ mode: "form", message: form });
    if (known.length === 0) throw new NotChecked('needs the hook "connect", "consent" or "form"');
    return known;
  }

  return {
    patienceMs,
    need,
    hook: (name) => hooks[name],
    questions,
    question(preferred) {
      const known = questions();
      const found = known.find(({ mode }) => mode === preferred) ?? known[0];
      ensure(found !== undefined, "there is no question");
      return found;
    },
    people() {
      const [first, second] = need("people");
      return [person(first.headers), person(second.headers)];
    },
    person,
    async close() {
      // In reverse order: a turn is stopped before its stream is left.
      await Promise.allSettled(closing.toReversed().map((close) => close()));
    },
  };
}

/** The name of a request in a message. */
function nameOf(path: string, { method = "GET" }: RequestInit): string {
  return `${method} ${path}`;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Calls `probe` until it finds a value. Otherwise fails with a description of the missing value. */
export async function eventually<T>(
  context: TestContext,
  what: string,
  probe: () => Promise<T | undefined>,
  withinMs: number = context.patienceMs,
): Promise<T> {
  for (let waited = 0; ; waited += 50) {
    const found = await probe();
    if (found !== undefined) return found;
    ensure(waited < withinMs, `within ${withinMs} ms there was no ${what}`);
    await pause(50);
  }
}

export function newConversation(): string {
  return `conformance-${crypto.randomUUID()}`;
}

export function isEventStream({ headers }: { headers: Headers }): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") === true;
}

async function drop(response: Response): Promise<void> {
  await response.body?.cancel();
}
