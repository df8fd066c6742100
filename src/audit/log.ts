import type { Decision } from "./decision.ts";
import type { ChainEnd } from "./digest.ts";

/** The rows to read from a {@link DecisionLog}. Times are milliseconds since the epoch. */
export interface DecisionPage {
  /** Only rows behind the one with this `seq`. @default 0 */
  readonly after?: number | undefined;
  readonly limit: number;
  readonly from?: number | undefined;
  /** Only rows before this time. */
  readonly to?: number | undefined;
  readonly userId?: string | undefined;
  /** Opens the sealed content, where it is kept. @default false */
  readonly content?: boolean | undefined;
}

/** Which rows a {@link DecisionLog} must have. */
export interface DecisionHead extends ChainEnd {
  /** `seq` of the first row that is kept. One more than `seq` of the last one if there is none. */
  readonly first: number;
  /** Rows that are stored and wait for their place. */
  readonly waiting: number;
}

/**
 * Every request's life as rows: asked, answered by a user through a surface, expired, withdrawn. Rows are only added, and
 * each one carries the digest of the row before it, so that {@link verifyDecisions} finds a change.
 */
export interface DecisionLog {
  /** Rows in their order. */
  read(page: DecisionPage): Promise<readonly Decision[]>;
  /** The last row of the chain. Keep its `seq` and `digest` in another place, and give them to {@link verifyDecisions}. */
  head(): Promise<DecisionHead>;
  /**
   * Removes the rows from the front of the log until the first one that is not older than `before`, in milliseconds since
   * the epoch. The rows that stay can be verified as ever. Returns the number of removed rows.
   */
  prune(before: number): Promise<number>;
}
