import type { ElicitationRecord, Settlement } from "../../ports/index.ts";
import type { RememberedAnswer } from "../../ports/remembered.ts";

/** How long an answer is remembered if its question does not say so. */
export const REMEMBERED_DAYS = 30;

/** Handles remembered answers: which questions may have one, and the stored answers. */
export interface Remembering {
  /** Returns the remembered answer for this request. */
  find(record: ElicitationRecord): Promise<RememberedAnswer | undefined>;
  /**
   * Ends a record with an answer that the user lets the kit remember, as `compareAndSet` of the records does. If the
   * answer cannot be remembered, it counts nevertheless.
   */
  end(next: ElicitationRecord, settlement: Settlement): Promise<boolean>;
  list(userId: string): Promise<readonly RememberedAnswer[]>;
  remove(userId: string, key: string): Promise<void>;
}
