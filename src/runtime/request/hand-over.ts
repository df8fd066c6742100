import type { Assignee } from "../../contract/contract.ts";
import type { Clock } from "../../base/clock.ts";
import type { User } from "../../base/identity.ts";
import type { AssignResult, ChoicesResult, RemindResult } from "./answer-result.ts";
import { type Assignments, deskOf, isSameAssignee } from "./assignment.ts";
import { currentRequest, outcomeOf } from "./record.ts";
import type { ElicitationRecord } from "../ports/index.ts";
import type { RecordWriter } from "./record-writer.ts";

/** See `assign` of the elicitation service. */
export type Assign = (
  elicitationId: string,
  by: User,
  to: Assignee | undefined,
  options?: { through?: string | undefined },
) => Promise<AssignResult>;

/** See `assign`, `assigneesFor` and `remind` of the elicitation service. */
export interface HandOver {
  assign: Assign;
  assigneesFor(elicitationId: string, userId: string): Promise<ChoicesResult>;
  remind(
    elicitationId: string,
    userId: string,
    options?: { through?: string | undefined },
  ): Promise<RemindResult>;
}

/** Only the user whose turn asks can take the request back, or remind the assignee. */
function assignedResult(record: ElicitationRecord, { id }: User): AssignResult {
  const { name } = record.assigned ?? {};
  const assignee = name === undefined ? undefined : { name };
  return { kind: "assigned", assignee: id === record.user.id ? currentRequest(record).assignee : assignee };
}

/** Assigns open requests to another user or group, and back. */
export function createHandOver({
  writer,
  assignments,
  clock,
  noticeAt,
  remindEveryMs,
}: {
  writer: Pick<RecordWriter, "current" | "assign" | "remind">;
  assignments: Assignments;
  clock: Clock;
  /** When a notice is due for a request that is reassigned now. `undefined`: never. */
  noticeAt: ((now: number) => number) | undefined;
  /** The least time between a notice and a reminder. */
  remindEveryMs: number;
}): HandOver {
  const assign: Assign = async (elicitationId, by, to, { through = "chat" } = {}) => {
    const record = await writer.current(elicitationId);
    if (record === undefined) return { kind: "unknown" };
    const { user: asker, conversationId, tool, request, surface } = record;
    if (asker.id !== by.id && !(await assignments.isFor(record, by.id))) return { kind: "unknown" };
    const outcome = outcomeOf(record);
    if (outcome !== undefined) return { kind: "ended", outcome, by: record.endedBy };
    const target = to ?? { user: asker.id };
    const from = deskOf(record);
    if (isSameAssignee(target, from)) return assignedResult(record, by);
    if (assignments.problemOf(request, surface) !== undefined) return { kind: "forbidden" };
    const allowed = await assignments.assign(by, target, { asker, conversationId, tool });
    if (allowed === undefined) return { kind: "forbidden" };
    const { assigned } = allowed;
    const dueAt = assignments.isTold(target) ? noticeAt?.(clock.now()) : undefined;
    const handover = { by: by.id, through, from, assigned, noticeAt: dueAt };
    const changed = await writer.assign(elicitationId, handover);
    // Another call was first: read the current state to find the result of this call.
    return changed === undefined ? assign(elicitationId, by, to, { through }) : assignedResult(changed, by);
  };

  const remind: HandOver["remind"] = async (elicitationId, userId, { through = "chat" } = {}) => {
    const record = await writer.current(elicitationId, userId);
    if (record === undefined) return { kind: "unknown" };
    const outcome = outcomeOf(record);
    if (outcome !== undefined) return { kind: "ended", outcome, by: record.endedBy };
    const { assigned, noticeAt: toldAt } = record;
    if (assigned === undefined || toldAt === undefined) return { kind: "forbidden" };
    const retryAfterMs = toldAt + remindEveryMs - clock.now();
    if (retryAfterMs > 0) return { kind: "too-soon", retryAfterMs };
    const how = { id: userId, through, everyMs: remindEveryMs };
    const changed = await writer.remind(elicitationId, how);
    return changed === undefined ? remind(elicitationId, userId, { through }) : { kind: "reminded" };
  };

  return {
    assign,
    remind,
    async assigneesFor(elicitationId, userId) {
      const record = await writer.current(elicitationId);
      if (record === undefined || !(await assignments.isFor(record, userId))) return { kind: "unknown" };
      const outcome = outcomeOf(record);
      if (outcome !== undefined) return { kind: "ended", outcome, by: record.endedBy };
      const all = await assignments.choicesFor(record, userId);
      const named = await Promise.all(all.map(async (to) => ({ to, name: await assignments.nameOf(to) })));
      return { kind: "choices", choices: named };
    },
  };
}
