import { type Clock, systemClock } from "../../base/clock.ts";

/** One trip of a user to where an account is connected: what its return must match. Plain data: a store may serialise it as JSON. */
export interface Transaction {
  readonly elicitationId: string;
  readonly toolId: string;
  readonly userId: string;
  /** Where the browser has to come back. */
  readonly redirectUri: string;
  /** What the connector needs then, such as the PKCE verifier of OAuth. Must not be logged. */
  readonly data: unknown;
  /** Milliseconds since the epoch. From then on, the page refuses it and a store may delete it. */
  readonly expiresAt: number;
}

/** How long a user may stay at the provider. */
export const TRANSACTION_TTL_MS = 10 * 60 * 1000;
const MAX_TRANSACTIONS = 10_000;

/**
 * Stores sign-ins under way, by `state`. The default, {@link createMemoryTransactions}, stores those of its own process. A
 * page that runs in several processes needs one store for all of them; otherwise, a callback that reaches another process is
 * refused.
 */
export interface Transactions {
  put(state: string, transaction: Transaction): Promise<void>;
  /**
   * Returns a sign-in and deletes it, atomically and for all processes: of two callbacks with the same state, the second
   * always gets `undefined`.
   */
  take(state: string): Promise<Transaction | undefined>;
}

/** Stores sign-ins in memory: at most 10,000, then it drops the oldest. */
export function createMemoryTransactions({
  clock = systemClock,
}: { clock?: Clock | undefined } = {}): Transactions {
  const open = new Map<string, Transaction>();
  return {
    async put(state, transaction) {
      // A map keeps the order of insertion, so the first one that has not expired ends the search.
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
