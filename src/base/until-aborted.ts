import { createDeferred } from "./deferred.ts";
import { onAbort } from "./on-abort.ts";

/** Waits for `work`, until `signal` aborts at the latest. Rejects if `work` rejects before. */
export function untilAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = createDeferred<undefined>();
  const forget = onAbort(signal, () => aborted.resolve(undefined));
  const first = Promise.race([work, aborted.promise]);
  first.then(forget, forget);
  return first;
}
