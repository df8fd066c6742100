import { AskingOrder } from "./asking-order.ts";
import type { Ask, Asking } from "./asking.ts";

/** Asks for routes that run their own agent. `end` withdraws all their open requests. */
export function createOutsideAsking(asking: Pick<Asking, "ask">): {
  ask: Ask;
  end(reason: string): Promise<void>;
} {
  const open = new Map<AbortController, Promise<unknown>>();
  /** By turn, with the number of its open questions. */
  const orders = new Map<string, { readonly order: AskingOrder; open: number }>();
  let hasEnded = false;
  return {
    async ask(scope, question) {
      if (hasEnded) return { outcome: "withdrawn" };
      // One controller per question: a shared, long-lived signal would keep a reference to every question.
      const end = new AbortController();
      const signal = AbortSignal.any([scope.signal, end.signal]);
      const turn = orders.get(scope.turnId) ?? { order: new AskingOrder(), open: 0 };
      turn.open += 1;
      orders.set(scope.turnId, turn);
      const asked = asking.ask({ ...scope, signal }, question, { place: turn.order.join() });
      open.set(end, asked);
      try {
        return await asked;
      } finally {
        open.delete(end);
        turn.open -= 1;
        if (turn.open === 0) orders.delete(scope.turnId);
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
