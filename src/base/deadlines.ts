import type { Clock } from "./clock.ts";

/** A promise that is settled from outside, once. Its rejection need not be handled. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

export function createDeferred<T>(): Deferred<T> {
  let settle: Pick<Deferred<T>, "resolve" | "reject"> = { resolve() {}, reject() {} };
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  promise.catch(() => {});
  return { promise, ...settle };
}

export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

/** Resolves in a later task of the event loop. */
export function nextTask(): Promise<void> {
  // Browsers have no setImmediate.
  const later = "setImmediate" in globalThis ? setImmediate : setTimeout;
  return new Promise((resolve) => {
    later(resolve);
  });
}

/**
 * Waits for `work`, for at most `ms`. Resolves with whether it has ended in that time, and rejects if it rejects in that
 * time.
 */
export async function atMost(clock: Clock, ms: number, work: Promise<void>): Promise<boolean> {
  let cancel: (() => void) | undefined;
  const late = new Promise<boolean>((resolve) => {
    cancel = clock.after(ms, () => resolve(false));
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    cancel?.();
  }
}

/**
 * A signal that aborts after `ms`, so that work cannot block a window or a tool call forever. `cancel` stops the timer.
 */
export function deadline(clock: Clock, ms: number): { signal: AbortSignal; cancel: () => void } {
  const abort = new AbortController();
  const cancel = clock.after(ms, () =>
    abort.abort(new DOMException("it took too long to answer", "TimeoutError")),
  );
  return { signal: abort.signal, cancel };
}

/** Returns a signal that aborts after `ms`. */
export function timeout(clock: Clock, ms: number): AbortSignal {
  return deadline(clock, ms).signal;
}

/** Runs `work` with a signal that aborts after `ms`. */
export async function within<T>(
  clock: Clock,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, cancel } = deadline(clock, ms);
  try {
    return await work(signal);
  } finally {
    cancel();
  }
}

/**
 * Calls `listener` when `signal` aborts, or at once if it already has. Returns a function that removes the listener. Call
 * it: a signal of `AbortSignal.any` with a listener stays in memory, with everything that the listener references.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}

/** Waits for `work`, until `signal` aborts at the latest. Rejects if `work` rejects before. */
export function untilAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = createDeferred<undefined>();
  const forget = onAbort(signal, () => aborted.resolve(undefined));
  const first = Promise.race([work, aborted.promise]);
  first.then(forget, forget);
  return first;
}
