import type { ElicitationContent, ElicitationOutcome, ElicitationRequest } from "../../contract/contract.ts";
import type { User } from "../../base/identity.ts";
import type { NoticeRecords } from "./notices.ts";

/**
 * The tool that asks. `id` identifies the connection whose credential it needs, or the tool itself. A refusal applies to
 * this id for the rest of the turn. `name` is the tool's name for the model.
 */
export interface ToolRef {
  readonly id: string;
  readonly name: string;
}

/**
 * The server that a request to connect an account is about, and what it said when it refused a call. The hosted page
 * reads from it where the user signs in. The words are a stranger's.
 */
export interface SignInTarget {
  /** URL of the MCP server. */
  readonly url: string;
  /** Its name for users. */
  readonly service: string;
  /** Where it says its metadata is (RFC 9728). */
  readonly resourceMetadata?: string | undefined;
  /** The scopes to ask for, space-separated. */
  readonly scope?: string | undefined;
}

/**
 * The stored state of one request, kept until 24 hours after its end, and while its turn is open. Plain data: a store may serialise it as JSON. It
 * never contains what the user typed, only a digest that tells a repeated answer from a different one. The key of the
 * digest is not in the record (`answerKey` of the runtime).
 */
export interface ElicitationRecord {
  /** Incremented with every change. Compared by `compareAndSet`. */
  readonly revision: number;
  /** The request as it was asked, without `progress` and `resolution`, which follow from the fields below. */
  readonly request: ElicitationRequest;
  /** The turn whose stream shows the request. For a delegated agent, the turn that the user started. */
  readonly turnId: string;
  /** Kind of the surface that the turn came through, such as `chat`. */
  readonly surface: string;
  readonly conversationId: string;
  readonly user: User;
  readonly tool?: ToolRef | undefined;
  /** Never sent to clients. */
  readonly signIn?: SignInTarget | undefined;
  /** Origin of the chat, if it is allowed. A hosted page may post its hints there. */
  readonly chatOrigin?: string | undefined;
  /** Where the chat wants the user to return to. Not validated: the hosted page has its own allow-list. */
  readonly returnUrl?: string | undefined;
  /** Milliseconds since the epoch, on the server's clock. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** When its absent user first gets a notice. Later times are in the store (`notices`). Absent: never. */
  readonly noticeAt?: number | undefined;
  readonly status: "pending" | "consented" | ElicitationOutcome;
  /** Why the last attempt on the page failed. */
  readonly lastError?: string | undefined;
  /** How many invalid answers protocols with a limit of attempts have taken. @default 0 */
  readonly attempts?: number | undefined;
  /**
   * 32 random bytes as base64url. Tickets and proofs of the hosted page are MACs under it (contract, section 6). Keep it
   * from clients and logs, like a password.
   */
  readonly vouchKey: string;
  readonly endedAt?: number | undefined;
  readonly reason?: string | undefined;
  /** What the provider calls the account that was connected. Shown to the user. */
  readonly account?: string | undefined;
  readonly answerDigest?: string | undefined;
  /** The user who made the last change, through a surface such as `chat`, `slack` or `page`. Absent: no user made it. */
  readonly changedBy?: { readonly userId: string; readonly through: string; readonly at: number } | undefined;
}

/** Stores records. The default is {@link createMemoryRecords}; a database can replace it. */
export interface ElicitationRecords {
  /** Stores a new record, or returns the one that already has its id, unchanged. */
  create(record: ElicitationRecord): Promise<ElicitationRecord>;
  /**
   * Reads a record. Must see the writes of `create` and `compareAndSet`: a stale replica delays answers by up to five
   * seconds.
   */
  get(elicitationId: string): Promise<ElicitationRecord | undefined>;
  /**
   * Stores `next` if the stored record has the revision before it. Returns `false` if another write was first. If the
   * store is also that of the {@link Waiter}, it stores `settlement` in the same transaction: otherwise an answer is lost
   * when the process dies before it calls `settle`. The runtime always calls `settle` afterwards.
   */
  compareAndSet(next: ElicitationRecord, settlement?: Settlement): Promise<boolean>;
  /** The records of a user's conversation that have not ended, oldest first. */
  listOpen(conversationId: string, userId: string): Promise<readonly ElicitationRecord[]>;
  /**
   * Counts a user's records that have not ended, of all processes. Without it, `maxOpen` of the runtime counts the
   * requests that wait in each process.
   */
  countOpen?(
    conversationId: string,
    userId: string,
  ): Promise<{ readonly inConversation: number; readonly inAll: number }>;
  /** The records of one user in all conversations. Without it, the runtime has no inbox. */
  readonly inbox?: InboxRecords | undefined;
  /** The notices that absent users still get. Needed for `onWaiting` of the runtime. */
  readonly notices?: NoticeRecords | undefined;
}

/** Reads the records of one user, whatever the conversation. */
export interface InboxRecords {
  /** Records that have not ended, oldest first: at most `limit`, those behind the user's record `after`. */
  listOpen(
    userId: string,
    page: { readonly limit: number; readonly after?: string | undefined },
  ): Promise<readonly ElicitationRecord[]>;
  /**
   * Calls `listener` when a record of the user was created, changed or ended, in any process. It may come late, twice or
   * not at all, so read the list. Returns an unsubscribe function.
   */
  onChange(userId: string, listener: () => void): () => void;
}

/** The result of a wait. `content` is set only for an accepted form, `note` only for a decline. */
export interface Settlement {
  readonly outcome: ElicitationOutcome;
  readonly content?: ElicitationContent | undefined;
  /** What the user wants instead, in their words. */
  readonly note?: string | undefined;
  readonly reason?: string | undefined;
}

/**
 * Carries a settlement from the process that won the compare-and-set to all waiting turns, in any process. Also carries
 * nudges, which only say that a record has changed.
 */
export interface Waiter {
  /**
   * Waits for the settlement of a request. Called before the request is shown, and again with the same id when its turn
   * runs again. All callers get the same settlement; a call after it resolves at once. Rejects with the signal's reason
   * when it aborts.
   */
  wait(elicitationId: string, options: { signal: AbortSignal }): Promise<Settlement>;
  /** Called by the process that ended the request, before or after a `wait`. The first settlement counts. */
  settle(elicitationId: string, settlement: Settlement): Promise<void>;
  /** Calls the listeners of this id in every process. The record has changed and is still open. */
  nudge(elicitationId: string): Promise<void>;
  /** Subscribes to nudges. They may come late, twice or not at all, so read the record. Returns an unsubscribe function. */
  onNudge(elicitationId: string, listener: () => void): () => void;
}

/**
 * Keeps what users have typed into a form and not sent, for surfaces whose clients forget it, such as Slack. Private like
 * the answer; surfaces keep no drafts of forms that ask for secrets.
 */
export interface DraftStore {
  /** Stores the draft of a request in place of the one before. `expiresAt` in milliseconds since the epoch. */
  set(elicitationId: string, draft: string, expiresAt: number): Promise<void>;
  /** `undefined`: there is none, or it has expired. */
  get(elicitationId: string): Promise<string | undefined>;
  delete(elicitationId: string): Promise<void>;
}
