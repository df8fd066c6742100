import type { Ask } from "./asking.ts";

/** Asking for routes that run their agent themselves: what they have asked can be withdrawn as one. */
export function createOutsideAsking(ask: Ask): { ask: Ask; end(reason: string): Promise<void> } {
  const open = new Map<AbortController, Promise<unknown>>();
  let hasEnded = false;
  return {
    async ask(scope, question) {
      if (hasEnded) return { outcome: "withdrawn" };
      // One of its own for each question: a signal that outlives them all would keep track of every one.
      const end = new AbortController();
      const asked = ask({ ...scope, signal: AbortSignal.any([scope.signal, end.signal]) }, question);
      open.set(end, asked);
      try {
        return await asked;
      } finally {
        open.delete(end);
      }
    },
    async end(reason) {
      hasEnded = true;
      const asked = [...open.values()];
      for (const end of open.keys()) end.abort(new DOMException(reason, "AbortError"));
      await Promise.allSettled(asked);
    },
  };
}
