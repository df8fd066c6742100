import { attempt, keysOf, sessionStorageOrNull } from "./session-storage.ts";

const PREFIX = "elicit-kit:held:";

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
  // What is stored from now on belongs to this page, where another client must not send it.
  const earlier = new Set(keysOf(storage));
  function remove(id: string): void {
    attempt(() => storage?.removeItem(PREFIX + id));
  }
  return {
    save: (id, answer) => attempt(() => storage?.setItem(PREFIX + id, JSON.stringify(answer))),
    remove,
    take(id) {
      if (!earlier.delete(PREFIX + id)) return undefined;
      const held = attempt(() => read(storage?.getItem(PREFIX + id)));
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
