import type { Clock } from "../core/index.ts";

/** One trip to a provider: what the callback must match. */
export interface Transaction {
  readonly elicitationId: string;
  readonly toolId: string;
  readonly userId: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

/** How long a person may stay at the provider. */
export const TRANSACTION_TTL_MS = 10 * 60 * 1000;
const MAX_TRANSACTIONS = 10_000;

/** Trips under way, by `state`. In this process: put a shared store here to run the page on several machines. */
export interface Transactions {
  put(state: string, transaction: Transaction): void;
  /** Returns it once: a second callback with the same state finds nothing. */
  take(state: string): Transaction | undefined;
}

export function createTransactions(clock: Clock): Transactions {
  const open = new Map<string, { transaction: Transaction; startedAt: number }>();
  return {
    put(state, transaction) {
      const now = clock.now();
      // In the order of their start, so the first that is young enough ends the search.
      for (const [other, { startedAt }] of open) {
        if (now - startedAt < TRANSACTION_TTL_MS && open.size < MAX_TRANSACTIONS) break;
        open.delete(other);
      }
      open.set(state, { transaction, startedAt: now });
    },
    take(state) {
      const found = open.get(state);
      open.delete(state);
      return found !== undefined && clock.now() - found.startedAt < TRANSACTION_TTL_MS
        ? found.transaction
        : undefined;
    },
  };
}
