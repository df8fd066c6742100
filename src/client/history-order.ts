import type { ElicitationItem } from "./elicitation.ts";

/** The requests of a chat's messages, and which of them are new here. */
export interface ReadHistory {
  conversationId: string;
  /** Ids in the messages, oldest first. */
  ids: readonly string[];
  added: ReadonlySet<string>;
  /** Ids of requests that are or were in the messages. */
  inMessages: ReadonlySet<string>;
}

/**
 * Returns the ids of `known` and `added` in the order in which they were asked. Requests that are not in the messages are
 * newer than those in the messages: after a reload, the server lists the open request before the history is loaded. So an
 * added request is placed before the next known request of the history. If there is none, it is placed after all requests
 * that are or were in the messages, and before the others.
 */
export function orderWithHistory(
  known: readonly Pick<ElicitationItem, "id" | "conversationId">[],
  { conversationId, ids, added, inMessages }: ReadHistory,
): readonly string[] {
  const inFrontOf = new Map<string, string[]>();
  let last: string[] = [];
  for (const id of ids) {
    if (added.has(id)) last.push(id);
    else {
      inFrontOf.set(id, last);
      last = [];
    }
  }
  const isOfChat = (item: { conversationId: string }): boolean => item.conversationId === conversationId;
  const lastInMessages = known.findLastIndex((item) => isOfChat(item) && inMessages.has(item.id));
  const firstOther = lastInMessages === -1 ? known.findIndex(isOfChat) : lastInMessages + 1;
  const end = firstOther === -1 ? known.length : firstOther;
  const order = known.flatMap(({ id }, index) => [
    ...(index === end ? last : []),
    ...(inFrontOf.get(id) ?? []),
    id,
  ]);
  return end === known.length ? [...order, ...last] : order;
}
