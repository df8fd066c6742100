/**
 * Calls `listener` when `signal` aborts, or at once if it has. Returns a function that removes the listener: a signal of
 * `AbortSignal.any` that still has one is kept in memory, with all that the listener can reach.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}
