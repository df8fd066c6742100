import type { MessageLike } from "../client/read-messages.ts";

/** Which conversations end, in the messages that the page has, with a message of the user. */
export interface Unanswered {
  /** Notes with which message the messages of a conversation end. */
  read(conversationId: string, messages: readonly MessageLike[]): void;
  /** The id of the user's message that ends the conversation, if the page has read no stream that answers it. */
  of(conversationId: string): string | undefined;
  /** Notes that the page reads a stream which answers that message. */
  streamed(conversationId: string): void;
}

export function createUnanswered(): Unanswered {
  const last = new Map<string, string | undefined>();
  const answered = new Map<string, string>();
  return {
    read(conversationId, messages) {
      const message = messages.at(-1);
      last.set(conversationId, message?.role === "user" ? message.id : undefined);
    },
    of(conversationId) {
      const id = last.get(conversationId);
      return id === answered.get(conversationId) ? undefined : id;
    },
    streamed(conversationId) {
      const id = last.get(conversationId);
      if (id !== undefined) answered.set(conversationId, id);
    },
  };
}
