/** The messages between the windows of a chat and of its hosted page (contract, section 6). */

/** The `source` of every message that a hosted page posts to the window that opened it. */
export const COMPLETION_MESSAGE_SOURCE = "elicit-kit";

/**
 * What a hosted page posts to the chat that opened it. After `elicitation-complete` the chat accepts the request. A
 * server that verifies completion replies "pending" until it is true. After `elicitation-failed` the chat reads the
 * status.
 */
export interface CompletionMessage {
  source: typeof COMPLETION_MESSAGE_SOURCE;
  version: 1;
  type: "elicitation-complete" | "elicitation-failed";
  elicitationId: string;
}

/** The chat's answer to a {@link BindMessage}, posted to the page's window at the trusted origin (contract, section 6). */
export interface TicketMessage {
  source: typeof COMPLETION_MESSAGE_SOURCE;
  version: 1;
  type: "elicitation-ticket";
  elicitationId: string;
  /** The challenge that the page has sent. */
  challenge: string;
  /** From `POST …/bind`. For one minute, it proves to the page which user the chat belongs to. */
  ticket: string;
}

/** What a hosted page posts to ask the chat to vouch for the user (contract, section 6). */
export interface BindMessage {
  source: typeof COMPLETION_MESSAGE_SOURCE;
  version: 1;
  type: "elicitation-bind";
  elicitationId: string;
  challenge: string;
}
