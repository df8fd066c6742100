import {
  type ElicitationRecords,
  type Settlement,
  type TurnStream,
  type TurnStreamEntry,
  type Waiter,
  type StreamChunk,
  TAKEN_OVER,
} from "../../src/runtime/internal.ts";
import { createDeferred } from "../../src/base/deadlines.ts";
import { createEventBus } from "../../src/base/event-bus.ts";
import { createBatcher } from "../../extras/postgres/database/batcher.ts";
import type { LogMark, SimulatedDatabase } from "./database.ts";
import type { BeginningWait } from "../../extras/postgres/database/keys.ts";
import type { SimulatedProcess } from "./process.ts";

export function simulatedRecords(
  database: SimulatedDatabase,
  process: SimulatedProcess,
  asks: (turnId: string) => BeginningWait | undefined,
): ElicitationRecords {
  return {
    async create(record, lease) {
      const wait = asks(record.turnId);
      const created = await process.call(() => database.createRecord(record, lease?.fence, wait));
      if (created.isNoted) wait?.noted();
      return created.record;
    },
    get: (id) => process.call(() => database.readRecord(id)),
    compareAndSet: (next, settlement) =>
      process.call(() => database.compareAndSet(next, settlement), { isMarked: true }),
    listOpen: (conversationId, userId) => process.call(() => database.openRecords(conversationId, userId)),
  };
}

/** Wakes a wait by a notification, or by a sweep if the notification was lost. */
export function simulatedWaiter(database: SimulatedDatabase, process: SimulatedProcess): Waiter {
  const settled = createEventBus<Settlement>();
  const waiting = new Map<string, number>();
  const nudged = new Set<() => void>();

  async function look(id: string): Promise<void> {
    const settlement = await process.call(() => database.settlementOf(id));
    if (settlement !== undefined) settled.publish(id, settlement);
  }
  process.onSweep(async () => void (await Promise.all([...waiting.keys()].map(look))));
  process.onReconnect(() => {
    for (const listener of nudged) listener();
  });

  return {
    wait: (id, { signal }) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        const lookNow = () => void look(id).catch(() => {});
        const unwatch = process.on("settled", id, lookNow);
        waiting.set(id, (waiting.get(id) ?? 0) + 1);
        const onAbort = () => {
          stop();
          reject(signal.reason);
        };
        const unsubscribe = settled.subscribe(id, (settlement) => {
          stop();
          resolve(settlement);
        });
        function stop(): void {
          unsubscribe();
          unwatch();
          signal.removeEventListener("abort", onAbort);
          const left = (waiting.get(id) ?? 1) - 1;
          if (left === 0) waiting.delete(id);
          else waiting.set(id, left);
        }
        signal.addEventListener("abort", onAbort, { once: true });
        lookNow();
      }),
    settle: (id, settlement) => process.call(() => database.settle(id, settlement)),
    nudge: (id) => process.call(() => database.notify("changed", id)),
    onNudge(id, listener) {
      nudged.add(listener);
      const unwatch = process.on("changed", id, listener);
      return () => {
        nudged.delete(listener);
        unwatch();
      };
    },
  };
}

interface Held {
  readonly fence: number;
  readonly lost: AbortController;
  readonly unwatch: () => void;
}

/** Detects by a notification or a sweep that a lease is lost, and that a log has grown. */
export function simulatedStream(database: SimulatedDatabase, process: SimulatedProcess): TurnStream {
  const held = new Map<string, Held>();
  const readers = new Map<string, Set<() => void>>();
  const lost = () => new Error("another process has taken over this turn");

  function lose(turnId: string): void {
    const lease = held.get(turnId);
    held.delete(turnId);
    lease?.unwatch();
    lease?.lost.abort(TAKEN_OVER);
  }

  async function check(turnId: string): Promise<void> {
    const before = held.get(turnId)?.fence;
    const fence = await process.call(() => database.turns.get(turnId)?.fence);
    const mine = held.get(turnId)?.fence;
    if (mine === before && mine !== fence) lose(turnId);
  }
  process.onSweep(async () => void (await Promise.all([...held.keys()].map(check))));
  process.onSweep(async () => {
    for (const wake of [...readers.values()].flatMap((waking) => [...waking])) wake();
  });

  let count = 0;
  function nextMark(): LogMark {
    count += 1;
    return { origin: process.key, count };
  }
  const write = createBatcher<{ turnId: string; chunk: StreamChunk; fence: number; mark: LogMark }, boolean>(
    (lines) =>
      process.call(() =>
        lines.map(({ turnId, chunk, fence, mark }) => database.append(turnId, chunk, fence, mark)),
      ),
    { max: 1000 },
  );

  async function* read(
    turnId: string,
    { after = -1, live, signal }: Parameters<TurnStream["read"]>[1],
  ): AsyncGenerator<TurnStreamEntry> {
    let position = after;
    while (!signal.aborted) {
      const { promise: news, resolve } = createDeferred<void>();
      const wake = () => resolve();
      const unwatch = process.on("log", turnId, wake);
      const waking = readers.get(turnId) ?? new Set();
      readers.set(turnId, waking.add(wake));
      signal.addEventListener("abort", wake);
      try {
        const from = position;
        const page = await process.call(() => database.page(turnId, from));
        if (page === undefined) return;
        for (const entry of page.entries) {
          if (signal.aborted) return;
          yield entry;
          position = entry.seq;
        }
        if (page.isEnded || !live) return;
        await news;
      } finally {
        signal.removeEventListener("abort", wake);
        unwatch();
        waking.delete(wake);
        if (waking.size === 0) readers.delete(turnId);
      }
    }
  }

  return {
    async open(turn, { replace, run }) {
      const { planned, key, version } = process;
      const first = run && { name: run.name, input: JSON.stringify(run.input), process: key, version };
      if (first !== undefined) planned.add(turn.turnId);
      try {
        return await process.call(() => database.open(turn, replace, first), { isMarked: true });
      } catch (error) {
        planned.delete(turn.turnId);
        throw error;
      }
    },
    get: (turnId) =>
      process.call(() => {
        const stored = database.turns.get(turnId);
        return stored && { ...stored.turn, ended: stored.isEnded };
      }),
    find: (conversationId, userId) => process.call(() => database.lastTurn(conversationId, userId)),
    list: async () => [],
    async lease(turnId, run) {
      const abort = new AbortController();
      const leased = await process.call(() => database.lease(turnId, run));
      if (leased === undefined) {
        abort.abort(TAKEN_OVER);
        return { fence: 0, lost: abort.signal, ended: false };
      }
      const { fence, ended } = leased;
      const known = held.get(turnId);
      if (known !== undefined && known.fence > fence) abort.abort(TAKEN_OVER);
      else {
        lose(turnId);
        const unwatch = process.on("lease", turnId, () => void check(turnId).catch(() => {}));
        held.set(turnId, { fence, lost: abort, unwatch });
      }
      return { fence, lost: abort.signal, ended };
    },
    async append(turnId, chunk, { fence }) {
      if (await write({ turnId, chunk, fence, mark: nextMark() })) return;
      if (held.get(turnId)?.fence === fence) lose(turnId);
      throw lost();
    },
    async discard(turnId, from, { fence }) {
      await write.idle();
      const mark = nextMark();
      if (await process.call(() => database.discard(turnId, from, fence, mark))) return;
      if (held.get(turnId)?.fence === fence) lose(turnId);
      throw lost();
    },
    read,
    async close(turnId, { fence }) {
      await write.idle();
      const isClosed = await process.call(() => database.close(turnId, fence));
      const lease = held.get(turnId);
      if (!isClosed) {
        if (lease?.fence === fence) lose(turnId);
        throw lost();
      }
      if (lease?.fence !== fence) return;
      held.delete(turnId);
      lease.unwatch();
    },
  };
}
