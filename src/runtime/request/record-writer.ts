import { MAX_ATTEMPTS, failedAnswers } from "../../contract/elicit-result.ts";
import type { ElicitationRecord, ElicitationRecords, Settlement, TurnLease } from "../ports/index.ts";
import type { Clock } from "../../base/clock.ts";
import { sleep } from "../../base/deadlines.ts";
import { isStoreAway } from "../../base/foreign-error.ts";
import { deskOf, isSameAssignee } from "./assignment.ts";
import { ensureUnderstood, isUnderstood } from "./needs.ts";
import { isEnded } from "./record.ts";
import type { RecordNotifier } from "./record-notifier.ts";
import { KitError } from "../../contract/kit-error.ts";

/** About five seconds, including the pauses. */
const MAX_TRIES = 12;
/** The pauses between the tries of `store`, about as long as a call of a turn is tried. Keep it below `SETTLING_MS`. */
const STORE_PAUSES_MS = [100, 500, 2000, 4000, 8000];

/** What ending a record stores besides the outcome. */
export interface EndOptions {
  answerDigest?: string | undefined;
  answerId?: string | undefined;
  /** The provider's name for the connected account, on one short line. */
  account?: string | undefined;
  remembered?: ElicitationRecord["remembered"];
  delegated?: ElicitationRecord["delegated"];
  /** Stores the end in place of the records, together with what belongs to it. */
  compareAndSet?: ((next: ElicitationRecord, settlement: Settlement) => Promise<boolean>) | undefined;
  /** The surface through which the user has ended it. Absent: no user has ended it. */
  through?: string | undefined;
  /**
   * The user who has ended it, if that is not the user who was asked. `name` is the name of the assignee for other users.
   */
  by?: { readonly id: string; readonly name?: string | undefined } | undefined;
  /** Runs if this call ends the request, before the end is announced. If it rejects, the request ends as `failed`. */
  store?: (() => Promise<void>) | undefined;
}

/** The members that say whose request it is, and when it was asked. They never change. */
type Origin = "revision" | "turnId" | "surface" | "conversationId" | "user" | "vouchKey" | "createdAt";

type RecordChanges = Partial<Omit<ElicitationRecord, Origin>>;

/** The changes of a record. A function gets the current record at each try, so that a count survives a race. */
export type RecordPatch = RecordChanges | ((record: ElicitationRecord) => RecordChanges | undefined);

/** Makes all changes of records. Every change is a compare-and-set, and every outcome is announced. */
export interface RecordWriter {
  /**
   * Reads the record. Ends it first if it has expired, so that an expired record never looks open. With `userId`, a
   * record of another user is treated as missing.
   */
  current(elicitationId: string, userId?: string): Promise<ElicitationRecord | undefined>;
  /**
   * Changes an open record without a user and without announcing it. Returns `undefined` if it has ended or is unknown,
   * and changes nothing.
   */
  change(elicitationId: string, patch: RecordPatch): Promise<ElicitationRecord | undefined>;
  /** Like `change`, and announces the change. `through` is the surface, if a user makes the change. */
  progress(
    elicitationId: string,
    patch: RecordPatch,
    through: string | undefined,
  ): Promise<ElicitationRecord | undefined>;
  /**
   * Counts an invalid answer in the record, and ends the request as failed after the last attempt, for protocols that
   * repeat a question by themselves. Returns how many attempts are left, or `undefined` if the request is not open.
   */
  reject(elicitationId: string, problem: string, through: string): Promise<number | undefined>;
  /**
   * Ends an open record and announces the outcome. Returns `false` if it had already ended or was reassigned. Also if it
   * has expired, in which case it ends as expired. A settlement without a user always ends it, but `expired` only if the
   * user has got no more time than `record` has.
   */
  end(record: ElicitationRecord, settlement: Settlement, options?: EndOptions): Promise<boolean>;
  /** Creates a record that a remembered answer or a rule ends, so that it is never open. Announces the outcome. */
  createAnswered(
    record: ElicitationRecord,
    answer: Pick<ElicitationRecord, "usedAnswer" | "answerDigest" | "endedBy" | "reason"> & {
      readonly settlement: Settlement;
    },
    lease: Pick<TurnLease, "fence"> | undefined,
  ): Promise<ElicitationRecord>;
  /** Withdraws the open requests of a turn. */
  withdraw(
    turn: { readonly turnId: string; readonly conversationId: string; readonly userId: string },
    reason: string,
  ): Promise<void>;
}

export function createRecordWriter(options: {
  records: ElicitationRecords;
  notifier: Pick<RecordNotifier, "announceEnd" | "announceProgress">;
  clock: Clock;
}): RecordWriter {
  const { records, notifier, clock } = options;

  const isPast = ({ expiresAt }: ElicitationRecord): boolean => clock.now() >= expiresAt;

  async function current(elicitationId: string, userId?: string): Promise<ElicitationRecord | undefined> {
    const record = await records.get(elicitationId);
    ensureUnderstood(record);
    if (userId !== undefined && record?.user.id !== userId) return undefined;
    if (record === undefined || isEnded(record) || !isPast(record)) return record;
    await end(record, { outcome: "expired" });
    return await records.get(elicitationId);
  }

  async function change(
    elicitationId: string,
    patch: RecordPatch,
    by?: { through: string | undefined },
  ): Promise<ElicitationRecord | undefined> {
    for (let tries = 1; ; tries += 1) {
      const record = await current(elicitationId);
      if (record === undefined || isEnded(record)) return undefined;
      const changes = typeof patch === "function" ? patch(record) : patch;
      if (changes === undefined) return undefined;
      const at = clock.now();
      const changedBy = by && (by.through === undefined ? { at } : byUser(record, by.through, at));
      const next = changedRecord(record, { changedBy, ...changes });
      if (await records.compareAndSet(next)) return next;
      await pauseAfter(tries);
    }
  }

  /** Retries at once after losing a race. Repeated losses mean stale reads, so the pauses grow. */
  async function pauseAfter(tries: number): Promise<void> {
    if (tries >= MAX_TRIES) {
      throw new KitError(
        `elicit-kit: the record of an elicitation could not be changed in ${tries} tries. get() of the records must return what compareAndSet() has stored.`,
      );
    }
    if (tries >= 3) await sleep(clock, 10 * 2 ** (tries - 3));
  }

  async function end(
    record: ElicitationRecord,
    settlement: Settlement,
    { compareAndSet, store, through, by, ...kept }: EndOptions = {},
  ): Promise<boolean> {
    const { elicitationId } = record.request;
    let latest: ElicitationRecord | undefined = record;
    for (let tries = 1; latest !== undefined && !isEnded(latest); tries += 1) {
      // The user may have got more time since the caller read the record.
      if (settlement.outcome === "expired" && latest.expiresAt > record.expiresAt) return false;
      if (settlement.outcome !== "expired" && isPast(latest)) {
        await end(latest, { outcome: "expired" });
        return false;
      }
      // The user was allowed to answer while the request waited for them.
      if (through !== undefined && !isSameAssignee(deskOf(latest), deskOf(record))) return false;
      const { outcome: status, reason } = settlement;
      // The record contains the digest of the answer, never its content.
      const endedAt = clock.now();
      const changedBy =
        through === undefined
          ? undefined
          : { ...byUser(latest, through, endedAt), ...(by && { userId: by.id }) };
      const ended = { ...kept, status, reason, endedAt, changedBy };
      const next = changedRecord(latest, { ...ended, ...(by?.name !== undefined && { endedBy: by.name }) });
      // `store` must run before the settlement, because the waiting turn needs its result.
      const isEnd =
        compareAndSet === undefined
          ? await records.compareAndSet(next, store === undefined ? settlement : undefined)
          : await compareAndSet(next, settlement);
      if (isEnd) {
        await conclude(next, settlement, store);
        return true;
      }
      await pauseAfter(tries);
      latest = await records.get(elicitationId);
    }
    return false;
  }

  /** A sign-in cannot be repeated without the user, so its result is stored also after a short outage. */
  async function stored(store: EndOptions["store"]): Promise<void> {
    for (const pause of [...STORE_PAUSES_MS, undefined]) {
      try {
        return await store?.();
      } catch (error) {
        if (pause === undefined || !isStoreAway(error)) throw error;
        await sleep(clock, pause);
      }
    }
  }

  /** Runs `store` and announces the outcome. If `store` rejects, the request ends as failed and this rejects too. */
  async function conclude(
    ended: ElicitationRecord,
    settlement: Settlement,
    store: EndOptions["store"],
  ): Promise<void> {
    try {
      await stored(store);
    } catch (error) {
      const failed = { outcome: "failed", reason: "the connection could not be stored" } as const;
      const { outcome: status, reason } = failed;
      let next = ended;
      try {
        for (let tries = 1; ; tries += 1) {
          const latest = tries === 1 ? ended : ((await records.get(ended.request.elicitationId)) ?? ended);
          next = changedRecord(latest, { status, reason, account: undefined, changedBy: undefined });
          if (await records.compareAndSet(next)) break;
          await pauseAfter(tries);
        }
      } finally {
        await notifier.announceEnd(next, failed);
      }
      throw error;
    }
    await notifier.announceEnd(ended, settlement);
  }

  return {
    current,
    change: (elicitationId, patch) => change(elicitationId, patch),
    end,
    async progress(elicitationId, patch, through) {
      const changed = await change(elicitationId, patch, { through });
      if (changed !== undefined) await notifier.announceProgress(changed);
      return changed;
    },
    async reject(elicitationId, problem, through) {
      // Two processes that count at the same time get two different numbers.
      const failed: RecordPatch = ({ attempts = 0 }) => ({
        status: "pending",
        lastError: problem,
        attempts: attempts + 1,
      });
      const rejected = await change(elicitationId, failed, { through });
      if (rejected === undefined) return undefined;
      const left = MAX_ATTEMPTS - (rejected.attempts ?? 0);
      if (left > 0) await notifier.announceProgress(rejected);
      else await end(rejected, { outcome: "failed", reason: failedAnswers(problem) });
      return Math.max(0, left);
    },
    async createAnswered(record, { settlement, ...used }, lease) {
      const at = clock.now();
      const { outcome: status } = settlement;
      const changes = {
        ...used,
        status,
        endedAt: at,
        noticeAt: undefined,
        changedBy: used.usedAnswer === undefined ? { at } : byUser(record, "remembered", at),
      };
      const created = await records.create(changedRecord(record, changes), lease, settlement);
      // Not a record of an earlier run that the user has been asked.
      if (created.usedAnswer === used.usedAnswer && created.revision > 0)
        await notifier.announceEnd(created, settlement);
      return created;
    },
    async withdraw({ turnId, conversationId, userId }, reason) {
      const open = await records.listOpen(conversationId, userId);
      const asked = open.filter((record) => record.turnId === turnId && isUnderstood(record));
      await Promise.all(asked.map((record) => end(record, { outcome: "withdrawn", reason })));
    },
  };
}

function byUser({ user }: ElicitationRecord, through: string, at: number) {
  return { userId: user.id, through, at };
}

/** Returns the record with `patch` and the next revision. */
function changedRecord(record: ElicitationRecord, patch: RecordChanges): ElicitationRecord {
  // The cause belongs to the error that it came with.
  const cleared = "lastError" in patch && { lastErrorCause: undefined };
  return { ...record, ...cleared, ...patch, revision: record.revision + 1 };
}
