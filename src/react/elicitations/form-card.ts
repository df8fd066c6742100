import { useSyncExternalStore } from "react";

/**
 * The form card and the dock, in a chunk of their own. Not in one each: what both import would then be a third, which every
 * page loads at first. Not `React.lazy`: that suspends what is around a card, and keeps a failure for good.
 */
export type FormCard = typeof import("./later.ts") | "absent" | "loading" | "failed";

let card: FormCard = "absent";
const listeners = new Set<() => void>();

const current = (): FormCard => card;
const onServer = (): FormCard => "absent";

/** The chunk, or why it is not here. */
export const useFormCard = (): FormCard => useSyncExternalStore(subscribe, current, onServer);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Loads the form card, unless it is here or on its way. Resolves in any case; `useFormCard` tells how it went. */
export async function loadFormCard(): Promise<void> {
  if (card !== "absent" && card !== "failed") return;
  become("loading");
  try {
    become(await import("./later.ts"));
  } catch {
    become("failed");
  }
}

function become(next: FormCard): void {
  card = next;
  for (const listener of listeners) listener();
}
