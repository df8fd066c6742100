import type { Clock } from "../../base/clock.ts";
import type { ElicitationRecords } from "../ports/index.ts";
import type { ExtendResult } from "./answer-result.ts";
import type { Assignments } from "./features/who-decides.ts";
import { extendedEnd, outcomeOf } from "./record.ts";
import type { RecordPatch, RecordWriter } from "./record-writer.ts";

/** See `extend` of the elicitation service. */
export type Extend = (
  elicitationId: string,
  userId: string,
  options?: { through?: string | undefined },
) => Promise<ExtendResult>;

/** Gives users more time. */
export function createExtend({
  writer,
  records,
  assignments,
  clock,
}: {
  writer: Pick<RecordWriter, "current" | "progress">;
  records: Pick<ElicitationRecords, "listOpen">;
  assignments: Pick<Assignments, "isFor">;
  clock: Clock;
}): Extend {
  return async function extend(elicitationId, userId, { through = "chat" } = {}) {
    const record = await writer.current(elicitationId);
    // The user whose agent asks may also give the one who decides more time.
    if (record === undefined) return { kind: "unknown" };
    const { user, conversationId, request } = record;
    if (user.id !== userId && !(await assignments.isFor(record, userId))) return { kind: "unknown" };
    const outcome = outcomeOf(record);
    if (outcome !== undefined) return { kind: "ended", outcome, by: record.endedBy };
    // Once more as long as at first, up to the limit of the request.
    const longer: RecordPatch = (latest) => {
      const expiresAt = extendedEnd(latest);
      if (expiresAt <= latest.expiresAt) return undefined;
      return { expiresAt, changedBy: { userId, through, at: clock.now(), extended: true } };
    };
    const extended = await writer.progress(elicitationId, longer, through);
    if (extended === undefined) {
      const latest = await writer.current(elicitationId);
      const ended = latest && outcomeOf(latest);
      return ended === undefined ? { kind: "forbidden" } : { kind: "ended", outcome: ended };
    }
    if (request.round !== undefined) {
      // A client holds their answers until all are there, so they need as much time.
      const { id } = request.round;
      const open = await records.listOpen(conversationId, user.id);
      const others = open.filter((one) => one.request.round?.id === id);
      for (const { request: other } of others)
        if (other.elicitationId !== elicitationId)
          await writer.progress(other.elicitationId, longer, through);
    }
    return { kind: "extended", expiresAt: new Date(extended.expiresAt).toISOString() };
  };
}
