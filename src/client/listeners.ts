/** Those who subscribe to one source of events. */
export interface Listeners<Event> {
  /** Calls `listener` with what it has missed, and then with each event. Returns a function that unsubscribes. */
  add(listener: (event: Event) => void, missed?: readonly Event[]): () => void;
  /** Calls all listeners. The error of one reaches the page as an uncaught error, and neither the others nor the caller. */
  tell(event: Event): void;
  isEmpty(): boolean;
}

export function createListeners<Event = void>(): Listeners<Event> {
  const calls = new Set<(event: Event) => void>();
  return {
    add(listener, missed) {
      // A new function for each subscription, because one listener may subscribe twice.
      const call = isolateErrors(listener);
      calls.add(call);
      missed?.forEach((event) => listener(event));
      return () => calls.delete(call);
    },
    tell: (event) => calls.forEach((call) => call(event)),
    isEmpty: () => calls.size === 0,
  };
}

/** Wraps a function whose errors are faults of somebody else. They reach the page as uncaught errors, and not the caller. */
export function isolateErrors<Args extends unknown[]>(
  call: ((...args: Args) => void) | undefined,
): (...args: Args) => void {
  return (...args) => {
    try {
      call?.(...args);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };
}
