import { RESPONSE_PART_TYPE, type StatusReport } from "../protocol/contract.ts";
import { parseElicitationRequest, parseProblem, parseStatusReport } from "../protocol/guard.ts";
import { receiptOfStatus, receiptsOf } from "./answer-receipts.ts";
import { type Channel, type ChannelCallOptions, ChannelError, type ChannelEvent } from "./channel.ts";
import { readRequests, untilEnded } from "./continuation.ts";
import { fieldOf, listOf } from "./json-fields.ts";

/**
 * Where the contract's routes are and how they are called. Without any: `/run/api` on the page's own origin.
 */
export interface HttpChannelOptions {
  /** Base of the contract's routes. Default: `/run/api`. */
  api?: string | undefined;
  /** Sent with every call, for example an `Authorization` header; a function is asked anew each time. */
  headers?: HeadersInit | (() => HeadersInit | Promise<HeadersInit>) | undefined;
  /** Default: `same-origin`, as `fetch` has it. */
  credentials?: RequestCredentials | undefined;
  /** Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /**
   * `endpoint`: `POST {api}/elicitation-responses`. `message`: the fast path, a user message with nothing but answers
   * to `POST {api}/chat`. The answers of a round always go as one message. Default: `endpoint`.
   */
  answerBy?: "endpoint" | "message" | undefined;
  /**
   * A durable server may reply to an answer with the rest of the turn as a stream. Called with that reply: return
   * `undefined` to let the channel read it for the requests in it, or read it yourself, `push` those requests, and return
   * a promise that resolves at its end. Default: the channel reads it.
   */
  onContinuation?: ((conversationId: string, response: Response) => Promise<void> | undefined) | undefined;
}

/** A channel whose requests are tapped elsewhere (the chat's own stream) and pushed in. */
export interface HttpChannel extends Channel {
  /** Hands an event to everyone who subscribed. */
  push(event: ChannelEvent): void;
}

/**
 * The contract's HTTP routes as a channel (contract, section 4). Requests come in through `push`: the AI SDK room taps
 * them from the chat's stream.
 *
 * Its calls throw `ChannelError`: retryable when the server cannot be reached, answers 429 (after `Retry-After` seconds)
 * or 5xx; final when a status or a challenge gets a reply that is none of the contract's. What the server refuses with
 * a problem is a receipt. Once `signal` aborts, its reason is thrown.
 */
export function createHttpChannel(options: HttpChannelOptions = {}): HttpChannel {
  const { api = "/run/api", credentials, answerBy = "endpoint", onContinuation } = options;
  const listeners = new Set<(event: ChannelEvent) => void>();

  function push(event: ChannelEvent): void {
    for (const listener of listeners) listener(event);
  }

  function subscribe(listener: (event: ChannelEvent) => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  async function call(path: string, { signal }: ChannelCallOptions, body?: unknown): Promise<Response> {
    // Read at call time: tests and service workers replace the global after this module has loaded.
    const { fetch = globalThis.fetch, headers } = options;
    const sent = new Headers(typeof headers === "function" ? await headers() : headers);
    const init: RequestInit = { headers: sent, signal };
    if (credentials !== undefined) init.credentials = credentials;
    if (body !== undefined) {
      sent.set("content-type", "application/json");
      init.method = "POST";
      init.body = JSON.stringify(body);
    }
    let response: Response;
    try {
      response = await fetch(api + path, init);
    } catch (cause) {
      signal.throwIfAborted();
      throw new ChannelError(`the server at ${api} could not be reached`, { retryable: true, cause });
    }
    if (response.status !== 429 && response.status < 500) return response;
    await response.body?.cancel();
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
    const retryAfter = seconds >= 0 ? seconds * 1_000 : undefined;
    throw new ChannelError(`${api}${path} answered ${response.status}`, { retryable: true, retryAfter });
  }

  async function status(elicitationId: string, o: ChannelCallOptions): Promise<StatusReport | undefined> {
    const path = `/elicitations/${encodeURIComponent(elicitationId)}`;
    const response = await call(path, o);
    const body = await readJson(response);
    if (response.status === 404 && parseProblem(body).ok) return undefined;
    const report = parseStatusReport(body);
    if (response.ok && report.ok) return report.value;
    throw new ChannelError(`${api}${path} answered ${response.status}`, { retryable: false });
  }

  return {
    push,
    subscribe,
    async respond(answers, o) {
      const [first] = answers;
      if (first === undefined) return [];
      const { conversationId } = first;
      const message = {
        id: `answer-${first.elicitationId}`,
        role: "user",
        parts: answers.map(({ elicitationId, action, content }) => ({
          type: RESPONSE_PART_TYPE,
          data: { elicitationId, action, content },
        })),
      };
      const response =
        answers.length === 1 && answerBy === "endpoint"
          ? await call("/elicitation-responses", o, first)
          : await call("/chat", o, { id: conversationId, trigger: "submit-message", messages: [message] });
      const ids = answers.map((answer) => answer.elicitationId);
      if (!response.headers.get("content-type")?.startsWith("text/event-stream"))
        return receiptsOf(ids, response.status, await readJson(response));
      const events = { push, subscribe };
      await untilEnded(
        ids,
        events,
        async () =>
          onContinuation?.(conversationId, response) ?? readRequests(conversationId, response.body, events),
      );
      return Promise.all(ids.map(async (id) => receiptOfStatus(id, await status(id, o))));
    },
    status,
    async list(conversationId, o) {
      const response = await call(`/elicitations?conversationId=${encodeURIComponent(conversationId)}`, o);
      return listOf(await readJson(response), "elicitations").flatMap((entry) => {
        const parsed = parseElicitationRequest(entry);
        return parsed.ok ? [parsed.value] : [];
      });
    },
    async bind(elicitationId, challenge, o) {
      const path = `/elicitations/${encodeURIComponent(elicitationId)}/bind`;
      const response = await call(path, o, { challenge });
      const ticket = fieldOf(await readJson(response), "ticket");
      if (response.ok && typeof ticket === "string") return ticket;
      throw new ChannelError(`${api}${path} answered ${response.status}`, { retryable: false });
    },
    delivery: () => ({ accept: "send", decline: "send", cancel: "send" }),
  };
}

function readJson(response: Response): Promise<unknown> {
  return response.json().catch(() => undefined);
}
