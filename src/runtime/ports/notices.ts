import type { ElicitationRecord } from "./record.ts";

/**
 * The pending notices of open requests for absent users. A record is due at its `noticeAt`, unless it is postponed. Times
 * are milliseconds since the epoch, on the runtime's clock.
 */
export interface NoticeRecords {
  /**
   * Makes the records of these turns, and all records of these users, due at `until`, if they are due before `from`. It
   * is called often, so implement it in one statement.
   */
  postpone(
    shown: { readonly turnIds: readonly string[]; readonly userIds: readonly string[] },
    times: { readonly from: number; readonly until: number },
  ): Promise<void>;
  /**
   * Claims due records of at most `limit` users. {@link planNotice} decides for each user: all due records get one id, or
   * nothing if the user has another claim with an open record. A claim that is not released is due again at `until`, with
   * the same id and its records that are still open.
   */
  claim(options: NoticeTimes & { readonly limit: number }): Promise<readonly NoticeClaim[]>;
  /** Ends a claim: its records get no further notice, or are due again at `retryAt` unless they are due later. */
  release(claim: NoticeClaim, retryAt?: number): Promise<void>;
  /** At most `limit` open records with a pending notice, the next one first. For the operator page. */
  pending?(limit: number): Promise<readonly TriedNotice[]>;
}

export interface NoticeTimes {
  readonly now: number;
  /** When the claim expires. */
  readonly until: number;
  /** The largest number of notices for one user within an hour. */
  readonly perHour: number;
}

/** One notice for one user, delivered by one process. */
export interface NoticeClaim {
  readonly id: string;
  /** How often it was claimed, including this time. */
  readonly tries: number;
  /** The oldest records, oldest first: at most {@link NOTICE_RECORDS}. */
  readonly records: readonly ElicitationRecord[];
  /** The number of all its records. */
  readonly count: number;
}

/** The largest number of records in a claim. The others are only counted: a group may have thousands. */
export const NOTICE_RECORDS = 100;

/** An open record whose user will still get a notice. */
export interface PendingNotice {
  readonly record: ElicitationRecord;
  readonly noticeAt: number;
  /** The id of the claim that it belongs to. */
  readonly noticeId?: string | undefined;
}

/** `tries`: how often its claim was made. */
export type TriedNotice = PendingNotice & { readonly tries: number };

/** The notices that one user got in the last hour. */
export interface ToldNotices {
  /** When each notice was first claimed, oldest first. */
  readonly times: readonly number[];
  /** How often the last notice was claimed. */
  readonly tries: number;
}

export const NEVER_TOLD: ToldNotices = { times: [], tries: 0 };

/** Whether the last change of a record starts a new notice: it has another user now, or its user is reminded. */
export function isToldAnew({ revision, changedBy }: ElicitationRecord): boolean {
  return revision === 0 || changedBy?.assigned === true || changedBy?.reminded === true;
}

/** The pending notices of one user or group, without those of expired records. */
export interface PendingNotices {
  /** The claim that some of their records belong to. `until`: when the last of these may be claimed again. */
  readonly held?: { readonly id: string; readonly until: number } | undefined;
  /** How many records are due and belong to no claim. */
  readonly due: number;
}

/**
 * What changes for one user or group. Their expired records get no more notices. Those that are due and belong to no claim
 * are due again at `until`, and belong to the claim if it is `isNew`. With a claim, its other records are due again at
 * `until`, too.
 */
export interface NoticePlan {
  readonly claim?: { readonly id: string; readonly tries: number; readonly isNew: boolean } | undefined;
  readonly until: number;
  readonly told: ToldNotices;
}

const HOUR_MS = 60 * 60 * 1000;

/**
 * Decides what a claim changes for one user or group. A store calls it while no other process can claim for them.
 */
export function planNotice(
  { held, due }: PendingNotices,
  told: ToldNotices,
  { now, until, perHour }: NoticeTimes,
): NoticePlan {
  if (held !== undefined) {
    if (held.until > now) return { until: held.until, told };
    const tries = told.tries + 1;
    return { claim: { id: held.id, tries, isNew: false }, until, told: { ...told, tries } };
  }
  if (due === 0) return { until: now, told };
  const times = told.times.filter((at) => at > now - HOUR_MS);
  const oldest = times.at(-perHour);
  if (oldest !== undefined && times.length >= perHour) return { until: oldest + HOUR_MS, told };
  const claim = { id: crypto.randomUUID(), tries: 1, isNew: true };
  return { claim, until, told: { times: [...times, now], tries: 1 } };
}
