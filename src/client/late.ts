import { createListeners } from "./listeners.ts";
import { onWindowOnline } from "./online.ts";

/**
 * Code that a page loads when it needs it. `React.lazy` is not used for the cards, because it suspends the surroundings
 * of a card and caches a failure.
 */
export interface Late<Code> {
  /** The code, or the reason why it is not here. */
  now(): Code | LateState;
  /**
   * Loads the code, unless it is loaded or loading. Always resolves. `now` returns the result. After a failure, the code
   * is also loaded when the browser is online again.
   */
  load(): Promise<void>;
  /** Calls `listener` after each change of `now`. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

export type LateState = "absent" | "loading" | "failed";

/** `fetchCode` imports the code. */
export function createLate<Code extends object>(fetchCode: () => Promise<Code>): Late<Code> {
  let code: Code | LateState = "absent";
  let loading: Promise<void> | undefined;
  let stopWaiting: (() => void) | undefined;
  const listeners = createListeners();

  function become(next: Code | LateState): void {
    code = next;
    listeners.tell();
  }

  async function fetchNow(): Promise<void> {
    let next: Code | LateState;
    try {
      next = await fetchCode();
    } catch {
      next = "failed";
      stopWaiting = onWindowOnline(() => void load());
    }
    loading = undefined;
    become(next);
  }

  function load(): Promise<void> {
    if (typeof code === "object") return Promise.resolve();
    if (loading !== undefined) return loading;
    stopWaiting?.();
    loading = fetchNow();
    become("loading");
    return loading;
  }

  return {
    now: () => code,
    load,
    subscribe: (listener) => listeners.add(listener),
  };
}

/** A page that is busy longer than this is idle for this purpose. */
const LONGEST_BUSY_MS = 2_000;

/** Calls `work` when the page is idle. Returns a function that cancels this. */
export function whenIdle(work: () => void): () => void {
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(work, LONGEST_BUSY_MS);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: LONGEST_BUSY_MS });
  return () => cancelIdleCallback(handle);
}
