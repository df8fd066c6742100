import type { Clock } from "../../base/clock.ts";
import type { User } from "../../base/identity.ts";
import type { Assignee } from "../ports/record.ts";
import type { AssignResult } from "./answer-result.ts";
import { type Assignments, deskOf, isSameAssignee } from "./assignment.ts";
import { outcomeOf } from "./record.ts";
import type { RecordWriter } from "./record-writer.ts";

/** See `assign` of the elicitation service. */
export type Assign = (
  elicitationId: string,
  by: User,
  to: Assignee | undefined,
  options?: { through?: string | undefined },
) => Promise<AssignResult>;

/** Gives open requests to somebody else, and back. */
export function createAssign({
  writer,
  assignments,
  clock,
  noticeAt,
}: {
  writer: Pick<RecordWriter, "current" | "assign">;
  assignments: Assignments;
  clock: Clock;
  /** When a notice of a request that changes hands now is due. `undefined`: never. */
  noticeAt: ((now: number) => number) | undefined;
}): Assign {
  const assign: Assign = async (elicitationId, by, to, { through = "chat" } = {}) => {
    const record = await writer.current(elicitationId);
    if (record === undefined) return { kind: "unknown" };
    const { user: asker, conversationId, tool, request, surface } = record;
    if (asker.id !== by.id && !(await assignments.isFor(record, by.id))) return { kind: "unknown" };
    const outcome = outcomeOf(record);
    if (outcome !== undefined) return { kind: "ended", outcome, by: record.endedBy };
    const target = to ?? { user: asker.id };
    const from = deskOf(record);
    if (isSameAssignee(target, from)) return { kind: "assigned", name: record.assigned?.name };
    if (assignments.problemOf(request, surface) !== undefined) return { kind: "forbidden" };
    const allowed = await assignments.assign(by, target, { asker, conversationId, tool });
    if (allowed === undefined) return { kind: "forbidden" };
    const { assigned } = allowed;
    const dueAt = assignments.isTold(target) ? noticeAt?.(clock.now()) : undefined;
    const handover = { by: by.id, through, from, assigned, noticeAt: dueAt };
    const changed = await writer.assign(elicitationId, handover);
    // Somebody else was first: what is true now says what becomes of this.
    return changed === undefined
      ? assign(elicitationId, by, to, { through })
      : { kind: "assigned", name: assigned?.name };
  };
  return assign;
}
