import type { ElicitationClient } from "../client/index.ts";
import type { AiSdkVersion } from "./chunk-shapes.ts";
import { isEventStream } from "./chat-transport.ts";
import { isolateErrors } from "../client/listeners.ts";
import type { Turns } from "./turns.ts";
import type { MessageLike } from "../client/read-messages.ts";

/** The chats that an app has passed to `observe`. */
export interface ObservedChats {
  /** Observes a chat. Returns a function that ends the observation. */
  add(chat: ChatLike): () => void;
  /** Whether a chat is reading no stream. */
  isIdle(conversationId: string): boolean;
  /** Makes the chat re-attach if it reads no stream. Resolves once a stream is live, or if there is none. */
  attach(conversationId: string, turns: Turns): Promise<void>;
  /**
   * Makes the chat read this response as the stream of its turn, and resolves when it has. `undefined` if no chat can.
   */
  read(conversationId: string, response: Response): Promise<void> | undefined;
  /**
   * Makes the chat read its last message again from the start, from the response of `load`, once it is idle. `false` if
   * no chat can.
   */
  readAnew(conversationId: string, load: () => Promise<Response>): boolean;
  /** Returns the response passed to `read`, once, for the `fetch` with which the chat re-attaches. */
  take(conversationId: string): Response | undefined;
  /** Ends the observation of all chats. */
  clear(): void;
}

interface ObservedChat {
  readonly chat: ChatLike;
  readonly stop: () => void;
  response?: Response | undefined;
}

export function createObservedChats(
  readMessages: ElicitationClient["readMessages"],
  { aiSdk = 7 }: { aiSdk?: AiSdkVersion | undefined },
): ObservedChats {
  const observed = new Set<ObservedChat>();

  function find(conversationId: string): ObservedChat | undefined {
    return [...observed].findLast(({ chat }) => chat.id === conversationId);
  }

  /** Only a chat that reads no stream may re-attach: a second stream would break the first. */
  function findIdle(conversationId: string): ObservedChat | undefined {
    const found = find(conversationId);
    return found !== undefined && isIdle(found.chat) ? found : undefined;
  }

  async function readAgain(found: ObservedChat, load: () => Promise<Response>): Promise<void> {
    await untilIdle(found.chat);
    const response = await load();
    if (!isEventStream(response)) return;
    if (aiSdk < 7) dropReply(found.chat);
    found.response = response;
    await resume(found.chat);
  }

  return {
    add(chat) {
      const added = { chat, stop: observeChat({ readMessages }, chat) };
      observed.add(added);
      return () => {
        added.stop();
        observed.delete(added);
      };
    },
    isIdle: (conversationId) => findIdle(conversationId) !== undefined,
    async attach(conversationId, turns) {
      const found = findIdle(conversationId);
      if (found === undefined) return;
      let stop: (() => void) | undefined;
      const isLive = new Promise<void>((resolve) => (stop = turns.onStatus(conversationId, resolve)));
      await Promise.race([isLive, resume(found.chat)]);
      stop?.();
    },
    read(conversationId, response) {
      const found = findIdle(conversationId);
      if (found?.chat.resumeStream === undefined) return undefined;
      found.response = response;
      return resume(found.chat);
    },
    readAnew(conversationId, load) {
      const found = find(conversationId);
      if (found?.chat.resumeStream === undefined) return false;
      // If it fails, the chat keeps its content, and a reload shows the rest.
      void readAgain(found, load).catch(() => undefined);
      return true;
    },
    take(conversationId) {
      const found = find(conversationId);
      const response = found?.response;
      if (found !== undefined) found.response = undefined;
      return response;
    },
    clear() {
      for (const { stop } of observed) stop();
      observed.clear();
    },
  };
}

/** Before version 7, the AI SDK appends a replay to the existing message. */
function dropReply(chat: ChatLike): void {
  const { messages } = chat;
  if (messages.at(-1)?.role === "assistant") chat.messages = messages.slice(0, -1);
}

async function untilIdle(chat: ChatLike): Promise<void> {
  // The chat ends its last stream some microtasks after the stream has failed.
  for (let tries = 0; tries < 100 && !isIdle(chat); tries++) {
    await new Promise((resolve) => setTimeout(resolve));
  }
}

function isIdle({ status }: ChatLike): boolean {
  return status === "ready" || status === "error";
}

/** Makes a chat read the stream of its turn, and resolves when that has ended. The chat reports its own errors. */
async function resume(chat: ChatLike): Promise<void> {
  await chat.resumeStream?.().catch(() => undefined);
}

/**
 * The parts of a chat that are used here. Every `Chat` of `@ai-sdk/react` 2 to 4 fits. Chats of other frameworks may lack
 * the two callbacks.
 */
export interface ChatLike {
  readonly id: string;
  messages: readonly MessageLike[];
  readonly status: string;
  /** Reads the stream of the chat's open turn, if it has one. */
  readonly resumeStream?: (() => Promise<void>) | undefined;
  /** This is not a public API of `@ai-sdk/react`, but its own `useChat` has used it unchanged since version 2. */
  readonly "~registerMessagesCallback"?: ((onChange: () => void) => () => void) | undefined;
  readonly "~registerStatusCallback"?: ((onChange: () => void) => () => void) | undefined;
}

/**
 * Passes a chat's messages to a client, now and whenever they change or a turn ends (where the chat has callbacks for
 * that). The id of the chat is the id of the conversation. Returns a function that ends the observation.
 */
export function observeChat(client: Pick<ElicitationClient, "readMessages">, chat: ChatLike): () => void {
  // The chat calls this while it reads its stream, so an error would end the chat.
  const read = isolateErrors(() => {
    // While an answer streams, only the last message changes, once per token.
    client.readMessages(chat.id, chat.status === "streaming" ? chat.messages.slice(-1) : chat.messages);
  });

  read();
  const stops = [chat["~registerMessagesCallback"]?.(read), chat["~registerStatusCallback"]?.(read)];
  return () => {
    for (const stop of stops) stop?.();
  };
}
