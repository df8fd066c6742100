import { attempt, keysOf, sessionStorageOrNull } from "./session-storage.ts";

/** The storage keys of held answers begin with this. */
export const HELD = "elicit-kit:held:";

/** A decline or dismissal that the user can still undo. */
export interface HeldAnswer {
  readonly action: "decline" | "cancel";
  readonly note?: string | undefined;
}

/**
 * Stores answers that wait for the end of their undo time. A browser may end a slow page before the page can send them:
 * then the next page holds them again. Never throws.
 */
export interface HeldAnswers {
  save(id: string, answer: HeldAnswer): void;
  remove(id: string): void;
  /** Removes and returns an answer that an earlier page has stored. */
  take(id: string): HeldAnswer | undefined;
}

export function createHeldAnswers(storage: Storage | null = sessionStorageOrNull()): HeldAnswers {
  // Only the answers of earlier pages: another client of this page may hold those that are stored from now on.
  const earlier = new Set(keysOf(storage));
  function remove(id: string): void {
    attempt(() => storage?.removeItem(HELD + id));
  }
  return {
    save: (id, answer) => attempt(() => storage?.setItem(HELD + id, JSON.stringify(answer))),
    remove,
    take(id) {
      if (!earlier.delete(HELD + id)) return undefined;
      const held = attempt(() => read(storage?.getItem(HELD + id)));
      remove(id);
      return held;
    },
  };
}

/** Other values under this key were written by other code, and must not be sent as the user's answer. */
function read(text: string | null | undefined): HeldAnswer | undefined {
  if (text == null) return undefined;
  const { action, note }: { action?: unknown; note?: unknown } = Object(JSON.parse(text));
  if (action !== "decline" && action !== "cancel") return undefined;
  return typeof note === "string" ? { action, note } : { action };
}
