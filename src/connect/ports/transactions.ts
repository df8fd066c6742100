import { type Clock, systemClock } from "../../base/clock.ts";

/** A started sign-in: the data that the returning browser must match. Plain data: a store may serialise it as JSON. */
export interface Transaction {
  readonly elicitationId: string;
  readonly toolId: string;
  readonly userId: string;
  /** The URL to which the browser must return. */
  readonly redirectUri: string;
  /** The data that the connector needs at the return, such as the PKCE verifier of OAuth. Must not be logged. */
  readonly data: unknown;
  /** Milliseconds since the epoch. After this, the page refuses it and a store may delete it. */
  readonly expiresAt: number;
}

/** How long a user may stay at the provider. */
export const TRANSACTION_TTL_MS = 10 * 60 * 1000;
const MAX_TRANSACTIONS = 10_000;

/**
 * Stores sign-ins in progress, by `state`. The default, {@link createMemoryTransactions}, stores those of its own
 * process. If a page runs in several processes, they must share one store. Otherwise a callback that reaches another
 * process is refused.
 */
export interface Transactions {
  put(state: string, transaction: Transaction): Promise<void>;
  /**
   * Returns a sign-in and deletes it, atomically for all processes: of two callbacks with the same state, the second
   * always gets `undefined`.
   */
  take(state: string): Promise<Transaction | undefined>;
}

/** Stores at most 10,000 sign-ins in memory, and then drops the oldest. */
export function createMemoryTransactions({
  clock = systemClock,
}: { clock?: Clock | undefined } = {}): Transactions {
  const open = new Map<string, Transaction>();
  return {
    async put(state, transaction) {
      // A map keeps the order of insertion, so the search ends at the first one that has not expired.
      for (const [other, { expiresAt }] of open) {
        if (clock.now() < expiresAt && open.size < MAX_TRANSACTIONS) break;
        open.delete(other);
      }
      open.set(state, transaction);
    },
    async take(state) {
      const found = open.get(state);
      open.delete(state);
      return found;
    },
  };
}
