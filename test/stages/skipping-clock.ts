import type { Clock } from "../../src/base/clock.ts";

/** The real clock, which a test can advance. */
export function createSkippingClock(): Clock & { skip(ms: number): void; readonly waiting: number } {
  let ahead = 0;
  const timers = new Set<{ at: number; fire: () => void }>();
  const now = () => Date.now() + ahead;
  return {
    now,
    after(ms, callback) {
      const timer = {
        at: now() + ms,
        fire() {
          stop();
          callback();
        },
      };
      const real = setTimeout(timer.fire, ms);
      const stop = () => {
        clearTimeout(real);
        timers.delete(timer);
      };
      timers.add(timer);
      return stop;
    },
    skip(ms) {
      ahead += ms;
      for (const timer of timers) if (timer.at <= now()) timer.fire();
    },
    get waiting() {
      return timers.size;
    },
  };
}
