import type { Clock } from "../core/index.ts";

/** A provider that says nothing must not hold a person's window, or a tool call, for ever. */
export function timeout(clock: Clock, ms: number): AbortSignal {
  const abort = new AbortController();
  clock.after(ms, () => abort.abort(new DOMException("it took too long to answer", "TimeoutError")));
  return abort.signal;
}
