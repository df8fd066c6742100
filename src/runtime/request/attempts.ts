import { MAX_ATTEMPTS, failedAnswers } from "../../contract/invalid-answer.ts";
import type { ElicitationRecord } from "../ports/index.ts";
import type { RecordNotifier } from "./record-notifier.ts";
import type { RecordWriter } from "./record-writer.ts";

/** Limits the invalid answers of protocols in which a question is asked again by itself. */
export interface Attempts {
  /**
   * Counts an invalid answer in the record, and ends the request as failed after the last attempt. Returns how many
   * attempts are left, or `undefined` if the request is not open.
   */
  reject(elicitationId: string, problem: string): Promise<number | undefined>;
  /** Ends an open request as failed. */
  fail(record: ElicitationRecord, reason: string): Promise<void>;
}

export function createAttempts(options: {
  writer: Pick<RecordWriter, "change" | "end">;
  notifier: Pick<RecordNotifier, "announceProgress">;
}): Attempts {
  const { writer, notifier } = options;
  return {
    async reject(elicitationId, problem) {
      // Two processes that count at the same time get two different numbers.
      const rejected = await writer.change(elicitationId, ({ attempts = 0 }) => ({
        status: "pending",
        lastError: problem,
        attempts: attempts + 1,
      }));
      if (rejected === undefined) return undefined;
      const left = MAX_ATTEMPTS - (rejected.attempts ?? 0);
      if (left > 0) await notifier.announceProgress(rejected);
      else await writer.end(rejected, { outcome: "failed", reason: failedAnswers(problem) });
      return Math.max(0, left);
    },
    async fail(record, reason) {
      await writer.end(record, { outcome: "failed", reason });
    },
  };
}
