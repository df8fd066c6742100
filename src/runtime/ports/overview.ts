import type { ElicitationRecord } from "./record.ts";

/** Reads the records of all users, for a page of the operator. What a call costs does not grow with their number. */
export interface RecordOverview {
  /**
   * At most `limit` records, those behind the record `after`. Open ones: the first to expire comes first; those whose time is
   * over are left out. Ended ones: the last to end comes first.
   */
  list(page: {
    readonly isOpen: boolean;
    readonly limit: number;
    readonly after?: string | undefined;
  }): Promise<readonly ElicitationRecord[]>;
  /** How many records are open, counted up to `most`. */
  countOpen(most: number): Promise<number>;
}

/** Where turns run, for a page of the operator. */
export interface TurnOverview {
  /** Processes that have turns, and this one. */
  readonly processes: readonly {
    /** The same for as long as the process lives. */
    readonly id: string;
    readonly isAlive: boolean;
    readonly isHere: boolean;
    readonly turns: number;
  }[];
  /** Turns that wait and are in no process. */
  readonly parked: number;
}
