"use client";
import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import type { ElicitationClient, ElicitationItem, ElicitationSnapshot } from "../client/elicitation.ts";
import type { MessageLike } from "../client/read-messages.ts";
import { type BoundElicitation, createBinder, isWaiting } from "./bound-elicitation.ts";
import { useBrowserLayoutEffect } from "./use-shared.ts";

/**
 * The requests that `useElicitationList` returns: those of one conversation, or without an id all that the client knows.
 */
export type UseElicitationListOptions = {
  /** The client of `createElicitation` or `createElicitationClient`, shared by all components. */
  client: ElicitationClient;
  /**
   * Only requests of this conversation are listed. The open ones are read from the server on mount. An empty id lists
   * none.
   */
  conversationId?: string | undefined;
  /** The chat's messages. The client reads new requests from them. Requires `conversationId`. */
  messages?: readonly MessageLike[] | undefined;
} & ({ conversationId: string } | { messages?: undefined });

/** The result of `useElicitationList`. */
export interface UseElicitationListResult {
  /**
   * The requests in the order in which they were asked, including ended ones. The same array until one of them changes.
   */
  elicitations: readonly BoundElicitation[];
  /** The first request that waits for the user. */
  current: BoundElicitation | undefined;
}

/**
 * The requests of a conversation, with their methods. It needs no provider, and all components with the same client show
 * the same requests. On a server, and until hydration is complete, the list is empty.
 *
 * @example
 * const { elicitations, current } = useElicitationList({ client, conversationId: chat.id, messages: chat.messages });
 * <button onClick={() => void current?.connect()}>Connect</button>
 */
export function useElicitationList(options: UseElicitationListOptions): UseElicitationListResult {
  return useRequests(options, ALWAYS);
}

/** `isShown` says whether the component draws the requests. */
export function useRequests(
  options: UseElicitationListOptions,
  isShown: () => boolean,
): UseElicitationListResult {
  const { client } = options;
  const items = useItems(options, isShown);
  const bind = useMemo(() => createBinder(client), [client]);
  return useMemo(() => {
    const elicitations = items.map(bind);
    return { elicitations, current: elicitations.find(isWaiting) };
  }, [bind, items]);
}

/** The requests of a conversation, without their methods. */
export function useItems(
  { client, conversationId, messages }: UseElicitationListOptions,
  isShown: () => boolean = ALWAYS,
): readonly ElicitationItem[] {
  const subscribe = useCallback(
    (listener: () => void) =>
      client.subscribe(
        listener,
        (id) => isShown() && (conversationId === undefined || conversationId === id),
      ),
    [client, conversationId, isShown],
  );
  const getItems = useMemo(() => createSelection(client, conversationId), [client, conversationId]);
  const items = useSyncExternalStore(subscribe, getItems, getServerItems);
  // Before paint, so that requests in the history appear together with it.
  useBrowserLayoutEffect(() => {
    if (conversationId && messages !== undefined) client.readMessages(conversationId, messages);
  }, [client, conversationId, messages]);
  useEffect(() => {
    if (conversationId) void client.refresh(conversationId);
  }, [client, conversationId]);
  return items;
}

/** Reads the items of a conversation: the same array until one of them changes, independent of other conversations. */
function createSelection(
  client: ElicitationClient,
  conversationId: string | undefined,
): () => readonly ElicitationItem[] {
  let snapshot: ElicitationSnapshot | undefined;
  let selected: readonly ElicitationItem[] = EMPTY;
  return () => {
    const current = client.getSnapshot();
    if (current === snapshot) return selected;
    snapshot = current;
    if (conversationId === undefined) return (selected = current.items);
    const items = current.items.filter((item) => item.conversationId === conversationId);
    const isSame = items.length === selected.length && items.every((item, index) => item === selected[index]);
    return isSame ? selected : (selected = items);
  };
}

const ALWAYS = (): boolean => true;
const EMPTY: readonly ElicitationItem[] = [];
const getServerItems = (): readonly ElicitationItem[] => EMPTY;
