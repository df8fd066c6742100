import type { Settlement, Waiter } from "./ports.ts";

/** Waits in this process: a promise per request, lost on a restart. */
export function createMemoryWaiter(): Waiter {
  const waiting = new Map<string, (settlement: Settlement) => void>();
  return {
    wait(elicitationId, { signal }) {
      return new Promise((resolve, reject) => {
        const done = () => {
          waiting.delete(elicitationId);
          signal.removeEventListener("abort", onAbort);
        };
        const onAbort = () => {
          done();
          reject(signal.reason);
        };
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        signal.addEventListener("abort", onAbort);
        waiting.set(elicitationId, (settlement) => {
          done();
          resolve(settlement);
        });
      });
    },
    async settle(elicitationId, settlement) {
      waiting.get(elicitationId)?.(settlement);
    },
  };
}
