import type {
  ContentError,
  ElicitationAnswer,
  ElicitationOutcome,
  ElicitationRequest,
  StatusReport,
} from "../protocol/contract.ts";

/** What a channel tells the client. The same request may come many times; the client merges by id. */
export type ChannelEvent =
  /** A request, or the same one again with `progress` or `resolution`. */
  | { type: "request"; conversationId: string; request: ElicitationRequest }
  /** Whether a live stream of this conversation is open. While one is, the end of a request comes by itself. */
  | { type: "live"; conversationId: string; live: boolean };

/** What became of one answer. A transport failure is not a receipt: the channel throws a `ChannelError`. */
export type AnswerReceipt = { elicitationId: string } &
  /** The request has ended. `differs`: it had ended before, and not by this answer. */
  (
    | { kind: "settled"; outcome: ElicitationOutcome; differs?: boolean | undefined }
    /** The accept was taken as consent; the request ends later. */
    | { kind: "consented" }
    /** The accept means completion, and the server has not seen it yet. Nothing is lost: the request is still open. */
    | { kind: "pending"; lastError?: string | undefined }
    /** The server will not take this answer, and asking again will not change that. */
    | { kind: "refused"; status: number; message: string; errors?: readonly ContentError[] | undefined }
    /** The server does not know this request (any more) for this person. */
    | { kind: "gone" }
  );

/** Where an answer of one kind goes: over the wire, nowhere (it only closes the card), or it cannot be given. */
export type AnswerDelivery = "send" | "local" | "unsupported";

/** What every call of a channel takes. `signal` ends the call, not what the server has done by then. */
export interface ChannelCallOptions {
  /** Ends the call, which then rejects with the signal's reason. */
  signal: AbortSignal;
}

/**
 * The client's only port: where requests come from and where answers go. One per way of talking (the contract's HTTP
 * endpoint, an MCP session, an A2A task …).
 */
export interface Channel {
  /** Calls `listener` for each event from now on. Returns the function that ends it. */
  subscribe(listener: (event: ChannelEvent) => void): () => void;
  /**
   * Delivers the answers of one round (usually one answer) and says what became of each, in the same order.
   * Throws `ChannelError` when they could not be delivered.
   */
  respond(
    answers: readonly ElicitationAnswer[],
    options: ChannelCallOptions,
  ): Promise<readonly AnswerReceipt[]>;
  /** Reads the server's truth on one request. `undefined`: the server does not know it. Throws `ChannelError`. */
  status?(elicitationId: string, options: ChannelCallOptions): Promise<StatusReport | undefined>;
  /** The open requests of a conversation, for a reload. */
  list?(conversationId: string, options: ChannelCallOptions): Promise<readonly ElicitationRequest[]>;
  /**
   * Vouches for the person towards a hosted page that shows `challenge` (contract, section 6): gives the ticket that
   * the page takes. Throws `ChannelError` when refused.
   */
  bind?(elicitationId: string, challenge: string, options: ChannelCallOptions): Promise<string>;
  /** Where the answers to this request go, by action. Asked each time one is given. */
  delivery(request: ElicitationRequest): Readonly<Record<"accept" | "decline" | "cancel", AnswerDelivery>>;
}

/** An answer or a question did not reach the server, or the server failed. */
export class ChannelError extends Error {
  override readonly name = "ChannelError";
  /** Whether sending the same again may work: offline, 429, 5xx. */
  readonly retryable: boolean;
  /** Milliseconds the server asked to wait (Retry-After). */
  readonly retryAfter: number | undefined;

  /** `message` gets the kit's name in front; `cause` is what `fetch` threw, and says that nobody was reached. */
  constructor(
    message: string,
    options: { retryable: boolean; retryAfter?: number | undefined; cause?: unknown },
  ) {
    super(`elicit-kit: ${message}`, { cause: options.cause });
    this.retryable = options.retryable;
    this.retryAfter = options.retryAfter;
  }
}
