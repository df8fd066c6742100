import { KitError, isKitError } from "../../src/contract/kit-error.ts";
import type { Decision, ChainEnd } from "./decision.ts";

/** The rows to read from a {@link DecisionLog}. Times are milliseconds since the epoch. */
export interface DecisionPage {
  /** Returns only rows with a greater `seq`. @default 0 */
  readonly after?: number | undefined;
  readonly limit: number;
  readonly from?: number | undefined;
  /** Returns only rows before this time. */
  readonly to?: number | undefined;
  readonly userId?: string | undefined;
  /** Opens the sealed content, where it is kept. @default false */
  readonly content?: boolean | undefined;
}

/** The first and last rows that a {@link DecisionLog} should have. */
export interface DecisionHead extends ChainEnd {
  /** `seq` of the first row that is kept. One more than `seq` of the last one if there is none. */
  readonly first: number;
  /** The number of stored rows that have no place in the chain yet. */
  readonly waiting: number;
  /**
   * Whether the rows before `first` were removed by {@link DecisionLog.prune}. `undefined`: this cannot be checked, because
   * the log was opened without its key.
   */
  readonly isStartProven?: boolean | undefined;
}

/**
 * A log with a row for each event of a request: asked, answered, expired, withdrawn. Rows are only added, and each one
 * carries the digest of the row before it, so that {@link verifyDecisions} finds a change.
 */
export interface DecisionLog {
  /** Rows in their order. Rejects if one of them can no longer be read, which {@link verifyDecisions} reports. */
  read(page: DecisionPage): Promise<readonly Decision[]>;
  /** The last row of the chain. Keep its `seq` and `digest` in another place, and give them to {@link verifyDecisions}. */
  head(): Promise<DecisionHead>;
  /**
   * Removes rows from the start of the log, up to the first row that is not older than `before` (milliseconds since the
   * epoch). The remaining rows can still be verified, and that rows were removed by this method. Returns the number of
   * removed rows.
   */
  prune(before: number): Promise<number>;
}

/** A row was changed and can no longer be parsed. */
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

/**
 * Returns the `seq` of the row that a log could not read. It does not use `instanceof`, because the log may come from a
 * second copy of the kit.
 */
export function unreadableRowOf(error: unknown): number | undefined {
  if (!isKitError(error) || error.name !== "UnreadableRowError") return undefined;
  const seq: unknown = Reflect.get(error, "seq");
  return typeof seq === "number" ? seq : undefined;
}
