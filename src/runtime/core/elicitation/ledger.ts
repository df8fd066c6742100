import type { ElicitationRequest } from "../../../protocol/contract.ts";
import { sleep } from "../shared/clock.ts";
import type { Clock, ElicitationRecord, ElicitationRecords, Settlement, Waiter } from "../ports.ts";
import { currentRequest, isEnded } from "./record.ts";
import type { Observer } from "./telemetry.ts";

/** With the pauses between them five seconds. */
const MAX_TRIES = 12;

export interface LedgerOptions {
  records: ElicitationRecords;
  waiter: Waiter;
  clock: Clock;
  /** Tells the stream that the request belongs to how it is now. Must not throw. */
  publish: (streamRequestId: string, request: ElicitationRequest) => void;
  observer: Pick<Observer, "changed">;
}

/** What an ending leaves behind besides the outcome. */
export interface EndOptions {
  answerDigest?: string | undefined;
  /** Runs when this call is the one that ends the request, before anybody is told. When it rejects, that is `failed`. */
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
  /** Withdraws what is still open of what a turn has asked. */
  withdraw(
    turn: { readonly turnId: string; readonly conversationId: string; readonly userId: string },
    reason: string,
  ): Promise<void>;
  /** Wakes who still waits for a request whose record has ended. Of several settlements the first counts. */
  settle(elicitationId: string, settlement: Settlement): Promise<void>;
  /** Tells the request's stream how it is now. */
  announce(record: ElicitationRecord): void;
  /** For who waits for a request in this process, which owns its stream. */
  follow(elicitationId: string): Following;
}

export interface Following {
  /** After the end: tells it to the stream when another process has ended the request, which cannot reach this stream. */
  catchUp(): Promise<void>;
  stop(): void;
}

export function createLedger({ records, waiter, clock, publish, observer }: LedgerOptions): Ledger {
  /** Requests that this process waits for and has not told the end of. */
  const untold = new Set<string>();

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
    for (let tries = 1; ; tries += 1) {
      const record = await current(elicitationId);
      if (record === undefined || isEnded(record)) return undefined;
      const next = { ...record, ...patch, revision: record.revision + 1 };
      if (await records.compareAndSet(next)) return next;
      await pauseAfter(tries);
    }
  }

  /** Who was beaten to it looks again at once; who is so again and again reads records that lag behind. */
  async function pauseAfter(tries: number): Promise<void> {
    if (tries >= MAX_TRIES) {
      throw new Error(
        `elicit-kit: the record of an elicitation could not be changed in ${tries} tries. The get() of the records must return what their compareAndSet() has stored.`,
      );
    }
    if (tries >= 3) await sleep(clock, 10 * 2 ** (tries - 3));
  }

  async function end(
    record: ElicitationRecord,
    { outcome, content, reason }: Settlement,
    { answerDigest, store }: EndOptions = {},
  ): Promise<boolean> {
    const { elicitationId } = record.request;
    let latest: ElicitationRecord | undefined = record;
    for (let tries = 1; latest !== undefined && !isEnded(latest); tries += 1) {
      const revision = latest.revision + 1;
      const next = { ...latest, revision, status: outcome, reason, answerDigest, endedAt: clock.now() };
      if (await records.compareAndSet(next)) {
        await conclude(next, { outcome, content, reason }, store);
        return true;
      }
      await pauseAfter(tries);
      latest = await records.get(elicitationId);
    }
    return false;
  }

  /** An end that leaves nothing to go on with has failed, whatever it was about to be. Rejects as `store` does. */
  async function conclude(
    ended: ElicitationRecord,
    settlement: Settlement,
    store: EndOptions["store"],
  ): Promise<void> {
    try {
      await store?.();
    } catch (error) {
      const failed: Settlement = { outcome: "failed", reason: "the connection could not be stored" };
      const next = { ...ended, revision: ended.revision + 1, status: failed.outcome, reason: failed.reason };
      try {
        await records.compareAndSet(next);
      } finally {
        await tell(next, failed);
      }
      throw error;
    }
    await tell(ended, settlement);
  }

  async function tell(record: ElicitationRecord, settlement: Settlement): Promise<void> {
    announce(record);
    await waiter.settle(record.request.elicitationId, settlement);
  }

  const withdraw: Ledger["withdraw"] = async ({ turnId, conversationId, userId }, reason) => {
    const open = await records.listOpen(conversationId, userId);
    const asked = open.filter((record) => record.turnId === turnId);
    await Promise.all(asked.map((record) => end(record, { outcome: "withdrawn", reason })));
  };

  function announce(record: ElicitationRecord): void {
    if (isEnded(record)) untold.delete(record.request.elicitationId);
    publish(record.turnId, currentRequest(record));
    observer.changed(record);
  }

  function follow(elicitationId: string): Following {
    untold.add(elicitationId);
    return {
      stop: () => void untold.delete(elicitationId),
      async catchUp() {
        if (!untold.delete(elicitationId)) return;
        const record = await records.get(elicitationId);
        // Counted and logged by the process that has ended it.
        if (record !== undefined && isEnded(record)) publish(record.turnId, currentRequest(record));
      },
    };
  }

  return {
    current,
    change,
    end,
    withdraw,
    settle: (elicitationId, settlement) => waiter.settle(elicitationId, settlement),
    announce,
    follow,
  };
}
