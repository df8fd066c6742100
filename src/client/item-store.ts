import type { ElicitationItem, ElicitationSnapshot } from "./elicitation.ts";
import { isOpen } from "./ended.ts";
import { createListeners } from "./listeners.ts";
import { type ElicitationEvent, transition } from "./state.ts";

/** The items of one client, in the order in which they were asked, and the listeners for changes. */
export interface ItemStore {
  get(id: string): ElicitationItem | undefined;
  /** Throws an `elicit-kit:` error when the id was never received. */
  getKnown(id: string): ElicitationItem;
  items(): readonly ElicitationItem[];
  openOf(conversationId: string): ElicitationItem[];
  /** Returns this item and all items that are answered together with it. */
  roundOf(id: string): ElicitationItem[];
  add(item: ElicitationItem): void;
  /** Applies an event to an item. Does nothing if the item is unknown or the event changes nothing. */
  dispatch(id: string, event: ElicitationEvent): void;
  /** Sorts the items into this order of all ids. */
  reorder(ids: readonly string[]): void;
  /** Runs `change`, and calls listeners once for all that it changes. */
  batch(change: () => void): void;
  subscribe(listener: () => void): () => void;
  hasListeners(): boolean;
  getSnapshot(): ElicitationSnapshot;
}

/** `onClosed` is called when an item is no longer open, before the listeners are called. */
export function createItemStore(onClosed: (item: ElicitationItem) => void): ItemStore {
  let byId = new Map<string, ElicitationItem>();
  const rounds = new Map<string, Set<string>>();
  const listeners = createListeners();
  let snapshot: ElicitationSnapshot | undefined = { items: [] };
  let batches = 0;
  let isChanged = false;

  const items = (): readonly ElicitationItem[] => [...byId.values()];

  function changed(): void {
    snapshot = undefined;
    isChanged = true;
    if (batches > 0) return;
    isChanged = false;
    listeners.tell();
  }

  function set(item: ElicitationItem): void {
    const before = byId.get(item.id)?.request.round?.id;
    const round = item.request.round?.id;
    byId.set(item.id, item);
    if (round === before) return;
    if (before !== undefined) rounds.get(before)?.delete(item.id);
    if (round === undefined) return;
    const members = rounds.get(round) ?? new Set();
    rounds.set(round, members.add(item.id));
  }

  function add(item: ElicitationItem): void {
    set(item);
    if (!isOpen(item)) onClosed(item);
    changed();
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
    roundOf(id) {
      const round = byId.get(id)?.request.round?.id;
      const ids = (round !== undefined && rounds.get(round)) || [id];
      return [...ids].flatMap((member) => byId.get(member) ?? []);
    },
    add,
    dispatch(id, event) {
      const before = byId.get(id);
      const after = before && transition(before, event);
      if (after !== undefined && after !== before) add(after);
    },
    reorder(ids) {
      const before = byId;
      byId = new Map();
      for (const id of ids) {
        const item = before.get(id);
        if (item !== undefined) byId.set(id, item);
      }
      changed();
    },
    batch(change) {
      batches += 1;
      try {
        change();
      } finally {
        batches -= 1;
        if (batches === 0 && isChanged) changed();
      }
    },
    subscribe: (listener) => listeners.add(listener),
    hasListeners: () => !listeners.isEmpty(),
    getSnapshot() {
      snapshot ??= { items: items() };
      return snapshot;
    },
  };
}
