import type { Drafts } from "../form/index.ts";
import type { DraftStore } from "./elicitation.ts";

const PREFIX = "elicit-kit:draft:";

/**
 * Keeps what was typed for a reload of the page. `storage` is a Web Storage (default: the tab's session storage, so
 * nothing outlives the tab); `null`, or a browser that refuses storage, keeps nothing. Throws nothing.
 */
export function createDraftStore(storage: Storage | null = sessionStorageOrNull()): DraftStore {
  return {
    load(id) {
      return attempt(() => read(storage?.getItem(PREFIX + id)));
    },
    save(id, drafts) {
      attempt(() => {
        if (drafts === undefined) storage?.removeItem(PREFIX + id);
        else storage?.setItem(PREFIX + id, JSON.stringify(drafts));
        return undefined;
      });
    },
  };
}

function sessionStorageOrNull(): Storage | null {
  return attempt(() => globalThis.sessionStorage) ?? null;
}

/** Storage throws when it is full, forbidden or sandboxed; drafts are a comfort and never worth an error. */
function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

/** Anything else under this name was not written here, and is not shown to the person as if they had typed it. */
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
