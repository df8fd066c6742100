"use client";
import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { ElicitationClient } from "../client/elicitation.ts";
import { type Inbox, type InboxEntry, inboxOf } from "../client/inbox.ts";
import { type BoundElicitation, createBinder, isWaiting } from "./bound-elicitation.ts";

/** The result of `useElicitationInbox`. */
export interface UseElicitationInboxResult {
  /** The number of requests that wait for the user. */
  count: number;
  /** The requests, oldest first. Those that have ended while the inbox is shown stay, as receipts. */
  elicitations: readonly BoundElicitation[];
  /** The same requests by conversation, in the order of the oldest request of each. */
  conversations: readonly {
    readonly conversationId: string;
    readonly elicitations: readonly BoundElicitation[];
  }[];
  /** Returns when a request was asked, and through which surface. */
  entryOf: (elicitation: Pick<BoundElicitation, "id">) => InboxEntry | undefined;
  /** `unavailable`: the server has no inbox, or no user is signed in. */
  status: ReturnType<Inbox["getSnapshot"]>["status"];
  /** Reads the inbox again at once, unless it is live. */
  retry: () => void;
}

/**
 * The open requests of the user in all conversations, with their methods, kept live over one stream for all components of
 * the page. An answer continues the turn in any process.
 *
 * @example
 * const { count, elicitations } = useElicitationInbox({ client });
 * <button>Inbox ({count})</button>
 */
export function useElicitationInbox({ client }: { client: ElicitationClient }): UseElicitationInboxResult {
  const inbox = inboxOf(client);
  const subscribeInbox = useCallback((listener: () => void) => inbox.subscribe(listener), [inbox]);
  const subscribeClient = useCallback((listener: () => void) => client.subscribe(listener), [client]);
  const { entries, status } = useSyncExternalStore(subscribeInbox, inbox.getSnapshot, getServerSnapshot);
  const { items } = useSyncExternalStore(subscribeClient, client.getSnapshot, getServerItems);
  const bind = useMemo(() => createBinder(client), [client]);
  return useMemo(() => {
    const byId = new Map(items.map((item) => [item.id, item]));
    const places = new Map(entries.map((entry) => [entry.id, entry]));
    const elicitations = entries.flatMap(({ id }) => {
      const item = byId.get(id);
      return item === undefined ? [] : [bind(item)];
    });
    const groups = new Map<string, BoundElicitation[]>();
    for (const elicitation of elicitations) {
      const group = groups.get(elicitation.conversationId) ?? [];
      groups.set(elicitation.conversationId, [...group, elicitation]);
    }
    return {
      count: elicitations.filter(isWaiting).length,
      elicitations,
      conversations: Array.from(groups, ([conversationId, group]) => ({
        conversationId,
        elicitations: group,
      })),
      entryOf: ({ id }) => places.get(id),
      status,
      retry: inbox.retry,
    };
  }, [bind, entries, inbox, items, status]);
}

const SERVER: ReturnType<Inbox["getSnapshot"]> = { entries: [], status: "loading" };
const getServerSnapshot = () => SERVER;
const NO_ITEMS: ReturnType<ElicitationClient["getSnapshot"]> = { items: [] };
const getServerItems = () => NO_ITEMS;
