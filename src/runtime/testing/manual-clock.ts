import type { Clock } from "../core/index.ts";

export interface ManualClock extends Clock {
  /** Moves time on and runs what has become due, in order. */
  advance(ms: number): void;
  /** How many timers wait. */
  readonly waiting: number;
}

/** Time that stands still until a test moves it. */
export function createManualClock(start = Date.parse("2026-11-20T12:00:00Z")): ManualClock {
  let now = start;
  let timers: { at: number; run: () => void }[] = [];

  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers = timers.filter((other) => other !== next);
        now = Math.max(now, next.at);
        next.run();
      }
      now = end;
    },
    get waiting() {
      return timers.length;
    },
  };
}
