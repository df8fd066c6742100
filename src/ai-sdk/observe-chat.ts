import type { ElicitationClient } from "../client/index.ts";
import type { ElicitationRequest } from "../protocol/contract.ts";
import { isolateErrors } from "./isolate-errors.ts";
import { type MessageLike, readElicitations } from "./read-messages.ts";

/**
 * The least of a chat that is needed here. Every `Chat` fits: of `@ai-sdk/react` 2 to 4, and, without its
 * subscriptions, of any other framework.
 */
export interface ChatLike {
  readonly id: string;
  readonly messages: readonly MessageLike[];
  readonly status: string;
  /** Reads the stream of the chat's open turn, if it has one. */
  readonly resumeStream?: (() => Promise<void>) | undefined;
  /** Not public API of `@ai-sdk/react`, but what its own `useChat` stands on, unchanged since version 2. */
  readonly "~registerMessagesCallback"?: ((onChange: () => void) => () => void) | undefined;
  readonly "~registerStatusCallback"?: ((onChange: () => void) => () => void) | undefined;
}

/**
 * Takes the requests in a chat's messages into a client, now and (where the chat tells) when messages change or a turn
 * ends. The chat's id is the conversation's. Returns the function that ends it.
 */
export function observeChat(client: Pick<ElicitationClient, "receive">, chat: ChatLike): () => void {
  const taken = new WeakSet<ElicitationRequest>();

  // The chat calls this while it reads its stream: an error would end the chat.
  const read = isolateErrors(() => {
    // While an answer streams, only the last message changes, once per token.
    const messages = chat.status === "streaming" ? chat.messages.slice(-1) : chat.messages;
    for (const request of readElicitations(messages)) {
      if (taken.has(request)) continue;
      taken.add(request);
      client.receive(chat.id, request);
    }
  });

  read();
  const stops = [chat["~registerMessagesCallback"]?.(read), chat["~registerStatusCallback"]?.(read)];
  return () => {
    for (const stop of stops) stop?.();
  };
}

/** Has a chat read the stream of its turn, and resolves when that has ended. The chat tells its own errors. */
export async function resume(chat: ChatLike): Promise<void> {
  await chat.resumeStream?.().catch(() => undefined);
}

/** Whether a chat reads no stream: only then may it be given one. A second would break the first. */
export function isIdle({ status }: ChatLike): boolean {
  return status === "ready" || status === "error";
}
