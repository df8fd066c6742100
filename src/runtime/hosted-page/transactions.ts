import { type Clock, systemClock } from "../core/index.ts";

/** One trip to a provider: what the callback must match. Plain data: a store may serialise it as JSON. */
export interface Transaction {
  readonly elicitationId: string;
  readonly toolId: string;
  readonly userId: string;
  /** A secret of this trip: it must not be logged. */
  readonly codeVerifier: string;
  readonly redirectUri: string;
  /** Milliseconds since the epoch. From then on the page refuses it, and a store may drop it. */
  readonly expiresAt: number;
}

/** How long a person may stay at the provider. */
export const TRANSACTION_TTL_MS = 10 * 60 * 1000;
const MAX_TRANSACTIONS = 10_000;

/**
 * Trips under way, by `state`. The default, {@link createMemoryTransactions}, knows those of its own process. A page that
 * runs in several processes needs one store for all of them: or a callback that reaches another process is refused.
 */
export interface Transactions {
  put(state: string, transaction: Transaction): Promise<void>;
  /**
   * Returns it once and forgets it in the same step, for all processes: of two callbacks with one state, whatever
   * becomes of the first, the second finds nothing.
   */
  take(state: string): Promise<Transaction | undefined>;
}

/** Trips in this process, 10,000 at most: then the oldest goes. */
export function createMemoryTransactions({
  clock = systemClock,
}: { clock?: Clock | undefined } = {}): Transactions {
  const open = new Map<string, Transaction>();
  return {
    async put(state, transaction) {
      // In the order of their start, so the first that is young enough ends the search.
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
