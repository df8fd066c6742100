import type { Clock, ElicitationRecord, ElicitationRecords } from "../ports.ts";
import { isEnded } from "./record.ts";
import { systemClock } from "../shared/clock.ts";

const KEEP_ENDED_MS = 24 * 60 * 60 * 1000;
const SWEEP_EVERY_MS = 2 * 60 * 1000;

/**
 * Records in this process. Ended ones are kept 24 hours; past `limit` the oldest ended ones go first, and when all are
 * open, `create` throws. Sweeps when used, every two minutes: no timer, nothing to close.
 */
export function createMemoryRecords(
  options: { clock?: Clock | undefined; limit?: number | undefined } = {},
): ElicitationRecords {
  const { clock = systemClock, limit = 10_000 } = options;
  const records = new Map<string, ElicitationRecord>();
  let sweptAt = clock.now();

  function sweep(now: number) {
    if (now - sweptAt < SWEEP_EVERY_MS) return;
    sweptAt = now;
    for (const [id, record] of records) {
      // A record that nobody ended in time counts as ended when it expired.
      if ((record.endedAt ?? record.expiresAt) + KEEP_ENDED_MS <= now) records.delete(id);
    }
  }

  function makeRoom() {
    if (records.size < limit) return;
    for (const [id, record] of records) {
      if (!isEnded(record)) continue;
      records.delete(id);
      return;
    }
    throw new Error(
      `elicit-kit: ${limit} elicitations are open, no more can be asked. Raise the limit of the records.`,
    );
  }

  return {
    async create(record) {
      sweep(clock.now());
      const known = records.get(record.request.elicitationId);
      if (known !== undefined) return known;
      makeRoom();
      records.set(record.request.elicitationId, record);
      return record;
    },
    async get(elicitationId) {
      sweep(clock.now());
      return records.get(elicitationId);
    },
    async compareAndSet(next) {
      const id = next.request.elicitationId;
      if (records.get(id)?.revision !== next.revision - 1) return false;
      records.set(id, next);
      return true;
    },
    async listOpen(conversationId, userId) {
      return [...records.values()].filter(
        (record) => record.conversationId === conversationId && record.user.id === userId && !isEnded(record),
      );
    },
  };
}
