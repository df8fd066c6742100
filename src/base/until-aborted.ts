import { createDeferred } from "./deferred.ts";

/** Waits for `work`, until `signal` aborts at the latest. Rejects if `work` rejects before. */
export function untilAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = createDeferred<undefined>();
  const abort = () => aborted.resolve(undefined);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort);
  const first = Promise.race([work, aborted.promise]);
  // A signal may outlive many waits.
  const forget = () => signal.removeEventListener("abort", abort);
  first.then(forget, forget);
  return first;
}
