/** Tells when a server replies. */
export interface Reached {
  /** Passes calls on to the server. */
  fetch: typeof globalThis.fetch;
  /** Calls back at each reply that says that the server is there. Returns a function that ends it. */
  onReached(listener: () => void): () => void;
}

/** @param own the `fetch` underneath; `undefined`: the global one */
export function createReached(own: typeof globalThis.fetch | undefined): Reached {
  const listeners = new Set<() => void>();
  return {
    async fetch(input, init) {
      // Read at call time: tests and service workers replace the global after this module has loaded.
      const fetch = own ?? globalThis.fetch;
      const response = await fetch(input, init);
      // A proxy may reply in place of a server that is down.
      if (response.status < 500) for (const listener of listeners) listener();
      return response;
    },
    onReached(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
