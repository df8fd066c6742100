import type { ElicitationContent, ElicitationOutcome } from "../../contract/contract.ts";

/** The result of a wait. `content` is set only for an accepted form. */
export interface Settlement {
  readonly outcome: ElicitationOutcome;
  readonly content?: ElicitationContent | undefined;
  readonly reason?: string | undefined;
}

/**
 * Carries a settlement from the process that won the compare-and-set to all waiting turns, in any process. Also carries
 * nudges, which only say that a record has changed.
 */
export interface Waiter {
  /**
   * Waits for the settlement of a request. Called before the request is shown, and again with the same id when its turn
   * runs again. All callers get the same settlement; a call after it resolves at once. Rejects with the signal's reason
   * when it aborts.
   */
  wait(elicitationId: string, options: { signal: AbortSignal }): Promise<Settlement>;
  /** Called by the process that ended the request, before or after a `wait`. The first settlement counts. */
  settle(elicitationId: string, settlement: Settlement): Promise<void>;
  /** Calls the listeners of this id in every process. The record has changed and is still open. */
  nudge(elicitationId: string): Promise<void>;
  /** Subscribes to nudges. They may come late, twice or not at all, so read the record. Returns an unsubscribe function. */
  onNudge(elicitationId: string, listener: () => void): () => void;
}
