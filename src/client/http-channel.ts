import { type AssigneeList, RESPONSE_PART_TYPE, type StatusReport } from "../contract/contract.ts";
import { parseProblem, parseStatusReport } from "../contract/guard.ts";
import { HTML, receiptOfStatus, receiptsOf } from "./answer-receipts.ts";
import { type Channel, type ChannelCallOptions, ChannelError, type ChannelEvent } from "./channel.ts";
import { readRequests, untilEnded } from "./continuation.ts";
import { fieldOf, listOf } from "./json-fields.ts";
import { readRequest } from "./read-request.ts";

/** The location of the contract's routes, and the options for calling them. */
export interface HttpChannelOptions {
  /** Base URL of the contract's routes. @default "/run/api" */
  api?: string | undefined;
  /** Sent with every call, for example an `Authorization` header. A function is called for each. */
  headers?: HeadersInit | (() => HeadersInit | Promise<HeadersInit>) | undefined;
  /** @default "same-origin", as for `fetch` */
  credentials?: RequestCredentials | undefined;
  /** @default globalThis.fetch */
  fetch?: typeof globalThis.fetch | undefined;
  /**
   * `endpoint`: `POST {api}/elicitation-responses`. `message`: `POST {api}/chat` with a user message that contains only
   * answers. The answers of a round are always sent as one message.
   * @default "endpoint"
   */
  answerBy?: "endpoint" | "message" | undefined;
  /**
   * Called when the server replies to an answer with the turn as a stream. The channel requests such a stream with an
   * `Accept` header while no stream of the conversation is live. Return `undefined` to let the channel read the requests
   * in it. Or read it yourself, `push` its requests, and return a promise that resolves at its end.
   * @default the channel does not ask for a stream, and reads it if there is one
   */
  onContinuation?: ((conversationId: string, response: Response) => Promise<void> | undefined) | undefined;
}

/** A channel that gets its requests through `push`, for example from the chat's own stream. */
export interface HttpChannel extends Channel {
  /** Passes an event to all subscribers. */
  push(event: ChannelEvent): void;
}

/**
 * The contract's HTTP routes as a channel (contract, section 4). Requests come in through `push`.
 *
 * Its calls throw `ChannelError`. It is retryable if the server cannot be reached or replies with 429 or 5xx. It is not
 * retryable if the reply to a status or challenge call is not in the contract. An answer that the server refuses is a
 * receipt, not an error. When `signal` aborts, its reason is thrown.
 */
export function createHttpChannel(options: HttpChannelOptions = {}): HttpChannel {
  const { api = "/run/api", credentials, answerBy = "endpoint", onContinuation } = options;
  const listeners = new Set<(event: ChannelEvent) => void>();
  /** The conversations whose stream is being read. */
  const live = new Set<string>();
  /** These two routes are optional for a server. */
  let isListMissing = false;
  let isOffered = false;

  /** If a server had the routes before, it is only away for a moment. */
  function failure(path: string, response: Response, hint = ""): ChannelError {
    const notOffered = NOT_OFFERED.has(response.status) && !isOffered;
    const words = `${api}${path} answered ${response.status}${hint}`;
    return new ChannelError(words, { retryable: false, notOffered });
  }

  function push(event: ChannelEvent): void {
    if (event.type === "live" && event.live) live.add(event.conversationId);
    else if (event.type === "live") live.delete(event.conversationId);
    for (const listener of listeners) listener(event);
  }

  function subscribe(listener: (event: ChannelEvent) => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Posts an idempotent command. Throws unless the server has done it. */
  async function post(path: string, body: unknown, o: ChannelCallOptions): Promise<Response> {
    const response = await call(path, o, body);
    if (response.ok) return response;
    throw new ChannelError(`${api}${path} answered ${response.status}`, { retryable: false });
  }

  async function call(
    path: string,
    { signal, accept }: ChannelCallOptions & { accept?: string | undefined },
    body?: unknown,
  ): Promise<Response> {
    // Read at call time, because tests and service workers replace the global after this module has loaded.
    const { fetch = globalThis.fetch, headers } = options;
    const sent = new Headers(typeof headers === "function" ? await headers() : headers);
    if (accept !== undefined) sent.set("accept", accept);
    const init: RequestInit = { headers: sent, signal };
    if (credentials !== undefined) init.credentials = credentials;
    if (body !== undefined) {
      sent.set("content-type", "application/json");
      init.method = "POST";
      init.body = JSON.stringify(body);
      // An answer arrives although the user leaves the page right after the press. Only a page can be left.
      if (typeof document !== "undefined") init.keepalive = init.body.length < LONGEST_KEPT_ALIVE;
    }
    let response: Response;
    try {
      response = await fetch(api + path, init);
    } catch (cause) {
      signal.throwIfAborted();
      throw new ChannelError(`the server at ${api} could not be reached`, { retryable: true, cause });
    }
    if ((response.status !== 429 && response.status < 500) || NOT_OFFERED.has(response.status))
      return response;
    await response.body?.cancel();
    const retryAfterMs = retryAfterOf(response);
    throw new ChannelError(`${api}${path} answered ${response.status}`, { retryable: true, retryAfterMs });
  }

  async function status(elicitationId: string, o: ChannelCallOptions): Promise<StatusReport | undefined> {
    const path = pathOf(elicitationId);
    const response = await call(path, o);
    const body = await readJson(response);
    // A server without a list may have no status route either, and its framework replies for that.
    if (response.status === 404 && parseProblem(body).ok && !isListMissing) return undefined;
    const report = parseStatusReport(body);
    if (!response.ok || !report.ok)
      throw failure(path, response, ". Is `api` the base of the contract's routes?");
    isOffered = true;
    return report.value;
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
        parts: answers.map(({ elicitationId, action, content, note, remember }) => ({
          type: RESPONSE_PART_TYPE,
          data: { elicitationId, action, content, note, remember },
        })),
      };
      const isContinued = onContinuation !== undefined && !live.has(conversationId);
      const how = { ...o, accept: isContinued ? "text/event-stream, application/json" : undefined };
      const response =
        answers.length === 1 && answerBy === "endpoint"
          ? await call("/elicitation-responses", how, first)
          : await call("/chat", how, { id: conversationId, trigger: "submit-message", messages: [message] });
      const ids = answers.map((answer) => answer.elicitationId);
      if (!response.headers.get("content-type")?.startsWith("text/event-stream"))
        return receiptsOf(answers, response.status, await readReply(response));
      const events = { push, subscribe, api };
      await untilEnded(
        ids,
        events,
        async () =>
          onContinuation?.(conversationId, response) ?? readRequests(conversationId, response.body, events),
      );
      return Promise.all(ids.map(async (id) => receiptOfStatus(id, await status(id, o))));
    },
    status,
    read: (path, o) => call(path, o),
    async list(conversationId, o) {
      const path = `/elicitations?conversationId=${encodeURIComponent(conversationId)}`;
      const response = await call(path, o);
      isListMissing = NOT_OFFERED.has(response.status);
      if (!response.ok) throw failure(path, response);
      isOffered = true;
      return listOf(await readJson(response), "elicitations").flatMap((entry) => {
        const parsed = readRequest(entry, api);
        return parsed.ok ? [parsed.value] : [];
      });
    },
    async bind(elicitationId, challenge, o) {
      const path = `${pathOf(elicitationId)}/bind`;
      const response = await call(path, o, { challenge });
      const ticket = fieldOf(await readJson(response), "ticket");
      if (response.ok && typeof ticket === "string") return ticket;
      throw new ChannelError(`${api}${path} answered ${response.status}`, { retryable: false });
    },
    async propose(elicitationId, text, o) {
      const path = `${pathOf(elicitationId)}/proposal`;
      return fieldOf(await readJson(await post(path, { text }, o)), "content");
    },
    async forget(remembered, o) {
      await post(`/remembered/${encodeURIComponent(remembered)}/forget`, {}, o);
    },
    async assign(elicitationId, to, o) {
      const reply = await readJson(await post(`${pathOf(elicitationId)}/assignee`, { to }, o));
      const assignee = fieldOf(reply, "assignee");
      const name = fieldOf(assignee, "name");
      if (typeof name !== "string") return undefined;
      const takeBack = fieldOf(assignee, "takeBack") === true && { takeBack: true };
      return { name, ...takeBack, ...(fieldOf(assignee, "remind") === true && { remind: true }) };
    },
    async assignees(elicitationId, o) {
      const path = `${pathOf(elicitationId)}/assignees`;
      const response = await call(path, o);
      if (!response.ok) throw failure(path, response);
      return listOf(await readJson(response), "assignees").flatMap(readChoice);
    },
    async remind(elicitationId, o) {
      const path = `${pathOf(elicitationId)}/remind`;
      const response = await call(path, o, {});
      if (response.ok) return { sent: true };
      if (fieldOf(await readJson(response), "code") !== "too-soon") throw failure(path, response);
      return { sent: false, retryAfterMs: retryAfterOf(response) };
    },
    delivery: () => ({ accept: "send", decline: "send", cancel: "send" }),
  };
}

const pathOf = (elicitationId: string): string => `/elicitations/${encodeURIComponent(elicitationId)}`;

function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return seconds >= 0 ? seconds * 1_000 : undefined;
}

function readChoice(entry: unknown): AssigneeList["assignees"] {
  const [to, name] = [fieldOf(entry, "to"), fieldOf(entry, "name")];
  const [user, group] = [fieldOf(to, "user"), fieldOf(to, "group")];
  if (typeof name !== "string") return [];
  if (typeof user === "string") return [{ to: { user }, name }];
  return typeof group === "string" ? [{ to: { group }, name }] : [];
}

/** Browsers limit `keepalive` bodies to 64 KiB of UTF-8. */
const LONGEST_KEPT_ALIVE = 16_000;

/** The statuses of missing routes. */
const NOT_OFFERED: ReadonlySet<number> = new Set([404, 405, 501]);

/** The body of a reply to an answer. A web page instead of JSON is not a reply. */
async function readReply(response: Response): Promise<unknown> {
  const text = await response.text().catch(() => "");
  const isHtml = response.headers.get("content-type")?.startsWith("text/html") === true;
  if (isHtml || text.trimStart().startsWith("<")) return HTML;
  return parseJson(text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readJson(response: Response): Promise<unknown> {
  return response.json().catch(() => undefined);
}
