import { createDeferred } from "./deferred.ts";

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
