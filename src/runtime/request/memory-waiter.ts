import { systemClock, type Clock } from "../../base/clock.ts";
import { createEventBus } from "../../base/event-bus.ts";
import type { Settlement, Waiter } from "../ports/index.ts";

/** The default lifetime of a request. A turn that runs again does so within this time. */
const KEEP_SETTLED_MS = 10 * 60 * 1000;

/**
 * Keeps waits in memory. A restart loses them. A settlement, including the content of the answer, is kept for ten minutes
 * for callers that start to wait later. A timer then deletes it. At most the newest `limit` settlements are kept.
 */
export function createMemoryWaiter(
  options: {
    clock?: Clock | undefined;
    /** @default 1000 */
    limit?: number | undefined;
  } = {},
): Waiter {
  const { clock = systemClock, limit = 1000 } = options;
  const settlements = createEventBus<Settlement>();
  /** Settlements in the order in which they were made. `cancel` cancels the timer. */
  const settled = new Map<string, { settlement: Settlement; cancel: () => void }>();
  const nudges = createEventBus<undefined>();

  function keep(elicitationId: string, settlement: Settlement): void {
    // The timers of the clock do not keep the process alive.
    const cancel = clock.after(KEEP_SETTLED_MS, () => void settled.delete(elicitationId));
    settled.set(elicitationId, { settlement, cancel });
    for (const [oldest, entry] of settled) {
      if (settled.size <= limit) return;
      entry.cancel();
      settled.delete(oldest);
    }
  }

  return {
    wait(elicitationId, { signal }) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        const past = settled.get(elicitationId)?.settlement;
        if (past !== undefined) {
          resolve(past);
          return;
        }
        const onAbort = () => {
          stop();
          reject(signal.reason);
        };
        const stop = settlements.subscribe(elicitationId, (settlement) => {
          stop();
          signal.removeEventListener("abort", onAbort);
          resolve(settlement);
        });
        signal.addEventListener("abort", onAbort, { once: true });
      });
    },
    async settle(elicitationId, settlement) {
      if (settled.has(elicitationId)) return;
      keep(elicitationId, settlement);
      settlements.publish(elicitationId, settlement);
    },
    nudge: async (elicitationId) => nudges.publish(elicitationId, undefined),
    onNudge: (elicitationId, listener) => nudges.subscribe(elicitationId, listener),
  };
}
