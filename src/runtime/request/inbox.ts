import type { InboxPage } from "../../contract/contract.ts";
import type { Clock } from "../../base/clock.ts";
import type { ElicitationRecord, ElicitationRecords } from "../ports/index.ts";
import { type Assignments, asAssigned } from "./assignment.ts";
import { currentRequest } from "./record.ts";

/** The number of requests on one page. */
const PAGE_SIZE = 50;

/** The open requests of a user in all conversations. */
export interface Inbox {
  /** Returns `undefined` if `after` is not a cursor of this user's list. */
  page(userId: string, after?: string): Promise<InboxPage | undefined>;
  /** Calls `listener` when the list may have changed. Returns a function that removes the listener. */
  onChange(userId: string, listener: () => void): Promise<() => void>;
}

/** Returns `undefined` if the records cannot list the open requests of a user. */
export function createInbox({
  records,
  clock,
  assignments,
}: {
  records: ElicitationRecords;
  clock: Clock;
  assignments: Assignments;
}): Inbox | undefined {
  const { inbox } = records;
  if (inbox === undefined) return undefined;
  return {
    async onChange(userId, listener) {
      return inbox.onChange(userId, listener, await assignments.groupsOf(userId));
    },
    async page(userId, after) {
      // The cursor is the id of a request, so it reveals nothing about requests of others.
      const last = after === undefined ? undefined : await records.get(after);
      if (after !== undefined && !(last && (await assignments.isFor(last, userId)))) return undefined;
      const groups = await assignments.groupsOf(userId);
      const listed = await inbox.listOpen(userId, { limit: PAGE_SIZE, after, groups });
      const now = clock.now();
      const shown = listed.filter(
        ({ expiresAt, assigned, user }) => now < expiresAt && !(assigned && user.id === userId),
      );
      const items = await Promise.all(shown.map((one) => itemOf(one, userId, assignments)));
      const end = listed.length < PAGE_SIZE ? undefined : listed.at(-1);
      return { items, ...(end !== undefined && { next: end.request.elicitationId }) };
    },
  };
}

async function itemOf(
  listed: ElicitationRecord,
  userId: string,
  assignments: Assignments,
): Promise<InboxPage["items"][number]> {
  const record = asAssigned(listed, userId);
  const { conversationId, surface, createdAt } = record;
  const request = currentRequest(record);
  const { from } = request;
  const canGiveOn = from !== undefined && (await assignments.choicesFor(listed, userId)).length > 0;
  return {
    conversationId,
    ...(listed.assigned === undefined && { surface }),
    askedAt: new Date(createdAt).toISOString(),
    request: canGiveOn ? { ...request, from: { ...from, giveOn: true } } : request,
  };
}
