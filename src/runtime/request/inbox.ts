import type { InboxPage } from "../../contract/contract.ts";
import type { Clock } from "../../base/clock.ts";
import type { ElicitationRecord, ElicitationRecords } from "../ports/index.ts";
import { currentRequest } from "./record.ts";

/** Requests of one page. */
const PAGE_SIZE = 50;

/** The open requests of a user in all conversations. */
export interface Inbox {
  /** Returns `undefined` if `after` is no cursor of this user's list. */
  page(userId: string, after?: string): Promise<InboxPage | undefined>;
  /** Calls `listener` when the list may have changed. Returns a function that ends that. */
  onChange(userId: string, listener: () => void): () => void;
}

/** Returns `undefined` if the records cannot list what is open for a user. */
export function createInbox({
  records,
  clock,
}: {
  records: ElicitationRecords;
  clock: Clock;
}): Inbox | undefined {
  const { inbox } = records;
  if (inbox === undefined) return undefined;
  return {
    onChange: inbox.onChange,
    async page(userId, after) {
      // A cursor is the id of a request, so that it tells nothing about those of others.
      if (after !== undefined && (await records.get(after))?.user.id !== userId) return undefined;
      const listed = await inbox.listOpen(userId, { limit: PAGE_SIZE, after });
      const now = clock.now();
      const items = listed.filter((record) => now < record.expiresAt).map(itemOf);
      const last = listed.length < PAGE_SIZE ? undefined : listed.at(-1);
      return { items, ...(last !== undefined && { next: last.request.elicitationId }) };
    },
  };
}

function itemOf(record: ElicitationRecord): InboxPage["items"][number] {
  const { conversationId, surface, createdAt } = record;
  return {
    conversationId,
    surface,
    askedAt: new Date(createdAt).toISOString(),
    request: currentRequest(record),
  };
}
