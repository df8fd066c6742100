import type { ElicitationRecord } from "./record.ts";

/** Reads the records of all users, for the operator page. The cost of a call must not depend on their number. */
export interface RecordOverview {
  /**
   * At most `limit` records after the record `after`. Open records: the first to expire comes first, and expired ones are
   * left out. Ended records: the last to end comes first.
   */
  list(page: {
    readonly isOpen: boolean;
    readonly limit: number;
    readonly after?: string | undefined;
  }): Promise<readonly ElicitationRecord[]>;
  /** How many records are open, counted up to `most`. */
  countOpen(most: number): Promise<number>;
}

/** Where turns run, for the operator page. */
export interface TurnOverview {
  /** The processes that have turns, and this process. */
  readonly processes: readonly {
    /** Stays the same as long as the process lives. */
    readonly id: string;
    readonly isAlive: boolean;
    readonly isHere: boolean;
    readonly turns: number;
  }[];
  /** The number of waiting turns that are in no process. */
  readonly parked: number;
}
