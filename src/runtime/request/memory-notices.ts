import type { ElicitationRecord, NoticeRecords } from "../ports/index.ts";
import {
  NEVER_TOLD,
  NOTICE_RECORDS,
  type NoticeClaim,
  type NoticeTimes,
  type PendingNotice,
  type ToldNotices,
  isToldAnew,
  planNotice,
} from "../ports/notices.ts";
import { deskKey, deskOf } from "./assignment.ts";
import { isEnded } from "./record.ts";

/** The number of users whose notices of the last hour are remembered. */
const MAX_TOLD = 10_000;

/** The notices of {@link createMemoryRecords}. */
export interface MemoryNotices extends NoticeRecords {
  /** Call it with each stored record. */
  put(record: ElicitationRecord): void;
  remove(elicitationId: string): void;
}

export function createMemoryNotices(): MemoryNotices {
  /** The pending notices, in the order in which the records were created. */
  const pending = new Map<string, PendingNotice>();
  const told = new Map<string, ToldNotices>();

  function change({
    record,
    noticeAt,
    noticeId,
  }: Omit<PendingNotice, "noticeAt"> & { noticeAt?: number | undefined }) {
    const { elicitationId } = record.request;
    if (noticeAt === undefined) pending.delete(elicitationId);
    else pending.set(elicitationId, { record, noticeAt, noticeId });
  }

  function remember(desk: string, notices: ToldNotices): void {
    told.delete(desk);
    told.set(desk, notices);
    for (const oldest of told.keys()) {
      if (told.size <= MAX_TOLD) return;
      told.delete(oldest);
    }
  }

  function claimFor(
    desk: string,
    ofDesk: readonly PendingNotice[],
    times: NoticeTimes,
  ): NoticeClaim | undefined {
    const isLive = ({ record }: PendingNotice) => times.now < record.expiresAt;
    const live = ofDesk.filter(isLive);
    const claimed = live.filter(({ noticeId }) => noticeId !== undefined);
    const due = live.filter(({ noticeId, noticeAt }) => noticeId === undefined && noticeAt <= times.now);
    const id = claimed[0]?.noticeId;
    const held =
      id === undefined ? undefined : { id, until: Math.max(...claimed.map((one) => one.noticeAt)) };
    const plan = planNotice({ held, due: due.length }, told.get(desk) ?? NEVER_TOLD, times);
    const { claim, until } = plan;
    for (const one of ofDesk) if (!isLive(one)) change({ ...one, noticeAt: undefined });
    const noticeId = claim?.isNew === true ? claim.id : undefined;
    for (const one of due) change({ ...one, noticeAt: until, noticeId });
    if (claim === undefined) return undefined;
    for (const one of claimed) change({ ...one, noticeAt: until });
    remember(desk, plan.told);
    const all = claim.isNew ? due : claimed;
    const records = all.slice(0, NOTICE_RECORDS).map(({ record }) => record);
    return { id: claim.id, tries: claim.tries, records, count: all.length };
  }

  return {
    put(record) {
      const { elicitationId } = record.request;
      const known = pending.get(elicitationId);
      if (isEnded(record)) pending.delete(elicitationId);
      else if (isToldAnew(record)) change({ record, noticeAt: record.noticeAt });
      else if (known !== undefined) change({ ...known, record });
    },
    remove: (elicitationId) => void pending.delete(elicitationId),
    async postpone({ turnIds, userIds }, { from, until }) {
      const turns = new Set(turnIds);
      const users = new Set(userIds);
      for (const one of pending.values()) {
        // The turn only shows its user that another user decides.
        const { turnId, assigned } = one.record;
        const isShown =
          (turns.has(turnId) && assigned === undefined) || users.has(deskOf(one.record).user ?? "");
        if (isShown && one.noticeAt < from) change({ ...one, noticeAt: until });
      }
    },
    async claim({ limit, ...times }) {
      const due = [...pending.values()].filter(({ noticeAt }) => noticeAt <= times.now);
      const desks = new Set(
        due.toSorted((a, b) => a.noticeAt - b.noticeAt).map(({ record }) => deskKey(deskOf(record))),
      );
      return [...desks].slice(0, limit).flatMap((desk) => {
        const ofDesk = [...pending.values()].filter(({ record }) => deskKey(deskOf(record)) === desk);
        return claimFor(desk, ofDesk, times) ?? [];
      });
    },
    async pending(limit) {
      const next = [...pending.values()].toSorted((a, b) => a.noticeAt - b.noticeAt).slice(0, limit);
      return next.map((one) => ({ ...one, tries: told.get(deskKey(deskOf(one.record)))?.tries ?? 0 }));
    },
    async release({ id }, retryAt) {
      for (const one of [...pending.values()].filter(({ noticeId }) => noticeId === id))
        change({ ...one, noticeAt: retryAt && Math.max(retryAt, one.noticeAt) });
    },
  };
}
