import type { MessageLike } from "../client/read-messages.ts";

/**
 * Bundlers insert this value and remove dead code, but only where the comparison is in the function itself. Without a
 * bundler the value is absent.
 */
declare const process: { env: { NODE_ENV?: string } } | undefined;

/** A server writes this instead of a request when the chat did not declare support. */
const NOT_SUPPORTED_PART = "data-tool-auth-required";

/**
 * Warns a developer, once for each conversation, that the chat sends messages without the capability header, or that the
 * server could not ask for another reason. The page shows none. `isSent` says whether the kit's transport sent a message
 * of the conversation. Returns the function to call whenever the messages of a conversation have changed.
 */
export function createHeaderWarning(
  isSent: (conversationId: string) => boolean,
): (conversationId: string, messages: readonly MessageLike[]) => void {
  const questions = new Map<string, MessageLike>();
  const warned = new Set<string>();

  return (conversationId, messages) => {
    if (typeof process === "undefined" || process.env.NODE_ENV === "production") return;
    const last = messages.at(-1);
    const question = questions.get(conversationId);
    // A message that this page sends is in the list before its reply is. History arrives with both, and is skipped.
    const isAnswered = question !== undefined && messages.at(-2) === question;
    if (last?.role === "user") questions.set(conversationId, last);
    if (last?.role !== "assistant" || !isAnswered || warned.has(conversationId)) return;
    const isRefused = last.parts.some((part) => part.type === NOT_SUPPORTED_PART);
    const hasHeader = isSent(conversationId);
    if (!isRefused && hasHeader) return;
    warned.add(conversationId);
    if (hasHeader) {
      console.warn(
        `elicit-kit: the server could not ask in conversation "${conversationId}", although the chat can show it: ` +
          "the header did not reach it, or `authenticate` found no user. Look at both on the server.",
      );
      return;
    }
    console.warn(
      `elicit-kit: conversation "${conversationId}" was sent without the header "x-supports-elicitation: true", so the server ` +
        "will ask nothing. Give `useChat` the `chatOptions` of `useElicitation`, or add the header to its transport.",
    );
  };
}

/** Warns a developer that `useChat` has another id than `useElicitation`. */
export function warnOfOtherChat(id: string, chatId: string): void {
  if (typeof process === "undefined" || process.env.NODE_ENV === "production") return;
  console.warn(
    `elicit-kit: useElicitation has the id "${id}", and its chat the id "${chatId}", so a reload begins a new conversation. ` +
      "Give `useChat` the `chatOptions` of `useElicitation`, and no other id.",
  );
}

/** Warns a developer that the server has sent a request that cannot be shown. */
export function warnOfMalformed(reason: string): void {
  if (typeof process === "undefined" || process.env.NODE_ENV === "production") return;
  console.warn(
    `elicit-kit: the server sent a request that cannot be shown, so nobody will answer it. ${reason}. ` +
      "See the objects of the contract: docs/contract.md, section 1.",
  );
}

/** Warns a developer that a request came in reply to a message that names no conversation. */
export function warnOfNoConversation(): void {
  if (typeof process === "undefined" || process.env.NODE_ENV === "production") return;
  console.warn(
    "elicit-kit: a request arrived, but the message of the chat names no conversation, so the request cannot be shown. " +
      "Add `id` (or `conversationId`) to the body that `prepareSendMessagesRequest` returns.",
  );
}
