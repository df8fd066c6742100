import { useSyncExternalStore } from "react";

/**
 * The form card and the dock, in one lazy chunk. With two chunks, their common imports would become a third, which every
 * page loads at first. `React.lazy` is not used, because it suspends the surroundings of a card and caches a failure.
 */
export type FormCard = typeof import("./later.ts") | "absent" | "loading" | "failed";

let card: FormCard = "absent";
const listeners = new Set<() => void>();

const current = (): FormCard => card;
const onServer = (): FormCard => "absent";

/** The chunk, or the reason why it is not loaded. */
export const useFormCard = (): FormCard => useSyncExternalStore(subscribe, current, onServer);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Loads the form card, unless it is loaded or loading. Always resolves. `useFormCard` returns the result. */
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
