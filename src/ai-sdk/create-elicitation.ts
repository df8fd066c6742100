import type { ElicitationClientOptions } from "../client/client-options.ts";
import { createElicitationClient } from "../client/create-client.ts";
import type { ElicitationClient } from "../client/elicitation.ts";
import { createHttpChannel, type HttpChannelOptions } from "../client/http-channel.ts";
import type { MessageLike } from "../client/read-messages.ts";
import {
  createChatTransport,
  type ElicitationTransport,
  type NewestMessages,
  type ElicitationTransportOptions,
  transportOptionsOf,
  isEventStream,
} from "./chat-transport.ts";
import { createHeaderWarning } from "./developer-warnings.ts";
import { createHardenedFetch, type HardenedFetchOptions } from "./hardened-fetch.ts";
import { loadStreamCode } from "./late-stream.ts";
import { type ChatLike, createObservedChats } from "./observed-chats.ts";
import { createPausedTurns } from "./paused-turns.ts";
import { createUnanswered } from "./unanswered.ts";
import { createListeners } from "../client/listeners.ts";

/**
 * The options of `createElicitation`: those of the client, of its HTTP channel and of the chat's transport. All are
 * optional.
 */
export interface ElicitationOptions
  extends
    Omit<ElicitationClientOptions, "channel">,
    Omit<HttpChannelOptions, "onContinuation">,
    Pick<HardenedFetchOptions, "detach" | "unknownChunks" | "aiSdk"> {
  /** Sent with each message of a chat, in addition to the fields of the AI SDK. A function is called for each message. */
  body?: object | (() => object | Promise<object>) | undefined;
}

/** A chunk of a UI message stream, of any type. */
export interface StreamedChunk {
  type: string;
  [member: string]: unknown;
}

/** The client of an AI SDK chat, and the options that connect the chat's transport to it. */
export interface ChatElicitation extends ElicitationClient {
  /**
   * Creates the transport of a chat, for `new Chat({ transport })`. `onChat` is called with the chat's id whenever the
   * chat sends a message or re-attaches. `useElicitation` creates one itself.
   */
  createTransport(onChat?: (chatId: string) => void): ElicitationTransport;
  /**
   * Calls `listener` with the id of each chat whose transport uses `transportOptions`, as long as it is the only listener:
   * with several, the client cannot know to which of them the chat belongs. Returns a function that removes the listener.
   */
  onOwnTransport(listener: (chatId: string) => void): () => void;
  /**
   * Reads a reply of the chat route that the page has fetched itself: yields each chunk, and passes the requests between
   * them to the client. Send the header `x-supports-elicitation: true` with the message. A stream that breaks throws.
   */
  read(conversationId: string, response: Response): AsyncGenerator<StreamedChunk, void, void>;
  /** For `new DefaultChatTransport(…)`, if a chat needs its `prepareSendMessagesRequest`. */
  transportOptions: ElicitationTransportOptions;
  /**
   * Call it when the page leaves a conversation. Streams that end before the returned function is called then do not stop
   * their turn on the server. Otherwise, a stream that a chat ends stops its turn.
   */
  leave(conversationId: string): () => void;
  /**
   * Reads the requests in a `Chat`'s messages, now and at every change, without a render for each token. It also makes
   * the chat re-attach to its turn when the user answers while no stream is being read, for example after a reload, or if
   * the server ends its stream when it asks. Returns a function that ends both. Components that have only `chat.messages`
   * pass them to `useElicitationList` instead.
   */
  observe(chat: ChatLike): () => void;
}

/**
 * Creates a client for the contract's HTTP routes that gets its requests from the chat's own stream. Create it once for
 * each app or chat, and share it between hook and components.
 *
 * @example
 * const elicit = createElicitation({ api: "/run/api", trustedOrigin: "https://auth.example.com" });
 * const chat = useChat({ transport: new DefaultChatTransport(elicit.transportOptions) });
 */
export function createElicitation(options: ElicitationOptions = {}): ChatElicitation {
  /** The conversations whose last answer returned the stream of the turn. */
  const continued = new Set<string>();
  const newest: NewestMessages = new Map();
  /** How many callers are leaving each conversation. */
  const leaving = new Map<string, number>();
  /** The ids of chats whose transport is one of `createTransport`. */
  const made = new Set<string>();
  const ownTransports = new Set<{ readonly listener: (chatId: string) => void }>();
  const chats = createObservedChats(readMessages, options);
  const reached = createReached(options.fetch);
  const unanswered = createUnanswered();
  const channel = createHttpChannel({
    ...options,
    fetch: reached.fetch,
    onContinuation(conversationId, response) {
      continued.add(conversationId);
      return paused.read(conversationId, response) ?? chats.read(conversationId, response);
    },
  });
  const client = createElicitationClient({
    ...options,
    channel: {
      ...channel,
      async respond(answers, o) {
        const [{ conversationId } = { conversationId: "" }] = answers;
        const wasIdle = chats.isIdle(conversationId);
        continued.delete(conversationId);
        const receipts = await channel.respond(answers, o);
        // If the server did not reply with the stream of the turn, it may still have the stream.
        if (wasIdle && !continued.has(conversationId)) await chats.attach(conversationId, turns);
        return receipts;
      },
    },
  });
  const paused = createPausedTurns(client, () => turns);
  const { fetch, turns, harden } = createHardenedFetch({
    ...options,
    push: channel.push,
    onUnconfirmed: oneAtATime((conversationId) => client.refresh(conversationId)),
    takeContinuation: chats.take,
    paused,
    onReached: reached.onReached,
    readAnew: chats.readAnew,
    unanswered,
    onChat(conversationId) {
      const [only, another] = ownTransports;
      if (!made.has(conversationId) && another === undefined) only?.listener(conversationId);
    },
    isLeft: (conversationId) => (leaving.get(conversationId) ?? 0) > 0,
  });
  const transportOptions = transportOptionsOf(options, fetch);
  const warn = createHeaderWarning(turns.has);

  function readMessages(conversationId: string, messages: readonly MessageLike[]): void {
    warn(conversationId, messages);
    unanswered.read(conversationId, messages);
    client.readMessages(conversationId, messages);
  }

  async function* read(
    conversationId: string,
    response: Response,
  ): AsyncGenerator<StreamedChunk, void, void> {
    const { chunksOf, refusalOf } = await loadStreamCode();
    if (response.body === null || !isEventStream(response)) throw await refusalOf(response.url, response);
    const hardened = await harden(conversationId, response.body);
    const reader = chunksOf<StreamedChunk>(hardened).getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    } finally {
      await reader.cancel();
    }
  }

  function leave(conversationId: string): () => void {
    const add = (by: number): void =>
      void leaving.set(conversationId, (leaving.get(conversationId) ?? 0) + by);
    add(1);
    let isLeaving = true;
    return () => {
      if (isLeaving) add(-1);
      isLeaving = false;
    };
  }

  return {
    ...client,
    readMessages,
    createTransport: (onChat) =>
      createChatTransport({ ...transportOptions, body: options.body }, newest, (chatId) => {
        made.add(chatId);
        onChat?.(chatId);
      }),
    onOwnTransport(listener) {
      const one = { listener };
      ownTransports.add(one);
      return () => ownTransports.delete(one);
    },
    transportOptions,
    read,
    leave,
    observe: chats.add,
    dispose() {
      chats.clear();
      turns.giveUp();
      client.dispose();
    },
  };
}

/** Runs `work` once at a time for each conversation, and once more if it was called in between. */
function oneAtATime(work: (conversationId: string) => Promise<void>): (conversationId: string) => void {
  const again = new Map<string, boolean>();

  async function run(conversationId: string): Promise<void> {
    do {
      again.set(conversationId, false);
      await work(conversationId);
    } while (again.get(conversationId));
    again.delete(conversationId);
  }
  return (conversationId) => {
    if (again.has(conversationId)) again.set(conversationId, true);
    else void run(conversationId);
  };
}

/** Reports when a server replies. */
export interface Reached {
  /** Passes calls on to the server. */
  fetch: typeof globalThis.fetch;
  /** Subscribes to replies that show that the server is up. Returns a function that unsubscribes. */
  onReached(listener: () => void): () => void;
}

/** @param own the underlying `fetch`; `undefined`: the global one */
function createReached(own: typeof globalThis.fetch | undefined): Reached {
  const listeners = createListeners();
  return {
    async fetch(input, init) {
      // Read at call time, because tests and service workers replace the global after this module has loaded.
      const fetch = own ?? globalThis.fetch;
      const response = await fetch(input, init);
      // A proxy may reply for a server that is down.
      if (response.ok) listeners.tell();
      return response;
    },
    onReached: (listener) => listeners.add(listener),
  };
}
