import type { User } from "../ports/index.ts";

/** A text as a UI message of the AI SDK. */
export interface TextMessage {
  id: string;
  role: "user" | "assistant";
  parts: { type: "text"; text: string }[];
}

/**
 * Loads the UI messages that the agent gets, for surfaces whose clients send only the new message: the earlier messages of
 * the conversation, then `message`.
 */
export type LoadMessages = (input: {
  /** Absent for a service account that acts for many people. */
  readonly user: User | undefined;
  /** As the client knows it. The client chooses it, so load only what belongs to `user`. */
  readonly conversationId: string;
  /** The new message. */
  readonly message: TextMessage;
}) => readonly unknown[] | Promise<readonly unknown[]>;

export function textMessage(role: TextMessage["role"], id: string, text: string): TextMessage {
  return { id, role, parts: [{ type: "text", text }] };
}
