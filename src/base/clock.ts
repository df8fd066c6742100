/** The time, in milliseconds. Tests, hosts and durable engines can pass their own. */
export interface Clock {
  /** Milliseconds since 1970, as from `Date.now`. */
  now(): number;
  /** Calls `callback` once, after `ms`. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** The longest delay of `setTimeout`, nearly 25 days. A longer one fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The time of the machine, from `Date` and `setTimeout`. `onTimer` is called with each timer; a long delay needs several.
 */
export function createSystemClock(onTimer?: (timer: ReturnType<typeof setTimeout>) => void): Clock {
  return {
    now: () => Date.now(),
    after(ms, callback) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const wait = (left: number): void => {
        const next = left > LONGEST_TIMER_MS ? () => wait(left - LONGEST_TIMER_MS) : callback;
        timer = setTimeout(next, Math.min(left, LONGEST_TIMER_MS));
        onTimer?.(timer);
      };
      wait(ms);
      return () => clearTimeout(timer);
    },
  };
}

/** The clock of this machine. Its timers do not keep a Node process alive. */
export const systemClock: Clock = createSystemClock((timer) => {
  // A waiting question must not keep a Node process alive. In browsers, timers are numbers.
  if (typeof timer === "object") timer.unref();
});
