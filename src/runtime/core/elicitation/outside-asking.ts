import type { Ask } from "./asking.ts";

/** Asks for routes that run their own agent. `end` withdraws all their open requests. */
export function createOutsideAsking(ask: Ask): { ask: Ask; end(reason: string): Promise<void> } {
  const open = new Map<AbortController, Promise<unknown>>();
  let hasEnded = false;
  return {
    async ask(scope, question) {
      if (hasEnded) return { outcome: "withdrawn" };
      // One controller per question: a shared, long-lived signal would keep a reference to every question.
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
