import type { Clock } from "./ports.ts";

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    // A waiting question must not keep a Node process alive. Browsers return a number here.
    if (typeof timer === "object") timer.unref();
    return () => clearTimeout(timer);
  },
};

export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}
