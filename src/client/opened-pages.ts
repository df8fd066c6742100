import { attempt, sessionStorageOrNull } from "./session-storage.ts";

const PREFIX = "elicit-kit:opened:";

/** Which requests have their page open, so that a chat that is loaded anew waits for it. Never throws. */
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
