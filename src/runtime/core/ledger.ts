import { REQUEST_PART_TYPE } from "../../protocol/contract.ts";
import type {
  Clock,
  ElicitationRecord,
  ElicitationRecords,
  Settlement,
  StreamChunk,
  Waiter,
} from "./ports.ts";
import { currentRequest, isEnded } from "./record.ts";

export interface LedgerOptions {
  records: ElicitationRecords;
  waiter: Waiter;
  clock: Clock;
  /** Writes a chunk to a turn's log. */
  publish: (turnId: string, chunk: StreamChunk) => void;
}

/** What an ending leaves behind besides the outcome. */
export interface EndOptions {
  answerDigest?: string | undefined;
  /** Runs when this call is the one that ends the request, before anybody is told. */
  store?: (() => Promise<void>) | undefined;
}

/** The one place where records change: every change is a compare-and-set, and every visible one is announced. */
export interface Ledger {
  /** The record, ended first when its time is up: whoever looks, at whatever moment, sees the same. */
  current(elicitationId: string): Promise<ElicitationRecord | undefined>;
  /** Changes an open record. `undefined`: it has ended or is unknown, and nothing was changed. */
  change(elicitationId: string, patch: Partial<ElicitationRecord>): Promise<ElicitationRecord | undefined>;
  /** Ends an open record, tells the stream, wakes who waits. `false`: somebody else was first. */
  end(record: ElicitationRecord, settlement: Settlement, options?: EndOptions): Promise<boolean>;
  /** Writes the request as it is now to its turn's stream. */
  announce(record: ElicitationRecord): void;
}

export function createLedger({ records, waiter, clock, publish }: LedgerOptions): Ledger {
  async function current(elicitationId: string): Promise<ElicitationRecord | undefined> {
    const record = await records.get(elicitationId);
    if (record === undefined || isEnded(record) || clock.now() < record.expiresAt) return record;
    await end(record, { outcome: "expired" });
    return await records.get(elicitationId);
  }

  async function change(
    elicitationId: string,
    patch: Partial<ElicitationRecord>,
  ): Promise<ElicitationRecord | undefined> {
    for (;;) {
      const record = await current(elicitationId);
      if (record === undefined || isEnded(record)) return undefined;
      const next = { ...record, ...patch, revision: record.revision + 1 };
      if (await records.compareAndSet(next)) return next;
    }
  }

  async function end(
    record: ElicitationRecord,
    { outcome, content, reason }: Settlement,
    { answerDigest, store }: EndOptions = {},
  ): Promise<boolean> {
    const { elicitationId } = record.request;
    let latest: ElicitationRecord | undefined = record;
    while (latest !== undefined && !isEnded(latest)) {
      const revision = latest.revision + 1;
      const next = { ...latest, revision, status: outcome, reason, answerDigest, endedAt: clock.now() };
      if (await records.compareAndSet(next)) {
        try {
          await store?.();
        } finally {
          announce(next);
          await waiter.settle(elicitationId, { outcome, content, reason });
        }
        return true;
      }
      latest = await records.get(elicitationId);
    }
    return false;
  }

  function announce(record: ElicitationRecord): void {
    const data = currentRequest(record);
    const chunk = { type: REQUEST_PART_TYPE, id: data.elicitationId, data };
    publish(record.turnId, chunk);
  }

  return { current, change, end, announce };
}
