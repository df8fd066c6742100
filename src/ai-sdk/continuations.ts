import { isEventStream } from "./reattach.ts";
import { readChatRequest } from "./chat-request.ts";
import { type ChatLike, isIdle, resume } from "./observe-chat.ts";

export interface Continuations {
  /** The `fetch` for answers. */
  answer: typeof globalThis.fetch;
  /** The reply that a chat was told to read, once. */
  take(conversationId: string): Response | undefined;
}

/**
 * A server whose stream ends when it asks may reply to an answer with the rest of the turn (contract, section 4). A chat
 * that reads nothing else is then told to re-attach, and gets that reply as the stream of its turn.
 */
export function createContinuations(
  fetch: typeof globalThis.fetch,
  chatOf: (conversationId: string) => ChatLike | undefined,
): Continuations {
  const replies = new Map<string, Response>();
  return {
    async answer(input, init) {
      const response = await fetch(input, init);
      if (!isEventStream(response) || response.body === null) return response;
      const { conversationId = "" } = await readChatRequest(input, init);
      const chat = chatOf(conversationId);
      if (chat?.resumeStream === undefined || !isIdle(chat)) return response;
      const [toClient, toChat] = response.body.tee();
      replies.set(conversationId, new Response(toChat, response));
      void resume(chat);
      return new Response(toClient, response);
    },
    take(conversationId) {
      const reply = replies.get(conversationId);
      replies.delete(conversationId);
      return reply;
    },
  };
}
