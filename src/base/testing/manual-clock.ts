import type { Clock } from "../clock.ts";

export interface ManualClock extends Clock {
  /** Advances the time and runs due timers, in order. */
  advance(ms: number): void;
  /** Like `advance`, but lets promises settle before each timer, because they may set or cancel timers. */
  advanceAsync(ms: number): Promise<void>;
  /** The number of timers that are set. */
  readonly waiting: number;
}

/** A clock that only the test advances. */
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

/** Resolves when all promises have settled that depend on no external event, with their follow-ups. */
export async function promisesSettled(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}
