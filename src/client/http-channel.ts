import {
  type ElicitationRequest,
  REQUEST_PART_TYPE,
  RESPONSE_PART_TYPE,
  type StatusReport,
} from "../protocol/contract.ts";
import {
  parseAnswerAck,
  parseElicitationRequest,
  parseProblem,
  parseStatusReport,
} from "../protocol/guard.ts";
import { isObject } from "../protocol/json.ts";
import {
  type Channel,
  type ChannelCallOptions,
  ChannelError,
  type ChannelEvent,
  type AnswerReceipt,
} from "./channel.ts";
import { readSseData } from "./sse.ts";

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
  /** A durable server may answer with the rest of the run as a stream; each of its chunks is handed over here. */
  onContinuation?: ((conversationId: string, chunk: unknown) => void) | undefined;
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

  /** The answer is the rest of the run: it is passed on, and once our requests have ended, their status is read. */
  async function readContinuation(
    conversationId: string,
    ids: readonly string[],
    body: ReadableStream<Uint8Array> | null,
    o: ChannelCallOptions,
  ): Promise<readonly AnswerReceipt[]> {
    const awaited = new Set(ids);
    push({ type: "live", conversationId, live: true });
    await new Promise<void>((resolve) => {
      const drained = drain(conversationId, body, ({ elicitationId, resolution }) => {
        if (resolution !== undefined && awaited.delete(elicitationId) && awaited.size === 0) resolve();
      });
      void drained.finally(() => {
        push({ type: "live", conversationId, live: false });
        resolve();
      });
    });
    return Promise.all(
      ids.map(async (id) => {
        const report = await status(id, o);
        return report === undefined ? { elicitationId: id, kind: "gone" } : toReceipt(id, report);
      }),
    );
  }

  async function drain(
    conversationId: string,
    body: ReadableStream<Uint8Array> | null,
    onRequest: (request: ElicitationRequest) => void,
  ): Promise<void> {
    if (body === null) return;
    try {
      for await (const data of readSseData(body)) {
        const chunk = parseJson(data);
        const parsed = parseElicitationRequest(field(chunk, "data"));
        if (field(chunk, "type") === REQUEST_PART_TYPE && parsed.ok) {
          push({ type: "request", conversationId, request: parsed.value });
          onRequest(parsed.value);
        }
        onContinuation?.(conversationId, chunk);
      }
    } catch {
      // The connection broke; the answer itself has arrived, and polling takes over.
    }
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
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
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
      if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
        const ids = answers.map((answer) => answer.elicitationId);
        return readContinuation(conversationId, ids, response.body, o);
      }
      const body = await readJson(response);
      return answers.map(({ elicitationId: id }) => {
        const result = listOf(body, "results").find((one) => field(one, "elicitationId") === id);
        const code = field(result, "status");
        return typeof code === "number"
          ? readReply(id, code, field(result, "body"))
          : readReply(id, response.status, body);
      });
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
      const ticket = field(await readJson(response), "ticket");
      if (response.ok && typeof ticket === "string") return ticket;
      throw new ChannelError(`${api}${path} answered ${response.status}`, { retryable: false });
    },
    delivery: () => ({ accept: "send", decline: "send", cancel: "send" }),
  };
}

/** Statuses of contract, section 4, as receipts. */
function readReply(elicitationId: string, status: number, body: unknown): AnswerReceipt {
  const ack = parseAnswerAck(body);
  if (status < 300 && ack.ok) {
    const { value } = ack;
    return toReceipt(elicitationId, "outcome" in value ? { status: value.outcome } : value);
  }
  const problem = parseProblem(body);
  if (!problem.ok) {
    const message = `The server's reply (${status}) is not one of an elicitation server. Is the API address right?`;
    return { elicitationId, kind: "refused", status, message };
  }
  const { code, detail, errors, outcome } = problem.value;
  if (status === 404) return { elicitationId, kind: "gone" };
  const ended =
    status === 410
      ? "expired"
      : code === "content-differs"
        ? "accepted"
        : status === 409
          ? outcome
          : undefined;
  if (ended !== undefined) return { elicitationId, kind: "settled", outcome: ended, differs: true };
  return { elicitationId, kind: "refused", status, message: detail, errors };
}

function toReceipt(
  elicitationId: string,
  { status, lastError }: Pick<StatusReport, "status" | "lastError">,
): AnswerReceipt {
  if (status === "pending") return { elicitationId, kind: "pending", lastError };
  if (status === "consented" || status === "completed") return { elicitationId, kind: "consented" };
  return { elicitationId, kind: "settled", outcome: status };
}

function field(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = field(value, name);
  return Array.isArray(list) ? list : [];
}

function readJson(response: Response): Promise<unknown> {
  return response.json().catch(() => undefined);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
