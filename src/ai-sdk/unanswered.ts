import type { MessageLike } from "../client/read-messages.ts";
import { newId } from "../client/new-id.ts";

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

/** Names the messages of chats, so that a copy that arrives late starts no second turn (contract, section 3). */
export interface StartIds {
  /**
   * The body of a message with a `startId`. The same message keeps it when the chat sends it again, until `forget`. A body
   * that is not one of the contract is returned unchanged.
   */
  add(conversationId: string, body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** The next message of the conversation is a new one, even if it is equal. */
  forget(conversationId: string): void;
}

export function createStartIds(): StartIds {
  /** The messages without a reply so far. */
  const unanswered = new Map<string, { readonly message: string; readonly startId: string }>();

  return {
    add(conversationId, body) {
      if (!Array.isArray(body["messages"]) || body["startId"] !== undefined) return body;
      // These differ when a chat sends its message again.
      const message = JSON.stringify({ ...body, trigger: undefined, messageId: undefined });
      const before = unanswered.get(conversationId);
      const startId = before?.message === message ? before.startId : newId();
      unanswered.set(conversationId, { message, startId });
      return { ...body, startId };
    },
    forget(conversationId) {
      unanswered.delete(conversationId);
    },
  };
}
