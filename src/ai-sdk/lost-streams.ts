import { readRunRequest } from "./run-request.ts";
import { type ChatLike, isIdle, onceIdle } from "./watch-chat.ts";

export interface LostStreams {
  /** The `fetch` beneath the chat's transport. */
  run: typeof globalThis.fetch;
  /** An answer leaves: what the agent makes of it is still to be read. */
  answered(conversationId: string): void;
  /** The stream of a conversation is closed, however it ended. */
  closed(conversationId: string): void;
  /** The connection of a stream was lost. Call before `closed`. */
  broken(conversationId: string): void;
}

/**
 * What becomes of a run whose connection is lost after the answer: nobody is asked any more, so no answer would have
 * the chat re-attach. It does so by itself, once for each answer, and when the run has ended without it, the chat
 * says so instead of passing for complete.
 */
export function createLostStreams(
  fetch: typeof globalThis.fetch,
  chatOf: (conversationId: string) => ChatLike | undefined,
): LostStreams {
  const answered = new Set<string>();
  const rejoining = new Set<string>();

  async function rejoin(chat: ChatLike): Promise<void> {
    await onceIdle(chat);
    if (!isIdle(chat)) return;
    rejoining.add(chat.id);
    // The chat tells its own errors.
    await chat.resumeStream?.().catch(() => undefined);
    rejoining.delete(chat.id);
  }

  return {
    async run(input, init) {
      const response = await fetch(input, init);
      if (response.status !== 204 || rejoining.size === 0) return response;
      const { conversationId = "" } = await readRunRequest(input, init);
      if (!rejoining.has(conversationId)) return response;
      throw new Error(
        "elicit-kit: the connection was lost, and the agent finished meanwhile. Load the conversation again to read the rest.",
      );
    },
    answered: (conversationId) => void answered.add(conversationId),
    closed: (conversationId) => void answered.delete(conversationId),
    broken(conversationId) {
      const chat = chatOf(conversationId);
      if (chat !== undefined && answered.delete(conversationId)) void rejoin(chat);
    },
  };
}
