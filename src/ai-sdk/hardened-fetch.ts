import type { ChannelEvent } from "../client/index.ts";
import { SUPPORTS_ELICITATION_HEADER } from "../protocol/contract.ts";
import type { ChunkMenderOptions } from "./chunk-mender.ts";
import { readRunRequest, type RunRequest } from "./run-request.ts";
import { createRunStops } from "./run-stops.ts";
import { hardenUiMessageStream, type StreamHardeningOptions } from "./stream-hardening.ts";

/** What `createHardenedFetch` takes. All may be left out. */
export interface HardenedFetchOptions extends Pick<ChunkMenderOptions, "unknownChunks" | "aiSdk"> {
  /**
   * Base of the contract's routes, for the stop route.
   * @default "/run/api"
   */
  api?: string | undefined;
  /** The `fetch` underneath. Default: the global one. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Where requests and the state of streams are told. */
  push?: ((event: ChannelEvent) => void) | undefined;
  /**
   * Called when something became of a conversation's requests that only the server can tell (`client.refresh`): a
   * stream says so by way of text, or the run was stopped.
   */
  onUnconfirmed?: ((conversationId: string) => void) | undefined;
  /** Called when the connection of a conversation's stream is lost; not when the chat was stopped. */
  onBroken?: ((conversationId: string) => void) | undefined;
  /**
   * Let the run go on when the chat stops listening, as resumable chats want it. By default `stop()`, and the unmount
   * of `useChat`, stop the run on the server, and its requests are withdrawn.
   * @default false
   */
  detach?: boolean | undefined;
}

/**
 * The `fetch` for a chat transport: sends the capability header, hardens streams (see `hardenUiMessageStream`), tells
 * which requests are in them and whether one is open, and stops the run on the server when the chat is stopped. A
 * response that is no event stream comes back untouched.
 */
export function createHardenedFetch(options: HardenedFetchOptions = {}): typeof globalThis.fetch {
  const { api = "/run/api", unknownChunks, aiSdk, detach = false, push, onUnconfirmed, onBroken } = options;
  const openStreams = new Map<string, number>();
  const stops = createRunStops();

  /** A conversation is live while any of its streams is open: a re-attached one may overlap the first. */
  function count(conversationId: string, change: 1 | -1): void {
    const streams = (openStreams.get(conversationId) ?? 0) + change;
    if (streams === 0) openStreams.delete(conversationId);
    else openStreams.set(conversationId, streams);
    if (streams === (change === 1 ? 1 : 0)) push?.({ type: "live", conversationId, live: change === 1 });
  }

  function fetchNow(input: RequestInfo | URL, init: RequestInit): Promise<Response> {
    // Read at call time: tests and service workers replace the global after this module has loaded.
    const fetch = options.fetch ?? globalThis.fetch;
    return fetch(input, init);
  }

  async function stopRun(conversationId: string, run: RunRequest): Promise<void> {
    const headers = new Headers(run.headers);
    headers.delete("content-type");
    try {
      const response = await fetchNow(`${api}/chat/${encodeURIComponent(conversationId)}/stop`, {
        method: "POST",
        headers,
        keepalive: true,
        ...(run.credentials !== undefined && { credentials: run.credentials }),
      });
      await response.body?.cancel();
    } catch {
      // The server cannot be reached; it withdraws by itself when the request expires.
    }
    onUnconfirmed?.(conversationId);
  }

  /** Tells what becomes of the stream of one run, and stops the run when its signal aborts before the stream is over. */
  function follow(conversationId: string, run: RunRequest): StreamHardeningOptions & { over(): void } {
    let isLive = false;

    function setLive(live: boolean): void {
      if (live === isLive) return;
      isLive = live;
      count(conversationId, live ? 1 : -1);
    }
    function onAbort(): void {
      over();
      if (!detach) stops.stop(conversationId, () => stopRun(conversationId, run));
    }
    function over(): void {
      run.signal?.removeEventListener("abort", onAbort);
      setLive(false);
    }

    run.signal?.addEventListener("abort", onAbort);
    return {
      onRequest: (request) => push?.({ type: "request", conversationId, request }),
      onUnconfirmed: () => onUnconfirmed?.(conversationId),
      onOpen: () => setLive(true),
      onClose(how) {
        if (how === "broken" && run.signal?.aborted !== true) onBroken?.(conversationId);
        over();
      },
      over,
    };
  }

  return async (input, init) => {
    const run = await readRunRequest(input, init);
    const { conversationId, headers, signal } = run;
    headers.set(SUPPORTS_ELICITATION_HEADER, "true");
    if (conversationId !== undefined) await stops.supersede(conversationId, signal);
    signal?.throwIfAborted();
    const followed = conversationId === undefined ? undefined : follow(conversationId, run);

    let response: Response;
    try {
      response = await fetchNow(input, { ...init, headers });
    } catch (error) {
      followed?.over();
      throw error;
    }
    if (response.body === null || !response.ok || !isEventStream(response)) {
      followed?.over();
      return response;
    }
    const body = hardenUiMessageStream(response.body, { unknownChunks, aiSdk, ...followed });
    const { status, statusText } = response;
    const answered = new Headers(response.headers);
    answered.delete("content-length");
    return new Response(body, { status, statusText, headers: answered });
  };
}

export function isEventStream(response: Response): boolean {
  return response.headers.get("content-type")?.toLowerCase().startsWith("text/event-stream") === true;
}
