import type { ElicitationClient } from "../client/index.ts";
import { type ChatLike, observeChat } from "./observe-chat.ts";
import type { Turns } from "./turns.ts";

/** The chats that an app has given to `observe`. */
export interface ObservedChats {
  /** Observes a chat. Returns a function that ends it. */
  add(chat: ChatLike): () => void;
  /** Makes the chat re-attach if it reads no stream. Resolves once a stream is live, or there is none. */
  attach(conversationId: string, turns: Turns): Promise<void>;
  /**
   * Makes the chat read this response as the stream of its turn, and resolves when it has. `undefined` when there is no
   * chat that could.
   */
  read(conversationId: string, response: Response): Promise<void> | undefined;
  /** The response that was given to `read`, once, for the `fetch` that the chat re-attaches with. */
  take(conversationId: string): Response | undefined;
  /** Ends the observation of all chats. */
  clear(): void;
}

interface ObservedChat {
  readonly chat: ChatLike;
  readonly stop: () => void;
  response?: Response | undefined;
}

export function createObservedChats(readMessages: ElicitationClient["readMessages"]): ObservedChats {
  const observed = new Set<ObservedChat>();

  function find(conversationId: string): ObservedChat | undefined {
    return [...observed].findLast(({ chat }) => chat.id === conversationId);
  }

  /** Only a chat that reads no stream may re-attach: a second stream would break the first. */
  function findIdle(conversationId: string): ObservedChat | undefined {
    const found = find(conversationId);
    return found?.chat.status === "ready" || found?.chat.status === "error" ? found : undefined;
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

/** Makes a chat read the stream of its turn, and resolves when that has ended. The chat reports its own errors. */
async function resume(chat: ChatLike): Promise<void> {
  await chat.resumeStream?.().catch(() => undefined);
}
