import type { ElicitationItem, ElicitationSnapshot } from "./elicitation.ts";
import { type ElicitationEvent, isOpen, transition } from "./state.ts";

/** The items of one client, in the order they were asked, and those who listen for changes. */
export interface ItemStore {
  get(id: string): ElicitationItem | undefined;
  /** Throws an `elicit-kit:` error when the id was never received. */
  getKnown(id: string): ElicitationItem;
  items(): readonly ElicitationItem[];
  openOf(conversationId: string): ElicitationItem[];
  add(item: ElicitationItem): void;
  /** Puts an event to an item. Nothing happens when the item is unknown, or the event changes nothing. */
  dispatch(id: string, event: ElicitationEvent): void;
  subscribe(listener: () => void): () => void;
  hasListeners(): boolean;
  getSnapshot(): ElicitationSnapshot;
}

/** `onClosed` is called when an item is no longer open, before the listeners are. */
export function createItemStore(onClosed: (item: ElicitationItem) => void): ItemStore {
  const byId = new Map<string, ElicitationItem>();
  const listeners = new Set<() => void>();
  let snapshot: ElicitationSnapshot | undefined = { items: [] };

  const items = (): readonly ElicitationItem[] => [...byId.values()];

  function add(item: ElicitationItem): void {
    byId.set(item.id, item);
    if (!isOpen(item)) onClosed(item);
    snapshot = undefined;
    for (const listener of listeners) listener();
  }

  return {
    get: (id) => byId.get(id),
    getKnown(id) {
      const item = byId.get(id);
      if (item !== undefined) return item;
      throw new Error(`elicit-kit: no request "${id}" is known to this client. Pass it to receive() first.`);
    },
    items,
    openOf: (conversationId) =>
      items().filter((item) => item.conversationId === conversationId && isOpen(item)),
    add,
    dispatch(id, event) {
      const before = byId.get(id);
      const after = before && transition(before, event);
      if (after !== undefined && after !== before) add(after);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    hasListeners: () => listeners.size > 0,
    getSnapshot() {
      snapshot ??= { items: items() };
      return snapshot;
    },
  };
}
