import type { Clock } from "../clock.ts";

export interface ManualClock extends Clock {
  /** Moves time on and runs the timers that become due, in order. */
  advance(ms: number): void;
  /** The same, but lets promises settle before each timer: they may set or cancel timers. */
  advanceAsync(ms: number): Promise<void>;
  /** How many timers are set. */
  readonly waiting: number;
}

/** Time that stands still until a test moves it. */
export function createManualClock(start = Date.parse("2026-11-20T12:00:00Z")): ManualClock {
  let now = start;
  let timers: { at: number; run: () => void }[] = [];

  /** Runs the earliest timer due at or before that time. Returns `false` if there was none. */
  function runNext(end: number): boolean {
    const [next] = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
    if (next === undefined) return false;
    timers = timers.filter((other) => other !== next);
    now = Math.max(now, next.at);
    next.run();
    return true;
  }

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
      while (runNext(end));
      now = end;
    },
    async advanceAsync(ms) {
      const end = now + ms;
      do await promisesSettled();
      while (runNext(end));
      now = end;
    },
    get waiting() {
      return timers.length;
    },
  };
}

/** Resolves when every promise that depends on nothing outside has settled, and what follows from it. */
export async function promisesSettled(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}
