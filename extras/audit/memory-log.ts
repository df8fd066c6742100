import { type Clock, systemClock } from "../../src/base/clock.ts";
import { createWorkQueue } from "../../src/base/work-queue.ts";
import { KitError } from "../../src/contract/kit-error.ts";
import type { ElicitationRecords } from "../../src/runtime/internal.ts";
import {
  type Decision,
  type DecisionEntry,
  askedRecord,
  entryOf,
  type ChainEnd,
  NO_DIGEST,
  chain,
} from "./decision.ts";
import type { DecisionLog } from "./log.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** A {@link DecisionLog} of one process. Created by {@link createMemoryDecisionLog}. */
export interface MemoryDecisionLog extends DecisionLog {
  /** Wraps the records of a runtime so that each change of a request becomes a row. */
  watch(records: ElicitationRecords): ElicitationRecords;
}

/**
 * Keeps the decision log of one process in memory, for tests and development. It holds no content. A log that outlives its
 * process is `decisionLog` of `createPostgresPorts`.
 *
 * @example
 * const decisions = createMemoryDecisionLog();
 * const records = decisions.watch(createMemoryRecords()); // for createRuntime
 * const rows = await decisions.read({ limit: 100 });
 */
export function createMemoryDecisionLog(
  options: {
    clock?: Clock | undefined;
    /** Removes rows after so many days. @default undefined: none */
    keepDays?: number | undefined;
    /** Removes the oldest rows beyond this number. @default 100_000 */
    limit?: number | undefined;
  } = {},
): MemoryDecisionLog {
  const { clock = systemClock, keepDays, limit = 100_000 } = options;
  if (keepDays !== undefined && !(keepDays > 0)) {
    throw new KitError(
      `elicit-kit: keepDays of createMemoryDecisionLog must be a positive number of days, but it is: ${keepDays}. Leave it out to keep all rows up to the limit.`,
    );
  }
  if (!(limit >= 1)) {
    throw new KitError(
      `elicit-kit: limit of createMemoryDecisionLog must be a number of rows from 1, but it is: ${limit}. Leave it out to keep 100,000 rows.`,
    );
  }
  let rows: readonly Decision[] = [];
  const waiting: DecisionEntry[] = [];
  let end: ChainEnd = { seq: 0, digest: NO_DIGEST };
  /** Each row needs the digest of the row before it. */
  const queued = createWorkQueue();

  async function chainWaiting(): Promise<void> {
    const entries = [...waiting];
    if (entries.length > 0) {
      const chained = await chain(end, entries);
      waiting.splice(0, entries.length);
      end = chained.end;
      rows = [...rows, ...chained.rows].slice(-limit);
    }
    if (keepDays !== undefined) removeBefore(clock.now() - keepDays * DAY_MS);
  }

  /**
   * Rows are chained when the log is read, so that answers do not wait for it. The entries of a failed call keep waiting,
   * and the next call tries again.
   */
  const current = (): Promise<void> => queued(chainWaiting);

  function removeBefore(before: number): number {
    const kept = rows.findIndex(({ at }) => Date.parse(at) >= before);
    const removed = kept === -1 ? rows.length : kept;
    if (removed > 0) rows = rows.slice(removed);
    return removed;
  }

  function add(entry: DecisionEntry | undefined): void {
    if (entry === undefined) return;
    waiting.push(entry);
    // Readers of the log get the error.
    if (waiting.length >= limit) current().catch(() => {});
  }

  return {
    async read({ after = 0, limit: most, from, to, userId }) {
      await current();
      const chosen = rows.filter(({ seq, at, userId: owner }) => {
        const ms = Date.parse(at);
        if (seq <= after || (userId !== undefined && owner !== userId)) return false;
        return (from === undefined || ms >= from) && (to === undefined || ms < to);
      });
      return chosen.slice(0, most);
    },
    async head() {
      await current();
      return { ...end, first: rows[0]?.seq ?? end.seq + 1, waiting: 0, isStartProven: true };
    },
    async prune(before) {
      await current();
      return removeBefore(before);
    },
    watch(records) {
      const { countOpen } = records;
      return {
        async create(record, lease, settlement) {
          const asked = await entryOf(askedRecord(record));
          const answered = record.revision === 0 ? undefined : await entryOf(record);
          const stored = await records.create(record, lease, settlement);
          // If the record was known, `create` has returned it with its earlier key.
          if (stored.vouchKey !== record.vouchKey || stored.revision !== record.revision) return stored;
          add(asked);
          add(answered);
          return stored;
        },
        async compareAndSet(next, settlement) {
          const entry = await entryOf(next);
          const isStored = await records.compareAndSet(next, settlement);
          if (isStored) add(entry);
          return isStored;
        },
        get: (elicitationId) => records.get(elicitationId),
        listOpen: (conversationId, userId) => records.listOpen(conversationId, userId),
        ...(countOpen !== undefined && { countOpen: countOpen.bind(records) }),
        inbox: records.inbox,
        notices: records.notices,
        overview: records.overview,
      };
    },
  };
}
