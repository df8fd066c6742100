import { KitError, isKitError } from "../contract/kit-error.ts";
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
  /** Rows in their order. Rejects if one of them can no longer be read, which {@link verifyDecisions} reports. */
  read(page: DecisionPage): Promise<readonly Decision[]>;
  /** The last row of the chain. Keep its `seq` and `digest` in another place, and give them to {@link verifyDecisions}. */
  head(): Promise<DecisionHead>;
  /**
   * Removes the rows from the front of the log until the first one that is not older than `before`, in milliseconds since
   * the epoch. The rows that stay can be verified as ever. Returns the number of removed rows.
   */
  prune(before: number): Promise<number>;
}

/** A row was changed so that nothing can be made of it. */
export class UnreadableRowError extends KitError {
  override readonly name = "UnreadableRowError";
  readonly seq: number;

  constructor(seq: number) {
    super(
      `elicit-kit: row ${seq} of the decision log cannot be read. It was changed: restore it from a backup.`,
    );
    this.seq = seq;
  }
}

/** The row that a log could not read. Not by `instanceof`: the log may be of a second copy of the kit. */
export function unreadableRowOf(error: unknown): number | undefined {
  if (!isKitError(error) || error.name !== "UnreadableRowError") return undefined;
  const seq: unknown = Reflect.get(error, "seq");
  return typeof seq === "number" ? seq : undefined;
}
