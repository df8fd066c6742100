import type { Clock } from "./clock.ts";
import type { ElicitationItem } from "./elicitation.ts";
import { isOpen } from "./ended.ts";

/**
 * Bundlers insert this value and remove dead code, but only where the comparison is in the function itself. Without a
 * bundler the value is absent.
 */
declare const process: { env: { NODE_ENV?: string } } | undefined;

/** A page may mount the view of a conversation after its first request. */
const GRACE_MS = 1_000;

type Shows = (conversationId: string) => boolean;

/** The views of a client, and a warning for the developer about a request that none of them shows. */
export function createViews(
  clock: Clock,
  get: (id: string) => ElicitationItem | undefined,
): {
  /** Adds a view. Returns a function that removes it. */
  add(shows: Shows | undefined): () => void;
  /** Call it for each new request. */
  expect(item: ElicitationItem): void;
  dispose(): void;
} {
  const views = new Set<{ readonly shows: Shows }>();
  /** The requests that no view has shown yet, and what ends the wait for one. */
  const unseen = new Map<ElicitationItem, () => void>();
  const warned = new Set<string>();

  function forgetSeen(): void {
    for (const [item, stop] of unseen) {
      if (![...views].some(({ shows }) => shows(item.conversationId))) continue;
      unseen.delete(item);
      stop();
    }
  }

  function warn(item: ElicitationItem): void {
    forgetSeen();
    const { id, conversationId } = item;
    const now = get(id);
    if (!unseen.delete(item) || warned.has(conversationId) || now === undefined || !isOpen(now)) return;
    warned.add(conversationId);
    console.warn(
      `elicit-kit: a request arrived in conversation "${conversationId}", and nothing on the page shows it, so the user ` +
        "cannot answer. Render <Elicitations {...elicitation} /> with the result of useElicitation, or " +
        `<Elicitations client={client} conversationId="${conversationId}" />. If useElicitation has an id, give the same ` +
        "id to the chat.",
    );
  }

  return {
    add(shows = () => true) {
      const view = { shows };
      views.add(view);
      forgetSeen();
      return () => views.delete(view);
    },
    expect(item) {
      if (typeof process === "undefined" || process.env.NODE_ENV === "production") return;
      // A script without a page reads the snapshot when it likes.
      if (typeof document === "undefined" || !isOpen(item)) return;
      unseen.set(
        item,
        clock.after(GRACE_MS, () => warn(item)),
      );
      forgetSeen();
    },
    dispose() {
      for (const stop of unseen.values()) stop();
    },
  };
}
