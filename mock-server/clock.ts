import type { Clock } from "../src/base/clock.ts";

/** Real time that a test can advance. */
export interface MockClock extends Clock {
  /** Advances the time by `ms`. Resolves when all timers that became due have run, in order. */
  advance(ms: number): Promise<void>;
}

interface Timer {
  readonly due: number;
  readonly run: () => void;
  real: ReturnType<typeof setTimeout> | undefined;
}

export function createMockClock(): MockClock {
  let ahead = 0;
  const timers = new Set<Timer>();
  const now = () => Date.now() + ahead;

  function arm(timer: Timer): void {
    clearTimeout(timer.real);
    timer.real = setTimeout(() => fire(timer), Math.max(0, timer.due - now()));
    // A waiting request must not keep a Node process alive. Browsers return a number here.
    if (typeof timer.real === "object") timer.real.unref();
  }

  function fire(timer: Timer): void {
    clearTimeout(timer.real);
    if (timers.delete(timer)) timer.run();
  }

  function nextDue(until: number): Timer | undefined {
    const due = [...timers].filter((timer) => timer.due <= until);
    return due.toSorted((a, b) => a.due - b.due)[0];
  }

  return {
    now,
    after(ms, run) {
      const timer: Timer = { due: now() + ms, run, real: undefined };
      timers.add(timer);
      arm(timer);
      return () => {
        clearTimeout(timer.real);
        timers.delete(timer);
      };
    },
    async advance(ms) {
      const until = now() + ms;
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
        ahead += Math.max(0, timer.due - now());
        fire(timer);
        // The callback may set another timer, which may be due as well.
        await macrotask();
      }
      ahead += Math.max(0, until - now());
      for (const timer of timers) arm(timer);
      await macrotask();
    },
  };
}

/** Lets other tasks run first. It does not use `setTimeout`, which tests replace. */
function macrotask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener("message", () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });
}
