import { KitError } from "../contract/kit-error.ts";

/**
 * Publishes events under an id, such as that of a turn, inside one runtime. Events are not stored: an event without
 * listeners is lost.
 */
export interface EventBus<Event> {
  /** Returns a function that ends the subscription. */
  subscribe(id: string, listener: (event: Event) => void): () => void;
  /** Calls all listeners synchronously. If any throw, throws one error after the last listener, with an AggregateError as its cause. */
  publish(id: string, event: Event): void;
  /** The number of ids that have listeners. */
  readonly size: number;
}

interface Subscription<Event> {
  readonly listener: (event: Event) => void;
}

export function createEventBus<Event>(): EventBus<Event> {
  type Entry = Subscription<Event>;
  /** Usually a single entry, because a set would take as much memory as the rest of a waiting request. */
  const byId = new Map<string, Entry | Set<Entry>>();

  function remove(id: string, entry: Entry): void {
    const known = byId.get(id);
    if (known === entry) byId.delete(id);
    if (!(known instanceof Set)) return;
    known.delete(entry);
    if (known.size === 0) byId.delete(id);
  }

  return {
    subscribe(id, listener) {
      // A separate object for every subscription, because one listener may subscribe twice.
      const entry = { listener };
      const known = byId.get(id);
      if (known === undefined) byId.set(id, entry);
      else if (known instanceof Set) known.add(entry);
      else byId.set(id, new Set([known, entry]));
      return () => remove(id, entry);
    },
    publish(id, event) {
      const known = byId.get(id);
      if (known === undefined) return;
      const errors: unknown[] = [];
      for (const { listener } of known instanceof Set ? known : [known]) {
        try {
          listener(event);
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) {
        throw new KitError("elicit-kit: an event listener threw an error.", {
          cause: new AggregateError(errors),
        });
      }
    },
    get size() {
      return byId.size;
    },
  };
}
