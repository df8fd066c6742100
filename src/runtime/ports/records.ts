import type { ElicitationContent, ElicitationOutcome } from "../../contract/contract.ts";
import type { NoticeRecords } from "./notices.ts";
import type { ElicitationRecord } from "./record.ts";
import type { TurnLease } from "./turn-stream.ts";

/** Stores records. The default is {@link createMemoryRecords}. A database can replace it. */
export interface ElicitationRecords {
  /**
   * Stores a new record, or returns the one that already has its id, unchanged. If the store also has the log of the
   * turn, rejects with {@link TAKEN_OVER} when `lease` is lost. Otherwise a process without a connection could ask a
   * question of a turn that has ended in another process. A record that a remembered answer settles comes with its
   * `settlement`, has already ended, and is never open. For the settlement, the rules of `compareAndSet` apply.
   */
  create(
    record: ElicitationRecord,
    lease?: Pick<TurnLease, "fence">,
    settlement?: Settlement,
  ): Promise<ElicitationRecord>;
  /**
   * Reads a record. It must see the writes of `create` and `compareAndSet`: a stale replica delays answers by up to five
   * seconds.
   */
  get(elicitationId: string): Promise<ElicitationRecord | undefined>;
  /**
   * Stores `next` if the stored record has the revision before it. Returns `false` if another write was first. If the
   * {@link Waiter} uses the same store, `settlement` is stored in the same transaction. Otherwise an answer is lost when
   * the process dies before it calls `settle`. The runtime always calls `settle` afterwards.
   */
  compareAndSet(next: ElicitationRecord, settlement?: Settlement): Promise<boolean>;
  /** The records of a user's conversation that have not ended, oldest first. */
  listOpen(conversationId: string, userId: string): Promise<readonly ElicitationRecord[]>;
  /**
   * Counts a user's records that have neither ended nor expired, over all processes. Without it, `limits.open` of the
   * runtime counts the waiting requests of each process.
   */
  countOpen?(
    conversationId: string,
    userId: string,
  ): Promise<{ readonly inConversation: number; readonly inAll: number }>;
  /** The records of one user in all conversations. Without it, the runtime has no inbox. */
  readonly inbox?: InboxRecords | undefined;
  /** The pending notices for absent users. Required for `notices` of the runtime. */
  readonly notices?: NoticeRecords | undefined;
  /** The records of all users. Required for the operator page. */
  readonly overview?: RecordOverview | undefined;
}

/**
 * Reads the records that wait for one user in all conversations: those of the user that are not `assigned`, and those
 * that are assigned to the user or to one of `groups`.
 */
export interface InboxRecords {
  /**
   * Records that have neither ended nor expired, oldest first: at most `limit`, after the record `after`, which is one of
   * them.
   */
  listOpen(
    userId: string,
    page: {
      readonly limit: number;
      readonly after?: string | undefined;
      readonly groups?: readonly string[] | undefined;
    },
  ): Promise<readonly ElicitationRecord[]>;
  /**
   * Calls `listener` when one of these records was created, changed, reassigned or ended, in any process. The call may be
   * late, repeated or missing, so read the list. Returns an unsubscribe function.
   */
  onChange(userId: string, listener: () => void, groups?: readonly string[]): () => void;
}

/** The result of a wait. `content` is set only for an accepted form, `note` only for a decline. */
export interface Settlement {
  readonly outcome: ElicitationOutcome;
  readonly content?: ElicitationContent | undefined;
  /** What the user wants instead, as free text. */
  readonly note?: string | undefined;
  readonly reason?: string | undefined;
  /** The id of the user who answered, if the request was assigned. */
  readonly by?: string | undefined;
  /** The user left the decision to the agent. */
  readonly delegated?: true | undefined;
}

/**
 * Sends a settlement from the process that won the compare-and-set to all waiting turns, in any process. It also sends
 * nudges, which only signal that a record has changed.
 */
export interface Waiter {
  /**
   * Waits for the settlement of a request. Called before the request is shown, and again with the same id when its turn
   * runs again. All callers get the same settlement. A later call resolves at once. Rejects with the signal's reason when
   * it aborts.
   */
  wait(elicitationId: string, options: { signal: AbortSignal }): Promise<Settlement>;
  /** Called by the process that ended the request, before or after a `wait`. The first settlement counts. */
  settle(elicitationId: string, settlement: Settlement): Promise<void>;
  /** Calls the listeners of this id in every process. The record has changed and is still open. */
  nudge(elicitationId: string): Promise<void>;
  /** Subscribes to nudges. They may be late, repeated or missing, so read the record. Returns an unsubscribe function. */
  onNudge(elicitationId: string, listener: () => void): () => void;
}

/**
 * Keeps unsent form input of users, for surfaces whose clients do not keep it, such as Slack. It is as private as an
 * answer. Surfaces keep no drafts of forms that ask for secrets.
 */
export interface DraftStore {
  /** Stores the draft of a request, replacing the last one. `expiresAt` is in milliseconds since the epoch. */
  set(elicitationId: string, draft: string, expiresAt: number): Promise<void>;
  /** `undefined`: there is none, or it has expired. */
  get(elicitationId: string): Promise<string | undefined>;
  delete(elicitationId: string): Promise<void>;
}

/** Reads the records of all users, for the operator page. The cost of a call must not depend on their number. */
export interface RecordOverview {
  /**
   * At most `limit` records after the record `after`. Open records: the first to expire comes first, and expired ones are
   * left out. Ended records: the last to end comes first.
   */
  list(page: {
    readonly isOpen: boolean;
    readonly limit: number;
    readonly after?: string | undefined;
  }): Promise<readonly ElicitationRecord[]>;
  /** How many records are open, counted up to `most`. */
  countOpen(most: number): Promise<number>;
}

/** Where turns run, for the operator page. */
export interface TurnOverview {
  /** The processes that have turns, and this process. */
  readonly processes: readonly {
    /** Stays the same as long as the process lives. */
    readonly id: string;
    readonly isAlive: boolean;
    readonly isHere: boolean;
    readonly turns: number;
  }[];
  /** The number of waiting turns that are in no process. */
  readonly parked: number;
}
