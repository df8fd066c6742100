import type { FormElicitation } from "../form-elicitation/FormElicitation.tsx";

/**
 * The form card, which is a chunk of its own. Not `React.lazy`: that suspends what is around a card, and keeps a failure for
 * good.
 */
export type FormCard = typeof FormElicitation | "absent" | "loading" | "failed";

let card: FormCard = "absent";
const listeners = new Set<() => void>();

export const formCard = (): FormCard => card;

export function subscribeFormCard(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Loads the form card, unless it is here or on its way. Resolves in any case; `formCard` tells how it went. */
export async function loadFormCard(): Promise<void> {
  if (card !== "absent" && card !== "failed") return;
  become("loading");
  try {
    const { FormElicitation } = await import("../form-elicitation/FormElicitation.tsx");
    become(FormElicitation);
  } catch {
    become("failed");
  }
}

function become(next: FormCard): void {
  card = next;
  for (const listener of listeners) listener();
}
