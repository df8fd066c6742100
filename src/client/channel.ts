import type {
  ContentError,
  ElicitationAnswer,
  ElicitationOutcome,
  ElicitationRequest,
  StatusReport,
} from "../contract/contract.ts";

/** What a channel tells the client. The same request may come many times; the client merges by id. */
export type ChannelEvent =
  /** A request, or the same one again with `progress` or `resolution`. */
  | { type: "request"; conversationId: string; request: ElicitationRequest }
  /** Whether a stream of this conversation is being read. While one is, it brings the end of each request. */
  | { type: "live"; conversationId: string; live: boolean };

/** What became of one answer. A transport failure is not a receipt: the channel throws a `ChannelError`. */
export type AnswerReceipt = { elicitationId: string } &
  /** The request has ended. `differs`: it had ended before, and not by this answer. */
  (
    | { kind: "settled"; outcome: ElicitationOutcome; differs?: boolean | undefined }
    /** The server took the accept as consent; the request ends later. */
    | { kind: "consented" }
    /** The accept means completion, which the server has not seen yet. The request is still open. */
    | { kind: "pending"; lastError?: string | undefined }
    /** The server refused this answer, and will refuse it again. */
    | { kind: "refused"; status: number; message: string; errors?: readonly ContentError[] | undefined }
    /** For this user the server has no such request, or has it no longer. */
    | { kind: "gone" }
  );

/**
 * Where an answer goes: to the server (`send`), nowhere because it only closes the card (`local`), or it is not possible
 * (`unsupported`).
 */
export type AnswerDelivery = "send" | "local" | "unsupported";

/** What every call of a channel takes. */
export interface ChannelCallOptions {
  /** Ends the call, which rejects with the signal's reason. What the server has done by then stays done. */
  signal: AbortSignal;
  /** The page is being left: the call should outlive it, as `fetch` with `keepalive` does. */
  keepalive?: boolean | undefined;
}

/**
 * The client's only port: where requests come from and where answers go. There is one implementation for each protocol:
 * the contract's HTTP routes, an MCP session, an A2A task.
 */
export interface Channel {
  /**
   * Calls `listener` for each event from now on. A channel that keeps the open requests itself, such as those of MCP, A2A,
   * ACP and AG-UI, tells it about each of them first. Returns a function that ends it.
   */
  subscribe(listener: (event: ChannelEvent) => void): () => void;
  /**
   * Sends the answers of one round (usually one answer). Resolves with what became of each, in the same order. Throws
   * `ChannelError` when they could not be delivered.
   */
  respond(
    answers: readonly ElicitationAnswer[],
    options: ChannelCallOptions,
  ): Promise<readonly AnswerReceipt[]>;
  /** Reads the status of a request. `undefined`: the server does not know the request. Throws `ChannelError`. */
  status?(elicitationId: string, options: ChannelCallOptions): Promise<StatusReport | undefined>;
  /** Reads the open requests of a conversation from the server that keeps them, for example after a reload. */
  list?(conversationId: string, options: ChannelCallOptions): Promise<readonly ElicitationRequest[]>;
  /**
   * Vouches for the user towards a hosted page that shows `challenge` (contract, section 6): gives the ticket that
   * the page takes. Throws `ChannelError` when refused.
   */
  bind?(elicitationId: string, challenge: string, options: ChannelCallOptions): Promise<string>;
  /**
   * Reads values for the fields of a form from what the user has written, for forms with `context.takesSentence`. The client
   * checks them. Throws `ChannelError`.
   */
  propose?(elicitationId: string, text: string, options: ChannelCallOptions): Promise<unknown>;
  /** Lets the user decide a request themself that waits for somebody else. Throws `ChannelError`. */
  takeBack?(elicitationId: string, options: ChannelCallOptions): Promise<void>;
  /** Forgets the answer that was remembered for the question of this request. Throws `ChannelError`. */
  forget?(elicitationId: string, options: ChannelCallOptions): Promise<void>;
  /**
   * Reads a path below the base of the contract's routes, for what has no function here, such as the inbox. Throws
   * `ChannelError` when no server replies, and for 429 and 5xx.
   */
  read?(path: string, options: ChannelCallOptions & { accept?: string | undefined }): Promise<Response>;
  /** Where the answers to this request go, by action. Asked each time one is given. */
  delivery(request: ElicitationRequest): Readonly<Record<"accept" | "decline" | "cancel", AnswerDelivery>>;
}

/** A call did not reach the server, or the server failed. */
export class ChannelError extends Error {
  override readonly name = "ChannelError";
  /** Whether the same call may work later: offline, 429, 5xx. */
  readonly retryable: boolean;
  /** How long the server asked to wait (Retry-After), in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Whether the server has no such route, so that the call need not be made again. */
  readonly notOffered: boolean;

  /** `message` gets `elicit-kit:` in front. A `cause` is what `fetch` threw: no server was reached. */
  constructor(
    message: string,
    options: {
      retryable: boolean;
      retryAfterMs?: number | undefined;
      notOffered?: boolean | undefined;
      cause?: unknown;
    },
  ) {
    super(`elicit-kit: ${message}`, { cause: options.cause });
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
    this.notOffered = options.notOffered === true;
  }
}
