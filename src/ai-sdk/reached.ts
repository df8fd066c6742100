/** Reports when a server replies. */
export interface Reached {
  /** Passes calls on to the server. */
  fetch: typeof globalThis.fetch;
  /** Subscribes to replies that show that the server is up. Returns a function that unsubscribes. */
  onReached(listener: () => void): () => void;
}

/** @param own the underlying `fetch`; `undefined`: the global one */
export function createReached(own: typeof globalThis.fetch | undefined): Reached {
  const listeners = new Set<() => void>();
  return {
    async fetch(input, init) {
      // Read at call time, because tests and service workers replace the global after this module has loaded.
      const fetch = own ?? globalThis.fetch;
      const response = await fetch(input, init);
      // A proxy may reply for a server that is down.
      if (response.status < 500) for (const listener of listeners) listener();
      return response;
    },
    onReached(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
