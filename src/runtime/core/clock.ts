import type { Clock } from "./ports.ts";

/** Nearly 25 days. A timer for longer goes off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The clock of this machine. Its timers do not keep a Node process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (left: number): void => {
      const next = left > LONGEST_TIMER_MS ? () => wait(left - LONGEST_TIMER_MS) : run;
      timer = setTimeout(next, Math.min(left, LONGEST_TIMER_MS));
      // A waiting question must not keep a Node process alive. Browsers return a number here.
      if (typeof timer === "object") timer.unref();
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};

export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

/** Waits for `work`, but not for ever. What it rejects with within the time, this rejects with. */
export async function atMost(clock: Clock, ms: number, work: Promise<void>): Promise<void> {
  let callOff: (() => void) | undefined;
  const late = new Promise<void>((resolve) => {
    callOff = clock.after(ms, resolve);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    callOff?.();
  }
}
