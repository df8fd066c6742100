import type { Decision } from "../audit/decision.ts";
import type { DecisionLog } from "../audit/log.ts";
import { type Verification, verifyDecisions } from "../audit/verify.ts";
import type { ElicitationRecord } from "../../src/runtime/internal.ts";

/** The number of rows whose chain is verified on each rendering. */
const VERIFIED_ROWS = 500;
/** How many rows of one user and time are searched for the rows of one request. */
const SEARCHED_ROWS = 1000;

/** The end of the log. */
export interface LogTail {
  /** The rows, newest first. */
  readonly rows: readonly Decision[];
  readonly verification: Verification;
}

/** Reads the last `limit` rows, and verifies the chain of the last {@link VERIFIED_ROWS}. */
export async function readTail(log: DecisionLog, limit: number): Promise<LogTail> {
  const { seq } = await log.head();
  const tail = tailOf(log, Math.max(0, seq - VERIFIED_ROWS));
  const verification = await verifyDecisions(tail);
  // A row that cannot be read is reported by the verification.
  const rows = await log.read({ after: Math.max(0, seq - limit), limit }).catch((): Decision[] => []);
  return { rows: rows.toReversed(), verification };
}

/** The rows of one request, oldest first. `isComplete: false`: there may be more. */
export async function rowsOf(
  log: DecisionLog,
  { request: { elicitationId }, user, createdAt }: ElicitationRecord,
): Promise<{ readonly rows: readonly Decision[]; readonly isComplete: boolean }> {
  // A row has the time of its own process, whose clock may be a little behind.
  const found = await log.read({ userId: user.id, from: createdAt - 1000, limit: SEARCHED_ROWS });
  return {
    rows: found.filter((row) => row.elicitationId === elicitationId),
    isComplete: found.length < SEARCHED_ROWS,
  };
}

/** A view of the log that begins with the row after `start`. */
function tailOf(log: DecisionLog, start: number): DecisionLog {
  return {
    ...log,
    read: ({ after = 0, ...page }) => log.read({ ...page, after: Math.max(after, start) }),
    async head() {
      const head = await log.head();
      return { ...head, first: Math.max(head.first, start + 1) };
    },
  };
}
