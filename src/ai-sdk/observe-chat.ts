import type { ElicitationClient } from "../client/index.ts";
import type { MessageLike } from "../client/read-messages.ts";
import { isolateErrors } from "./isolate-errors.ts";

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
