import { systemClock } from "../shared/clock.ts";
import { createEventBus } from "../shared/event-bus.ts";
import type { Clock, Settlement, Waiter } from "../ports.ts";

/** As long as a request is open by default: who runs a turn again does it by then. */
const KEEP_SETTLED_MS = 10 * 60 * 1000;

/**
 * Waits in this process; a restart loses them. A settlement, and with it what the person has typed, is given for ten
 * minutes to who begins to wait only then, the newest `limit` of them. What is older goes with the next wait or end.
 */
export function createMemoryWaiter(
  options: { clock?: Clock | undefined; limit?: number | undefined } = {},
): Waiter {
  const { clock = systemClock, limit = 1000 } = options;
  const waiting = new Map<string, Set<(settlement: Settlement) => void>>();
  /** In the order of their ends. */
  const settled = new Map<string, { settlement: Settlement; at: number }>();
  const nudges = createEventBus<undefined>();

  function known(elicitationId: string): Settlement | undefined {
    const now = clock.now();
    for (const [oldest, { at }] of settled) {
      if (now - at < KEEP_SETTLED_MS && settled.size <= limit) break;
      settled.delete(oldest);
    }
    return settled.get(elicitationId)?.settlement;
  }

  return {
    wait(elicitationId, { signal }) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        const past = known(elicitationId);
        if (past !== undefined) {
          resolve(past);
          return;
        }
        const listeners = waiting.get(elicitationId) ?? new Set();
        waiting.set(elicitationId, listeners);
        const listener = (settlement: Settlement) => {
          signal.removeEventListener("abort", onAbort);
          resolve(settlement);
        };
        const onAbort = () => {
          listeners.delete(listener);
          if (listeners.size === 0) waiting.delete(elicitationId);
          reject(signal.reason);
        };
        listeners.add(listener);
        signal.addEventListener("abort", onAbort, { once: true });
      });
    },
    async settle(elicitationId, settlement) {
      if (known(elicitationId) !== undefined) return;
      settled.set(elicitationId, { settlement, at: clock.now() });
      const listeners = waiting.get(elicitationId) ?? [];
      waiting.delete(elicitationId);
      for (const listener of listeners) listener(settlement);
    },
    nudge: async (elicitationId) => nudges.publish(elicitationId, undefined),
    onNudge: (elicitationId, listener) => nudges.subscribe(elicitationId, listener),
  };
}
