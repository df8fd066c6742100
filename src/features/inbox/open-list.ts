import type { InboxPage } from "../../contract/contract.ts";
import type { Clock } from "../../base/clock.ts";
import type { ElicitationRecord, ElicitationRecords } from "../../runtime/ports/index.ts";
import { asAssigned, deskOf, desksFor, isSameAssignee } from "../../runtime/request/assignment.ts";
import type { Assignments } from "../../runtime/request/features/who-decides.ts";
import { isUnderstood } from "../../runtime/request/needs.ts";
import { currentRequest } from "../../runtime/request/record.ts";

/** The number of requests on one page. */
const PAGE_SIZE = 50;

/** The open requests of a user in all conversations. */
export interface OpenList {
  /** Returns a reader for one HTTP request. It asks the application once to whom the user may pass a question on. */
  readerFor(userId: string): ListReader;
  /** Calls `listener` when the list may have changed. Returns a function that removes the listener. */
  onChange(userId: string, listener: () => void): Promise<() => void>;
}

/** Reads a page. Returns `undefined` if `after` is not a cursor of this user's list. */
export type ListReader = (after?: string) => Promise<InboxPage | undefined>;

/** Returns `undefined` if the records cannot list the open requests of a user. */
export function createOpenList({
  records,
  clock,
  assignments,
}: {
  records: ElicitationRecords;
  clock: Clock;
  assignments: Assignments;
}): OpenList | undefined {
  const { inbox } = records;
  if (inbox === undefined) return undefined;
  return {
    async onChange(userId, listener) {
      return inbox.onChange(userId, listener, await assignments.groupsOf(userId));
    },
    readerFor(userId) {
      /** Which questions of the last page the user may pass on. */
      let known: ReadonlyMap<string, Promise<boolean>> = new Map();

      return async (after) => {
        // The cursor is the id of a request, so it reveals nothing about requests of others.
        const last = after === undefined ? undefined : await records.get(after);
        const groups = await assignments.groupsOf(userId);
        // The list also contains questions that the user has left to their own group, which are not shown.
        const isListed = last && desksFor(userId, groups).some((desk) => isSameAssignee(desk, deskOf(last)));
        if (after !== undefined && isListed !== true) return undefined;
        const listed = await inbox.listOpen(userId, { limit: PAGE_SIZE, after, groups });
        const now = clock.now();
        const shown = listed
          .filter(isUnderstood)
          .filter(({ expiresAt, assigned, user }) => now < expiresAt && !(assigned && user.id === userId));
        const ofPage = new Map<string, Promise<boolean>>();
        const canGiveOn = (record: ElicitationRecord): Promise<boolean> => {
          const key = record.request.elicitationId;
          const found = ofPage.get(key) ?? known.get(key) ?? hasChoices(record);
          ofPage.set(key, found);
          return found;
        };
        const items = await Promise.all(shown.map((one) => itemOf(one, userId, canGiveOn)));
        known = ofPage;
        const end = listed.length < PAGE_SIZE ? undefined : listed.at(-1);
        return { items, ...(end !== undefined && { next: end.request.elicitationId }) };
      };

      async function hasChoices(record: ElicitationRecord): Promise<boolean> {
        return (await assignments.choicesFor(record, userId)).length > 0;
      }
    },
  };
}

async function itemOf(
  listed: ElicitationRecord,
  userId: string,
  canGiveOn: (record: ElicitationRecord) => Promise<boolean>,
): Promise<InboxPage["items"][number]> {
  const record = asAssigned(listed, userId);
  const { conversationId, surface, createdAt } = record;
  const request = currentRequest(record);
  // The user's own requests say so themselves.
  const giveOn = request.from !== undefined && (await canGiveOn(listed));
  return {
    conversationId,
    ...(listed.assigned === undefined && { surface }),
    askedAt: new Date(createdAt).toISOString(),
    request: giveOn ? { ...request, giveOn } : request,
  };
}
