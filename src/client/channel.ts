import type {
  Assignee,
  AssigneeList,
  ContentError,
  ElicitationAnswer,
  ElicitationOutcome,
  ElicitationRequest,
  StatusReport,
} from "../contract/contract.ts";

/** An event from a channel to the client. The same request may arrive many times. The client merges by id. */
export type ChannelEvent =
  /** A request, or the same one again with `progress` or `resolution`. */
  | { type: "request"; conversationId: string; request: ElicitationRequest }
  /** Whether a stream of this conversation is being read. Such a stream contains the outcome of each request. */
  | { type: "live"; conversationId: string; live: boolean };

/** The server's reaction to one answer. A network failure is not a receipt: the channel throws a `ChannelError`. */
export type AnswerReceipt = { elicitationId: string } &
  /** The request has ended. `differs`: it had already ended in another way. */
  (
    | { kind: "settled"; outcome: ElicitationOutcome; differs?: boolean | undefined }
    /** The server took the accept as consent. The request ends later. */
    | { kind: "consented" }
    /** The accept means completion, which the server has not confirmed yet. The request is still open. */
    | { kind: "pending"; lastError?: string | undefined; byUser?: boolean | undefined }
    /** The server refused this answer. Sending it again would not help. */
    | { kind: "refused"; status: number; message: string; errors?: readonly ContentError[] | undefined }
    /** The server has no such request for this user, or no longer has it. */
    | { kind: "gone" }
  );

/**
 * Where an answer is sent: to the server (`send`), or nowhere because it only closes the card (`local`). `unsupported`:
 * the protocol has no such answer.
 */
export type AnswerDelivery = "send" | "local" | "unsupported";

/**
 * The result of a reminder. `retryAfterMs`: the last notice was too recent, and another can be sent after that time.
 */
export interface Reminder {
  sent: boolean;
  retryAfterMs?: number | undefined;
}

/** Options for every call of a channel. */
export interface ChannelCallOptions {
  /** Aborts the call, which rejects with the signal's reason. Effects on the server are not undone. */
  signal: AbortSignal;
}

/**
 * The client's only interface to a server: it delivers requests and sends answers. There is one implementation for each
 * protocol: the contract's HTTP routes, an MCP session, an A2A task.
 */
export interface Channel {
  /**
   * Calls `listener` for each event from now on. A channel that keeps the open requests itself, such as those of MCP,
   * A2A, ACP and AG-UI, first calls it for each open request. Returns a function that unsubscribes.
   */
  subscribe(listener: (event: ChannelEvent) => void): () => void;
  /**
   * Sends the answers of one round (usually one answer). Resolves with their receipts, in the same order. Throws
   * `ChannelError` if they could not be delivered.
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
   * Vouches for the user to a hosted page with this `challenge` (contract, section 6). Resolves with a ticket for the
   * page. Throws `ChannelError` if the server refuses.
   */
  bind?(elicitationId: string, challenge: string, options: ChannelCallOptions): Promise<string>;
  /**
   * Reads values for the fields of a form from a sentence of the user, for forms with `context.takesSentence`. The client
   * checks them. Throws `ChannelError`.
   */
  propose?(elicitationId: string, text: string, options: ChannelCallOptions): Promise<unknown>;
  /**
   * Assigns a form to another user or group, or with `null` back to the user whose agent asks. Resolves with the
   * assignee, or with `undefined` if that is this user. Throws `ChannelError`.
   */
  assign?(
    elicitationId: string,
    to: Assignee | null,
    options: ChannelCallOptions,
  ): Promise<ElicitationRequest["assignee"]>;
  /** Reads the users and groups to which the user who decides a form may give it. Throws `ChannelError`. */
  assignees?(elicitationId: string, options: ChannelCallOptions): Promise<AssigneeList["assignees"]>;
  /** Sends the assignee of a request another notice. Throws `ChannelError`. */
  remind?(elicitationId: string, options: ChannelCallOptions): Promise<Reminder>;
  /** Asks the server for more time for a request. Throws `ChannelError`. */
  extend?(elicitationId: string, options: ChannelCallOptions): Promise<void>;
  /** Deletes a remembered answer. `remembered` is the value from the resolution of a request. Throws `ChannelError`. */
  forget?(remembered: string, options: ChannelCallOptions): Promise<void>;
  /**
   * Reads a path below the base of the contract's routes, for routes without their own function, such as the inbox. With a
   * `body`, posts it as JSON. Throws `ChannelError` when no server replies, and for 429 and 5xx.
   */
  read?(
    path: string,
    options: ChannelCallOptions & { accept?: string | undefined; body?: unknown },
  ): Promise<Response>;
  /** Where the answers to this request are sent, by action. Read for each answer. */
  delivery(request: ElicitationRequest): Readonly<Record<"accept" | "decline" | "cancel", AnswerDelivery>>;
}

/** A call did not reach the server, or the server failed. */
export class ChannelError extends Error {
  override readonly name = "ChannelError";
  /** Whether the same call may work later: offline, 429, 5xx, or a 404 that is not the server's own. */
  readonly retryable: boolean;
  /** How long the server asked the client to wait (Retry-After), in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /**
   * Whether the server seems to have no such route. A list is then not read again. Other calls are tried for a minute if the
   * error is `retryable`.
   */
  readonly notOffered: boolean;

  /** `message` gets the prefix `elicit-kit:`. With a `cause`, `fetch` threw it: no server was reached. */
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
