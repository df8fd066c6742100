/** Counts what clients of this process show: turns, and whole users by their inbox. */
export interface Showing {
  /** A client shows this turn until the returned function is called. */
  turn(turnId: string): () => void;
  /** A client shows everything that is open for this user until the returned function is called. */
  user(userId: string): () => void;
  /** A client has just asked for a request of this turn: it shows the turn without a stream. */
  seen(turnId: string): void;
  /** What is shown, and what was seen since the last call. */
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
 * The same entries. Calls `show` when their reader begins, and what it returns when they end or `signal` aborts: a reader
 * that leaves may never ask for the next entry.
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
