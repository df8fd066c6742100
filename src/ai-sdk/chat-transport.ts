import { loadStreamCode } from "./late-stream.ts";
import type { HttpChannelOptions } from "../client/http-channel.ts";

/** The options that a chat passes with every HTTP request of its transport. */
export interface TransportCall {
  chatId: string;
  abortSignal?: AbortSignal | undefined;
  headers?: Record<string, string> | Headers | undefined;
  body?: object | undefined;
  metadata?: unknown;
}

/** The options that a chat passes with a message. */
export interface TransportSend extends TransportCall {
  trigger: "submit-message" | "regenerate-message";
  messageId?: string | undefined;
  messages: readonly object[];
}

/**
 * The transport of a chat. The type is structural, so it fits the `ChatTransport` of any copy of `ai` 5 to 7. `Chunk` is
 * the chunk type of that copy.
 */
export interface ElicitationTransport {
  /** Whether a stream that is read again begins at its first chunk. */
  readonly resumeStreamIsReplay: true;
  sendMessages<Chunk>(options: TransportSend): Promise<ReadableStream<Chunk>>;
  /** Resolves with `null` if there is no stream, or if the server has no route for it. */
  reconnectToStream<Chunk>(options: TransportCall): Promise<ReadableStream<Chunk> | null>;
}

export interface ChatTransportOptions extends ElicitationTransportOptions {
  /** Sent with each message, in addition to the fields of the AI SDK. */
  body?: object | (() => object | Promise<object>) | undefined;
}

/** The statuses of a stream route that has no stream, or does not exist. */
const NO_STREAM: ReadonlySet<number> = new Set([204, 404, 405, 501]);

/** The newest message of each conversation, as a promise for the end of its stream. The chats of one client share it. */
export type NewestMessages = Map<string, Promise<void>>;

export function createChatTransport(
  options: ChatTransportOptions,
  newest: NewestMessages,
  onChat: (chatId: string) => void,
): ElicitationTransport {
  const { api, fetch, credentials } = options;

  async function initOf(call: TransportCall): Promise<RequestInit & { headers: Headers }> {
    const headers = new Headers(await options.headers?.());
    new Headers(call.headers).forEach((value, name) => headers.set(name, value));
    return {
      headers,
      ...(credentials && { credentials }),
      ...(call.abortSignal && { signal: call.abortSignal }),
    };
  }

  async function send<Chunk>(message: TransportSend, onEnd: () => void): Promise<ReadableStream<Chunk>> {
    const { chatId, messages, trigger, messageId } = message;
    const own = typeof options.body === "function" ? await options.body() : options.body;
    const init = await initOf(message);
    init.headers.set("content-type", "application/json");
    const body = JSON.stringify({ ...own, ...message.body, id: chatId, messages, trigger, messageId });
    const response = await fetch(api, { ...init, method: "POST", body });
    const { chunksOf, refusalOf } = await loadStreamCode();
    if (!isEventStream(response) || response.body === null) throw await refusalOf(api, response);
    return chunksOf(response.body, onEnd);
  }

  return {
    resumeStreamIsReplay: true,
    async sendMessages(message) {
      onChat(message.chatId);
      const ended = new AbortController();
      newest.set(message.chatId, whenAborted(ended.signal));
      try {
        return await send(message, () => ended.abort());
      } catch (error) {
        ended.abort();
        throw error;
      }
    },
    async reconnectToStream(call) {
      const { chatId } = call;
      onChat(chatId);
      const before = newest.get(chatId);
      const url = `${api}/${encodeURIComponent(chatId)}/stream`;
      const response = await fetch(url, await initOf(call));
      const message = newest.get(chatId);
      const isOvertaken = message !== before;
      if (isEventStream(response) && response.body !== null && !isOvertaken)
        return (await loadStreamCode()).chunksOf(response.body);
      // A web page in place of a stream, for example from a proxy, is not a stream.
      if (!response.ok && !isOvertaken && !NO_STREAM.has(response.status))
        throw await (await loadStreamCode()).refusalOf(url, response);
      await response.body?.cancel();
      // Only the stream of the newest message may be read, and the chat is not "ready" before that ends.
      if (isOvertaken) await message;
      return null;
    },
  };
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}

/** The options of `DefaultChatTransport`. The type is structural, so that any copy and version of `ai` fits. */
export interface ElicitationTransportOptions {
  api: string;
  fetch: typeof globalThis.fetch;
  headers?: () => Promise<Record<string, string>>;
  credentials?: RequestCredentials;
}

/** The options that make a `DefaultChatTransport` (AI SDK 5 to 7) support elicitation, with a hardened `fetch`. */
export function transportOptionsOf(
  options: Pick<HttpChannelOptions, "api" | "headers" | "credentials">,
  fetch: typeof globalThis.fetch,
): ElicitationTransportOptions {
  const { api = "/run/api", headers, credentials } = options;
  return {
    api: `${api}/chat`,
    fetch,
    ...(headers !== undefined && {
      headers: async () =>
        Object.fromEntries(new Headers(typeof headers === "function" ? await headers() : headers)),
    }),
    ...(credentials !== undefined && { credentials }),
  };
}

export function isEventStream(response: Response): boolean {
  return (
    response.ok &&
    response.headers.get("content-type")?.toLowerCase().startsWith("text/event-stream") === true
  );
}
