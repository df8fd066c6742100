import type { Clock } from "./clock.ts";

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
