import type { ChannelEvent } from "../client/channel.ts";
import { type Clock, systemClock } from "../client/clock.ts";
import type { HttpChannelOptions } from "../client/http-channel.ts";
import { onWindowOnline } from "../client/online.ts";
import { SUPPORTS_ELICITATION_HEADER } from "../contract/contract.ts";
import type { ChunkSanitizerOptions } from "./chunk-sanitizer.ts";
import type { HardenedStreamOptions, StreamLoss } from "./hardened-stream.ts";
import type { PausedTurns } from "./paused-turns.ts";
import { warnOfMalformed, warnOfNoConversation } from "./developer-warnings.ts";
import { isEventStream } from "./chat-transport.ts";
import { lateStream, loadStreamCode } from "./late-stream.ts";
import { readChatRequest, type ChatRequest } from "./chat-request.ts";
import { createStartIds, type Unanswered } from "./unanswered.ts";
import type { StreamState } from "./turn-state.ts";
import { createTurns, type Turns } from "./turns.ts";

/** The options of the `fetch` for a chat transport. All are optional. */
export interface HardenedFetchOptions
  extends Pick<ChunkSanitizerOptions, "unknownChunks" | "aiSdk">, Pick<HttpChannelOptions, "headers"> {
  /**
   * Base of the contract's routes, for the stop route.
   * @default "/run/api"
   */
  api?: string | undefined;
  /** The underlying `fetch`. @default globalThis.fetch */
  fetch?: typeof globalThis.fetch | undefined;
  /** Called with each request in a stream, and when a conversation begins or ends to have an open stream. */
  push?: ((event: ChannelEvent) => void) | undefined;
  /**
   * Called when only the server knows the state of a conversation's requests (see `client.refresh`): a model's text made
   * a claim about them, or the turn was stopped.
   */
  onUnconfirmed?: ((conversationId: string) => void) | undefined;
  /**
   * Lets the turn continue when the chat stops reading, as resumable chats need. By default `stop()`, and the unmount of
   * `useChat`, stop the turn on the server, which withdraws its requests.
   * @default false
   */
  detach?: boolean | undefined;
  /** Measures pauses between attempts to re-attach, and the silence of a server. @default the clock of this machine */
  clock?: Clock | undefined;
  /** Subscribes to the return of the network. @default the window's `online` event */
  onOnline?: ((listener: () => void) => () => void) | undefined;
}

export interface HardenedFetchParts extends HardenedFetchOptions {
  /** Returns the stream that a conversation re-attaches to, if it is already there. Otherwise the server is asked. */
  takeContinuation?: ((conversationId: string) => Response | undefined) | undefined;
  /** The turns that wait for the user without an open stream. Without it, streams are read again at once. */
  paused?: Pick<PausedTurns, "waits" | "untilAnswered" | "take"> | undefined;
  /** Subscribes to replies of the server to calls of the channel. Returns a function that unsubscribes. */
  onReached?: ((listener: () => void) => () => void) | undefined;
  /**
   * Makes the chat of this conversation read its message again from the start, from the response of `load`. `false` if
   * there is no such chat.
   */
  readAnew?: ((conversationId: string, load: () => Promise<Response>) => boolean) | undefined;
  /** The messages for whose answer the server is asked even if its turn has ended. @default none */
  unanswered?: Pick<Unanswered, "of" | "streamed"> | undefined;
  /** Called with the conversation of each message that is sent, and of each stream that is read again. */
  onChat?: ((conversationId: string) => void) | undefined;
  /** Whether the page is leaving this conversation. A stream that ends now does not stop its turn. @default never */
  isLeft?: ((conversationId: string) => boolean) | undefined;
}

export interface HardenedFetch {
  /** The `fetch` for the chat's transport. */
  fetch: typeof globalThis.fetch;
  turns: Turns;
  /** Hardens a stream that the app has fetched itself. It is not read again when its connection is lost. */
  harden(conversationId: string, body: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>>;
}

interface FollowedStream extends HardenedStreamOptions {
  onState(state: StreamState): void;
}

/**
 * Creates the `fetch` for a chat transport: it sends the capability header, hardens streams (see `hardenStream`), reports
 * the requests in them and whether a stream is open, re-attaches when the connection of a stream is lost, and stops the
 * turn on the server when the chat is stopped. A response that is not an event stream is returned unchanged.
 */
export function createHardenedFetch(options: HardenedFetchParts = {}): HardenedFetch {
  const { api = "/run/api", unknownChunks, aiSdk, detach = false, push, onUnconfirmed } = options;
  const { clock = systemClock, onOnline = onWindowOnline, paused } = options;
  const turns = createTurns(push);
  const startIds = createStartIds();
  const hardening = { unknownChunks, aiSdk, api, clock, onMalformed: warnOfMalformed };

  async function fetchStream(
    request: ChatRequest,
    input: RequestInfo | URL,
    init: RequestInit,
  ): Promise<Response> {
    const { conversationId, isMessage } = request;
    if (conversationId === undefined || isMessage) return fetchNow(input, init);
    const reply = options.takeContinuation?.(conversationId);
    if (reply !== undefined) return reply;
    const missed = options.unanswered?.of(conversationId);
    if (missed === undefined || input instanceof Request) return fetchNow(input, init);
    return fetchNow(withMessageId(input instanceof URL ? input.href : input, missed), init);
  }

  function fetchNow(input: RequestInfo | URL, init: RequestInit): Promise<Response> {
    // Read at call time, because tests and service workers replace the global after this module has loaded.
    const fetch = options.fetch ?? globalThis.fetch;
    return fetch(input, init);
  }

  /** The options for an HTTP request beside the turn. */
  async function initOf({ headers, credentials }: ChatRequest): Promise<RequestInit> {
    // Headers are read again, because tokens may have expired since the turn began.
    const fresh = typeof options.headers === "function" ? await options.headers() : undefined;
    const sent = new Headers(headers);
    sent.delete("content-type");
    new Headers(fresh).forEach((value, name) => sent.set(name, value));
    return { headers: sent, ...(credentials !== undefined && { credentials }) };
  }

  /** Names the message, because the stop may arrive after the turn of the next message has begun. */
  async function stopTurn(
    conversationId: string,
    request: ChatRequest,
    messageId: string | undefined,
  ): Promise<void> {
    try {
      const url = withMessageId(`${api}/chat/${encodeURIComponent(conversationId)}/stop`, messageId);
      const response = await fetchNow(url, { ...(await initOf(request)), method: "POST", keepalive: true });
      await response.body?.cancel();
    } catch {
      // The server cannot be reached. Its requests end when they expire.
    }
    onUnconfirmed?.(conversationId);
  }

  /**
   * Reports the state of one stream, re-attaches it, and stops the turn when its signal aborts before the stream ends.
   */
  function follow(conversationId: string, request: ChatRequest): FollowedStream {
    const { signal } = request;
    let state: StreamState = "unread";
    let messageId: string | undefined;
    let again: ((loss: StreamLoss) => Promise<ReadableStream<Uint8Array> | undefined>) | undefined;

    function onState(to: StreamState): void {
      if (state === "closed") return;
      if (to === "closed") signal?.removeEventListener("abort", onAbort);
      turns.dispatch(conversationId, { type: "stream", from: state, to: (state = to) });
    }
    function onAbort(): void {
      onState("closed");
      if (!detach && options.isLeft?.(conversationId) !== true)
        turns.stop(conversationId, () => stopTurn(conversationId, request, messageId));
    }

    async function load(id: string | undefined): Promise<Response> {
      const url = withMessageId(request.streamUrl ?? "", id);
      return fetchNow(url, { ...(await initOf(request)), signal: signal ?? null });
    }

    signal?.addEventListener("abort", onAbort);
    return {
      onRequest: (asked) => push?.({ type: "request", conversationId, request: asked }),
      onUnconfirmed: () => onUnconfirmed?.(conversationId),
      onState,
      onStart(id) {
        messageId = id;
      },
      onReplaced: (id) => options.readAnew?.(conversationId, () => load(id)) === true,
      async reattach(loss) {
        again ??= (await loadStreamCode()).createReattach({
          request: async (id) => paused?.take(conversationId) ?? load(id),
          untilAnswered: paused && ((stop) => paused.untilAnswered(conversationId, stop)),
          isWanted: () => state === "lost" && turns.stateOf(conversationId).status === "lost",
          onChange: (listener) => turns.onStatus(conversationId, listener),
          isWaiting: () => paused?.waits(conversationId) === true,
          onOnline,
          onReached: options.onReached,
          clock,
          signal,
        });
        return again(loss);
      },
    };
  }

  return {
    turns,
    async harden(conversationId, body) {
      const { hardenStream } = await loadStreamCode();
      const request = { conversationId, isMessage: true, body: undefined, headers: new Headers() };
      const followed = follow(conversationId, {
        ...request,
        streamUrl: undefined,
        signal: undefined,
        credentials: undefined,
      });
      return hardenStream(body, { ...hardening, ...followed, reattach: undefined, onReplaced: undefined });
    },
    async fetch(input, init) {
      // Loads beside the request.
      void lateStream.load();
      const request = await readChatRequest(input, init);
      const { conversationId, headers, signal, body } = request;
      headers.set(SUPPORTS_ELICITATION_HEADER, "true");
      if (conversationId !== undefined) {
        options.onChat?.(conversationId);
        if (request.isMessage) turns.dispatch(conversationId, { type: "superseded" });
        await turns.beforeRequest(conversationId, signal);
      }
      signal?.throwIfAborted();
      const followed = conversationId === undefined ? undefined : follow(conversationId, request);
      const seen = followed ?? { onRequest: warnOfNoConversation };
      const forgetStart = () => conversationId !== undefined && startIds.forget(conversationId);

      let response: Response;
      try {
        const sent = conversationId !== undefined &&
          body && { body: JSON.stringify(startIds.add(conversationId, body)) };
        response = await fetchStream(request, input, { ...init, headers, ...sent });
      } catch (error) {
        // The user has stopped this message, so the next one starts a turn of its own.
        if (signal?.aborted === true) forgetStart();
        followed?.onState("closed");
        throw error;
      }
      if (response.body === null || !isEventStream(response)) {
        followed?.onState("closed");
        return response;
      }
      if (conversationId !== undefined) options.unanswered?.streamed(conversationId);
      forgetStart();
      const { hardenStream } = await loadStreamCode().catch(async (error: unknown) => {
        followed?.onState("closed");
        await response.body?.cancel();
        throw error;
      });
      const hardened = new Response(hardenStream(response.body, { ...hardening, ...seen }), response);
      hardened.headers.delete("content-length");
      return hardened;
    },
  };
}

/** Requests the stream of the turn of one message, even after the turn has ended (contract, section 3). */
function withMessageId(streamUrl: string, messageId: string | undefined): string {
  if (messageId === undefined) return streamUrl;
  return `${streamUrl}${streamUrl.includes("?") ? "&" : "?"}messageId=${encodeURIComponent(messageId)}`;
}
