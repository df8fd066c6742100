import type { User } from "../../base/identity.ts";
import type { ElicitationRecord } from "../../runtime/ports/index.ts";
import type { AssignResult } from "../../runtime/request/answer-result.ts";
import { deskOf, isSameAssignee } from "../../runtime/request/assignment.ts";
import type { Assignments, HandOver, HandOverParts } from "../../runtime/request/features/who-decides.ts";
import { currentRequest, outcomeOf } from "../../runtime/request/record.ts";
import type { RecordPatch } from "../../runtime/request/record-writer.ts";

/** Only the user whose turn asks can take the request back, or remind the assignee. */
function assignedResult(record: ElicitationRecord, { id }: User): AssignResult {
  const { name } = record.assigned ?? {};
  const assignee = name === undefined ? undefined : { name };
  return { kind: "assigned", assignee: id === record.user.id ? currentRequest(record).assignee : assignee };
}

/** Assigns open requests to another user or group, and back. */
export function createHandOver(
  assignments: Assignments,
  { writer, clock, absence }: HandOverParts,
): HandOver {
  const remindEveryMs = absence?.remindEveryMs ?? 0;

  const assign: HandOver["assign"] = async (elicitationId, by, to, { through = "chat" } = {}) => {
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
    const noticeAt = assignments.isTold(target) ? absence?.noticeAt(clock.now()) : undefined;
    const handedOver: RecordPatch = (latest) => {
      if (!isSameAssignee(deskOf(latest), from)) return undefined;
      const changedBy = { userId: by.id, through, at: clock.now(), assigned: true } as const;
      return { assigned, assignedBefore: from, noticeAt, changedBy };
    };
    const changed = await writer.progress(elicitationId, handedOver, through);
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
    const changed = await writer.change(elicitationId, (latest) => {
      const now = clock.now();
      if (!latest.assigned || latest.noticeAt === undefined || now < latest.noticeAt + remindEveryMs)
        return undefined;
      return { noticeAt: now, changedBy: { userId, through, at: now, reminded: true } };
    });
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
