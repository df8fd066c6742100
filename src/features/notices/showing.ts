import type { Shown } from "../../runtime/request/features/absence.ts";

/** What clients of this process show, until the next look at it. */
export interface Showing extends Shown {
  /** Returns what is shown now, and what was seen since the last call. */
  take(): { readonly turnIds: readonly string[]; readonly userIds: readonly string[] };
}

export function createShowing(): Showing {
  const turns = new Map<string, number>();
  const users = new Map<string, number>();
  const seen = new Set<string>();

  return {
    turn: (turnId) => hold(turns, turnId),
    user: (userId) => hold(users, userId),
    seen: (turnId) => void seen.add(turnId),
    reading: (turnId, entries, signal) => held(entries, () => hold(turns, turnId), signal),
    take() {
      const turnIds = [...new Set([...turns.keys(), ...seen])];
      seen.clear();
      return { turnIds, userIds: [...users.keys()] };
    },
  };
}

function hold(counts: Map<string, number>, id: string): () => void {
  counts.set(id, (counts.get(id) ?? 0) + 1);
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    const left = (counts.get(id) ?? 1) - 1;
    if (left === 0) counts.delete(id);
    else counts.set(id, left);
  };
}

/**
 * Passes the entries through. Calls `show` when reading begins, and the returned function when reading ends or `signal`
 * aborts, because a reader that left may never ask for the next entry.
 */
export async function* held<Entry>(
  entries: AsyncIterable<Entry>,
  show: () => () => void,
  signal: AbortSignal,
): AsyncGenerator<Entry, void, undefined> {
  if (signal.aborted) return;
  const hide = show();
  signal.addEventListener("abort", hide);
  try {
    yield* entries;
  } finally {
    signal.removeEventListener("abort", hide);
    hide();
  }
}
