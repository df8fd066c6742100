import {
  type ElicitationAnswer,
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
import {
  type Channel,
  type ChannelCallOptions,
  ChannelError,
  type ChannelEvent,
  type Receipt,
} from "./channel.ts";
import { readSseData } from "./sse.ts";

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
  push(event: ChannelEvent): void;
}

/**
 * The contract's HTTP routes as a channel (contract, section 4). Requests come in through `push`: the AI SDK room taps
 * them from the chat's stream.
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
    if (body !== undefined) sent.set("content-type", "application/json");
    let response: Response;
    try {
      response = await fetch(`${api}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: sent,
        signal,
        ...(credentials !== undefined && { credentials }),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    } catch (cause) {
      signal.throwIfAborted();
      throw new ChannelError(`the server at ${api} could not be reached`, { retryable: true, cause });
    }
    if (response.status === 429 || response.status >= 500) {
      await response.body?.cancel();
      const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
      throw new ChannelError(`the server at ${api} answered ${response.status}`, {
        retryable: true,
        ...(seconds >= 0 && { retryAfter: seconds * 1_000 }),
      });
    }
    return response;
  }

  async function respondByEndpoint(
    answer: ElicitationAnswer,
    o: ChannelCallOptions,
  ): Promise<readonly Receipt[]> {
    const response = await call("/elicitation-responses", o, answer);
    return readReply([answer], response, o);
  }

  async function respondByMessage(
    answers: readonly ElicitationAnswer[],
    o: ChannelCallOptions,
  ): Promise<readonly Receipt[]> {
    const conversationId = answers[0]?.conversationId;
    const parts = answers.map(({ elicitationId, action, content }) => ({
      type: RESPONSE_PART_TYPE,
      data: { elicitationId, action, content },
    }));
    const message = { id: `answer-${answers[0]?.elicitationId}`, role: "user", parts };
    const body = { id: conversationId, trigger: "submit-message", messages: [message] };
    return readReply(answers, await call("/chat", o, body), o);
  }

  async function readReply(
    answers: readonly ElicitationAnswer[],
    response: Response,
    o: ChannelCallOptions,
  ): Promise<readonly Receipt[]> {
    if (isEventStream(response)) return readContinuation(answers, response, o);
    const body: unknown = await response.json().catch(() => undefined);
    if (answers.length === 1) return answers.map((answer) => toReceipt(answer, response.status, body));
    const results = isRecord(body) && Array.isArray(body["results"]) ? body["results"] : [];
    return answers.map((answer) => {
      const result: unknown = results.find(
        (one) => isRecord(one) && one["elicitationId"] === answer.elicitationId,
      );
      if (!isRecord(result) || typeof result["status"] !== "number")
        return toReceipt(answer, response.status, body);
      return toReceipt(answer, result["status"], result["body"]);
    });
  }

  /** The answer is the rest of the run: what it says of our requests is the receipt, the rest is passed on. */
  async function readContinuation(
    answers: readonly ElicitationAnswer[],
    response: Response,
    o: ChannelCallOptions,
  ): Promise<readonly Receipt[]> {
    const conversationId = answers[0]?.conversationId ?? "";
    push({ type: "live", conversationId, live: true });
    const drained = drainContinuation(conversationId, response.body);
    const ended = new Set<string>();
    const stop = new Promise<void>((resolve) => {
      const listener = (event: ChannelEvent): void => {
        if (event.type !== "request" || event.request.resolution === undefined) return;
        ended.add(event.request.elicitationId);
        if (answers.every(({ elicitationId }) => ended.has(elicitationId))) resolve();
      };
      listeners.add(listener);
      void drained.finally(() => {
        listeners.delete(listener);
        push({ type: "live", conversationId, live: false });
        resolve();
      });
    });
    await stop;
    return Promise.all(answers.map((answer) => receiptFromStatus(answer, o)));
  }

  async function drainContinuation(
    conversationId: string,
    body: ReadableStream<Uint8Array> | null,
  ): Promise<void> {
    if (body === null) return;
    try {
      for await (const data of readSseData(body)) {
        const chunk = parseJson(data);
        const request = requestOf(chunk);
        if (request !== undefined) push({ type: "request", conversationId, request });
        onContinuation?.(conversationId, chunk);
      }
    } catch {
      // The connection broke; the answer itself has arrived, and polling takes over.
    }
  }

  async function receiptFromStatus(
    { elicitationId }: ElicitationAnswer,
    o: ChannelCallOptions,
  ): Promise<Receipt> {
    const report = await status(elicitationId, o);
    if (report === undefined) return { elicitationId, kind: "gone" };
    if (report.status === "pending") return { elicitationId, kind: "pending", lastError: report.lastError };
    if (report.status === "consented" || report.status === "completed")
      return { elicitationId, kind: "consented" };
    return { elicitationId, kind: "settled", outcome: report.status };
  }

  async function status(elicitationId: string, o: ChannelCallOptions): Promise<StatusReport | undefined> {
    const response = await call(`/elicitations/${encodeURIComponent(elicitationId)}`, o);
    const body: unknown = await response.json().catch(() => undefined);
    if (response.status === 404 && parseProblem(body).ok) return undefined;
    const report = parseStatusReport(body);
    if (response.ok && report.ok) return report.value;
    throw new ChannelError(`the status of a request could not be read (${response.status})`, {
      retryable: false,
    });
  }

  return {
    push,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    respond(answers, o) {
      const [only] = answers;
      if (only !== undefined && answers.length === 1 && answerBy === "endpoint")
        return respondByEndpoint(only, o);
      return respondByMessage(answers, o);
    },
    status,
    async list(conversationId, o) {
      const response = await call(`/elicitations?conversationId=${encodeURIComponent(conversationId)}`, o);
      const body: unknown = await response.json().catch(() => undefined);
      const list = isRecord(body) && Array.isArray(body["elicitations"]) ? body["elicitations"] : [];
      return list.flatMap((entry) => {
        const parsed = parseElicitationRequest(entry);
        return parsed.ok ? [parsed.value] : [];
      });
    },
    async bind(elicitationId, challenge, o) {
      const response = await call(`/elicitations/${encodeURIComponent(elicitationId)}/bind`, o, {
        challenge,
      });
      if (response.ok) return;
      throw new ChannelError(`the hosted page could not be bound (${response.status})`, { retryable: false });
    },
    delivery: () => ({ accept: "send", decline: "send", cancel: "send" }),
  };
}

/** Statuses of contract, section 4, as receipts. */
function toReceipt({ elicitationId }: ElicitationAnswer, status: number, body: unknown): Receipt {
  const ack = parseAnswerAck(body);
  if (status < 300 && ack.ok) {
    if ("outcome" in ack.value) return { elicitationId, kind: "settled", outcome: ack.value.outcome };
    if (ack.value.status === "consented") return { elicitationId, kind: "consented" };
    return { elicitationId, kind: "pending", lastError: ack.value.lastError };
  }
  const problem = parseProblem(body);
  if (!problem.ok) {
    const message = `The server's reply (${status}) is not one of an elicitation server. Is the API address right?`;
    return { elicitationId, kind: "refused", status, message };
  }
  const { outcome, code, detail, errors } = problem.value;
  if (status === 404) return { elicitationId, kind: "gone" };
  if (status === 410) return { elicitationId, kind: "settled", outcome: "expired", differs: true };
  if (status === 409 && outcome !== undefined)
    return { elicitationId, kind: "settled", outcome, differs: true };
  if (code === "content-differs")
    return { elicitationId, kind: "settled", outcome: "accepted", differs: true };
  return { elicitationId, kind: "refused", status, message: detail, errors };
}

function requestOf(chunk: unknown): ElicitationRequest | undefined {
  if (!isRecord(chunk) || chunk["type"] !== REQUEST_PART_TYPE) return undefined;
  const parsed = parseElicitationRequest(chunk["data"]);
  return parsed.ok ? parsed.value : undefined;
}

function isEventStream(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("text/event-stream") === true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
