import type { Clock } from "../../src/runtime/internal.ts";

/**
 * Time that passes `factor` times as fast, for tests with real processes. Processes with the same `start` have the same
 * time.
 */
export function createFastClock(factor: number, start = Date.now()): Clock {
  return {
    now: () => start + (Date.now() - start) * factor,
    after(ms, callback) {
      const timer = setTimeout(callback, ms / factor);
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}
