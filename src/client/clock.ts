/** Time, so that tests and hosts can bring their own. Milliseconds. */
export interface Clock {
  now(): number;
  /** Calls `callback` once, `ms` from now. Returns the function that prevents it. */
  after(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
