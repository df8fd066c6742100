import {
  type ElicitationAnswer,
  type ElicitationRequest,
  outcomeOfAction,
  RESPONSE_PART_TYPE,
} from "../contract/contract.ts";
import {
  type AnswerReceipt,
  type Channel,
  type ChannelCallOptions,
  ChannelError,
  type ChannelEvent,
} from "./channel.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { HttpCalls, HttpCallsOptions } from "./http-calls.ts";
import { isNotOffered, isTemporary, listOf, notReadable } from "./http-replies.ts";
import { lateDesk } from "./late-desk.ts";
import { createListeners } from "./listeners.ts";

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
  /** @default the clock of this machine */
  clock?: Clock | undefined;
}

/** A channel that gets its requests through `push`, for example from the chat's own stream. */
export interface HttpChannel extends Channel {
  /** Passes an event to all subscribers. */
  push(event: ChannelEvent): void;
}

/**
 * The contract's HTTP routes as a channel (contract, section 4). Requests come in through `push`.
 *
 * Its calls throw `ChannelError`. It is retryable if the server cannot be reached or replies with 429 or 5xx, or if an
 * answer, a list or a status gets a 404 that is not the server's own. It is not retryable if another reply to a status
 * or challenge call is not in the contract. An answer that the server refuses is a receipt, not an error. When `signal`
 * aborts, its reason is thrown.
 */
export function createHttpChannel(options: HttpChannelOptions = {}): HttpChannel {
  const {
    api = "/run/api",
    credentials,
    answerBy = "endpoint",
    onContinuation,
    clock = systemClock,
  } = options;
  const listeners = createListeners<ChannelEvent>();
  const subscribe = (listener: (event: ChannelEvent) => void) => listeners.add(listener);
  /** The conversations whose stream is being read. */
  const live = new Set<string>();
  const routes: HttpCallsOptions["routes"] = { isOffered: undefined };
  let loaded: HttpCalls | undefined;

  function push(event: ChannelEvent): void {
    if (event.type === "live" && event.live) live.add(event.conversationId);
    else if (event.type === "live") live.delete(event.conversationId);
    listeners.tell(event);
  }

  async function call(
    path: string,
    { signal, accept }: ChannelCallOptions & { accept?: string | undefined },
    body?: unknown,
  ): Promise<Response> {
    // Read at call time, because tests and service workers replace the global after this module has loaded.
    const { fetch = globalThis.fetch, headers } = options;
    const given = typeof headers === "function" ? headers() : headers;
    // An answer leaves in the click itself, unless the app has to wait for its headers.
    const sent = new Headers(isThenable(given) ? await given : given);
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
    if (!isTemporary(response) || isNotOffered(response)) return response;
    await response.body?.cancel();
    throw notReadable(api + path, response, routes);
  }

  /** Sends answers, at least one. Resolves with the reply. */
  function send(
    answers: readonly ElicitationAnswer[],
    how: ChannelCallOptions & { accept?: string | undefined },
  ): Promise<Response> {
    const [first] = answers;
    if (answers.length === 1 && answerBy === "endpoint") return call("/elicitation-responses", how, first);
    const message = {
      id: `answer-${first?.elicitationId}`,
      role: "user",
      // The message is in its conversation.
      parts: answers.map((answer) => ({
        type: RESPONSE_PART_TYPE,
        data: { ...answer, conversationId: undefined },
      })),
    };
    return call("/chat", how, { id: first?.conversationId, trigger: "submit-message", messages: [message] });
  }

  /** Answers while the code that reads the replies cannot be loaded. */
  async function respondAlone(
    answers: readonly ElicitationAnswer[],
    o: ChannelCallOptions,
  ): Promise<readonly AnswerReceipt[]> {
    if (answers.length === 0) return [];
    const response = await send(answers, o);
    if (!response.ok) throw notReadable(api, response, routes, " to an answer");
    return answers.map(({ elicitationId, action }) => {
      return { elicitationId, kind: "settled", outcome: outcomeOfAction[action] };
    });
  }

  /** Calls at once if the code of the calls is there. */
  async function withCalls<Result>(use: (calls: HttpCalls) => Promise<Result>): Promise<Result> {
    if (typeof lateDesk.now() === "string") await lateDesk.load();
    const code = lateDesk.now();
    if (typeof code === "string")
      throw new ChannelError("the code of this call could not be loaded", { retryable: true });
    loaded ??= code.createHttpCalls({
      api,
      clock,
      call,
      send,
      push,
      subscribe,
      live,
      routes,
      onContinuation,
    });
    return use(loaded);
  }

  return {
    push,
    subscribe,
    read: (path, o) => call(path, o, o.body),
    async list(conversationId, o): Promise<readonly ElicitationRequest[]> {
      const path = `/elicitations?conversationId=${encodeURIComponent(conversationId)}`;
      const response = await call(path, o);
      if (isNotOffered(response) && !isTemporary(response)) routes.isOffered ??= false;
      if (!response.ok) throw notReadable(api + path, response, routes);
      routes.isOffered = true;
      const listed = listOf(await response.json().catch(() => undefined), "elicitations");
      return listed.length === 0 ? [] : withCalls((calls) => calls.readListed(listed));
    },
    respond: (answers, o) =>
      lateDesk.now() === "failed"
        ? respondAlone(answers, o)
        : withCalls((calls) => calls.respond(answers, o)),
    status: (id, o) => withCalls((calls) => calls.status(id, o)),
    bind: (id, challenge, o) => withCalls((calls) => calls.bind(id, challenge, o)),
    propose: (id, text, o) => withCalls((calls) => calls.propose(id, text, o)),
    forget: (remembered, o) => withCalls((calls) => calls.forget(remembered, o)),
    assign: (id, to, o) => withCalls((calls) => calls.assign(id, to, o)),
    assignees: (id, o) => withCalls((calls) => calls.assignees(id, o)),
    remind: (id, o) => withCalls((calls) => calls.remind(id, o)),
    extend: (id, o) => withCalls((calls) => calls.extend(id, o)),
    delivery: () => ({ accept: "send", decline: "send", cancel: "send" }),
  };
}

function isThenable<Value extends object>(
  value: Value | PromiseLike<Value> | undefined,
): value is PromiseLike<Value> {
  return value !== undefined && "then" in value && typeof value.then === "function";
}

/** Browsers limit `keepalive` bodies to 64 KiB of UTF-8. */
const LONGEST_KEPT_ALIVE = 16_000;
