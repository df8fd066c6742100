import type { Drafts } from "../form/index.ts";
import type { DraftStore } from "./elicitation.ts";
import { attempt, keysOf, sessionStorageOrNull } from "./session-storage.ts";

const PREFIX = "elicit-kit:draft:";
/** The storage key for the user whose drafts the storage contains. */
const USER = "elicit-kit:user";

/**
 * Keeps user input across a reload of the page. `storage` is a Web Storage; the default is the tab's session storage, so
 * that nothing outlives the tab. With `null`, or in a browser that refuses storage, no drafts are kept. Removes the
 * drafts of users other than `user` (`null`: nobody is signed in; `undefined`: the app does not provide the user). Never
 * throws.
 */
export function createDraftStore(
  storage: Storage | null = sessionStorageOrNull(),
  user?: string | null,
): DraftStore {
  attempt(() => storage && user !== undefined && removeOthers(storage, user));
  return {
    load(id) {
      return attempt(() => read(storage?.getItem(PREFIX + id)));
    },
    save(id, drafts) {
      attempt(() => {
        if (drafts === undefined) storage?.removeItem(PREFIX + id);
        else storage?.setItem(PREFIX + id, JSON.stringify(drafts));
      });
    },
  };
}

/** Drafts from a time when the app did not provide the user may belong to another user, too. */
function removeOthers(storage: Storage, user: string | null): void {
  if (user !== null && storage.getItem(USER) === user) return;
  for (const key of keysOf(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key);
  if (user === null) storage.removeItem(USER);
  else storage.setItem(USER, user);
}

/** Other values under this key were written by other code, and must not be shown as user input. */
function read(text: string | null | undefined): Drafts | undefined {
  if (text == null) return undefined;
  const value: unknown = JSON.parse(text);
  return isDrafts(value) ? value : undefined;
}

function isDrafts(value: unknown): value is Drafts {
  return typeof value === "object" && value !== null && Object.values(value).every(isDraft);
}

function isDraft(value: unknown): boolean {
  if (typeof value === "string" || typeof value === "boolean") return true;
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
