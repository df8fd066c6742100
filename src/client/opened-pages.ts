import { attempt, sessionStorageOrNull } from "./session-storage.ts";

const PREFIX = "elicit-kit:opened:";

/** Stores which requests have an open page, so that a reloaded chat waits for it. Never throws. */
export interface OpenedPages {
  add(id: string): void;
  has(id: string): boolean;
  remove(id: string): void;
}

export function createOpenedPages(storage: Storage | null = sessionStorageOrNull()): OpenedPages {
  return {
    add: (id) => attempt(() => storage?.setItem(PREFIX + id, "")),
    has: (id) => attempt(() => storage?.getItem(PREFIX + id)) === "",
    remove: (id) => attempt(() => storage?.removeItem(PREFIX + id)),
  };
}
