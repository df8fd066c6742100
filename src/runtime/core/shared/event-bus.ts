/**
 * Carries events by the id of what they are about, such as a turn, inside of one runtime. Keeps nothing: an event that
 * nobody listens for is gone.
 */
export interface EventBus<Event> {
  /** Returns a function that ends the subscription. */
  subscribe(id: string, listener: (event: Event) => void): () => void;
  /** Calls every listener before it returns. What listeners throw comes as one AggregateError, after the last one. */
  publish(id: string, event: Event): void;
  /** How many ids somebody listens for. */
  readonly size: number;
}

export function createEventBus<Event>(): EventBus<Event> {
  const listenersById = new Map<string, Set<(event: Event) => void>>();

  return {
    subscribe(id, listener) {
      const listeners = listenersById.get(id) ?? new Set();
      listenersById.set(id, listeners);
      // A function of its own for every subscription: the same listener may subscribe twice.
      const own = (event: Event) => listener(event);
      listeners.add(own);
      return () => {
        listeners.delete(own);
        if (listeners.size === 0 && listenersById.get(id) === listeners) listenersById.delete(id);
      };
    },
    publish(id, event) {
      const errors: unknown[] = [];
      for (const listener of listenersById.get(id) ?? []) {
        try {
          listener(event);
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) {
        throw new AggregateError(errors, "elicit-kit: a listener of an event has thrown.");
      }
    },
    get size() {
      return listenersById.size;
    },
  };
}
