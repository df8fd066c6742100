/**
 * Carries events by the id of the turn they belong to, inside of one runtime. Keeps nothing: an event for a turn that
 * nobody follows is gone.
 */
export interface EventBus<Event> {
  /** Returns a function that ends the subscription. */
  subscribe(turnId: string, listener: (event: Event) => void): () => void;
  /** Calls every listener before it returns. What listeners throw comes as one AggregateError, after the last one. */
  publish(turnId: string, event: Event): void;
  /** How many turns are followed. */
  readonly size: number;
}

export function createEventBus<Event>(): EventBus<Event> {
  const listenersByTurn = new Map<string, Set<(event: Event) => void>>();

  return {
    subscribe(turnId, listener) {
      const listeners = listenersByTurn.get(turnId) ?? new Set();
      listenersByTurn.set(turnId, listeners);
      // A function of its own for every subscription: the same listener may subscribe twice.
      const own = (event: Event) => listener(event);
      listeners.add(own);
      return () => {
        listeners.delete(own);
        if (listeners.size === 0 && listenersByTurn.get(turnId) === listeners) listenersByTurn.delete(turnId);
      };
    },
    publish(turnId, event) {
      const errors: unknown[] = [];
      for (const listener of listenersByTurn.get(turnId) ?? []) {
        try {
          listener(event);
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) {
        throw new AggregateError(errors, "elicit-kit: a listener of runtime.subscribe has thrown.");
      }
    },
    get size() {
      return listenersByTurn.size;
    },
  };
}
