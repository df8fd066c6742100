import { systemClock } from "../shared/clock.ts";
import { createEventBus } from "../shared/event-bus.ts";
import type { Clock, Settlement, Waiter } from "../ports.ts";

/** As long as a request is open by default: who runs a turn again does it by then. */
const KEEP_SETTLED_MS = 10 * 60 * 1000;

/**
 * Waits in this process; a restart loses them. A settlement, and with it what the person has typed, is given for ten
 * minutes to who begins to wait only then, the newest `limit` of them. Then it is let go of, whatever else happens.
 */
export function createMemoryWaiter(
  options: { clock?: Clock | undefined; limit?: number | undefined } = {},
): Waiter {
  const { clock = systemClock, limit = 1000 } = options;
  const settlements = createEventBus<Settlement>();
  /** In the order of their ends, each with what calls off its timer. */
  const settled = new Map<string, { settlement: Settlement; callOff: () => void }>();
  const nudges = createEventBus<undefined>();

  function keep(elicitationId: string, settlement: Settlement): void {
    // The timers of the clock keep no process alive.
    const callOff = clock.after(KEEP_SETTLED_MS, () => void settled.delete(elicitationId));
    settled.set(elicitationId, { settlement, callOff });
    for (const [oldest, entry] of settled) {
      if (settled.size <= limit) return;
      entry.callOff();
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
