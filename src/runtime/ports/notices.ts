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
  /** The records, oldest first. */
  readonly records: readonly ElicitationRecord[];
}

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

/** The changes of a claim for one user. */
export interface NoticePlan {
  readonly claim?: NoticeClaim | undefined;
  /** The changed records. `noticeAt: undefined`: the record gets no more notices. */
  readonly changes: readonly (Omit<PendingNotice, "noticeAt"> & { readonly noticeAt: number | undefined })[];
  readonly told: ToldNotices;
}

const HOUR_MS = 60 * 60 * 1000;

/**
 * Decides what a claim changes for one user. `pending`: all open records of the user with a pending notice, oldest first.
 * A store calls it while no other process can claim for this user.
 */
export function planNotice(
  pending: readonly PendingNotice[],
  told: ToldNotices,
  { now, until, perHour }: NoticeTimes,
): NoticePlan {
  const isLive = ({ record }: PendingNotice) => now < record.expiresAt;
  const live = pending.filter(isLive);
  const claimed = live.filter(({ noticeId }) => noticeId !== undefined);
  const due = live.filter(({ noticeId, noticeAt }) => noticeId === undefined && noticeAt <= now);
  const changesTo =
    (to: Pick<PendingNotice, "noticeId"> & { noticeAt: number | undefined }) =>
    ({ record, noticeId }: PendingNotice) => ({ record, noticeId, ...to });
  const expired = pending.filter((one) => !isLive(one)).map(changesTo({ noticeAt: undefined }));
  const waitUntil = (noticeAt: number): NoticePlan => ({
    changes: [...expired, ...due.map(changesTo({ noticeAt }))],
    told,
  });

  const [held] = claimed;
  if (held?.noticeId !== undefined) {
    const heldUntil = Math.max(...claimed.map(({ noticeAt }) => noticeAt));
    if (heldUntil > now) return waitUntil(heldUntil);
    const tries = told.tries + 1;
    return {
      claim: { id: held.noticeId, tries, records: claimed.map(({ record }) => record) },
      changes: [...expired, ...[...claimed, ...due].map(changesTo({ noticeAt: until }))],
      told: { ...told, tries },
    };
  }
  if (due.length === 0) return waitUntil(now);
  const times = told.times.filter((at) => at > now - HOUR_MS);
  const oldest = times.at(-perHour);
  if (oldest !== undefined && times.length >= perHour) return waitUntil(oldest + HOUR_MS);
  const id = crypto.randomUUID();
  return {
    claim: { id, tries: 1, records: due.map(({ record }) => record) },
    changes: [...expired, ...due.map(changesTo({ noticeAt: until, noticeId: id }))],
    told: { times: [...times, now], tries: 1 },
  };
}
