import type { ElicitationContent, ElicitationOutcome } from "../../contract/contract.ts";
import type { NoticeRecords } from "./notices.ts";
import type { RecordOverview } from "./overview.ts";
import type { ElicitationRecord } from "./record.ts";
import type { TurnLease } from "./turn-stream.ts";

/** Stores records. The default is {@link createMemoryRecords}; a database can replace it. */
export interface ElicitationRecords {
  /**
   * Stores a new record, or returns the one that already has its id, unchanged. If the store also has the log of the turn,
   * rejects with {@link TAKEN_OVER} when `lease` is lost: otherwise a process that was cut off could ask a question of a turn
   * that has ended elsewhere.
   */
  create(record: ElicitationRecord, lease?: Pick<TurnLease, "fence">): Promise<ElicitationRecord>;
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
  /** The records of all users. Needed for the operator page. */
  readonly overview?: RecordOverview | undefined;
}

/**
 * Reads the records that wait for one user, whatever the conversation: those of the user that are not `assigned`, and those
 * that are assigned to the user or to one of `groups`.
 */
export interface InboxRecords {
  /** Records that have not ended, oldest first: at most `limit`, those behind the record `after`, which is one of them. */
  listOpen(
    userId: string,
    page: {
      readonly limit: number;
      readonly after?: string | undefined;
      readonly groups?: readonly string[] | undefined;
    },
  ): Promise<readonly ElicitationRecord[]>;
  /**
   * Calls `listener` when one of these records was created, changed, assigned to somebody else or ended, in any process. It
   * may come late, twice or not at all, so read the list. Returns an unsubscribe function.
   */
  onChange(userId: string, listener: () => void, groups?: readonly string[]): () => void;
}

/** The result of a wait. `content` is set only for an accepted form, `note` only for a decline. */
export interface Settlement {
  readonly outcome: ElicitationOutcome;
  readonly content?: ElicitationContent | undefined;
  /** What the user wants instead, in their words. */
  readonly note?: string | undefined;
  readonly reason?: string | undefined;
  /** The id of the user who answered, if it was assigned. */
  readonly by?: string | undefined;
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
