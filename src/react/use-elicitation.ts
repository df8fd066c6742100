"use client";
import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import {
  type ElicitationClient,
  type ElicitationSnapshot,
  isOpen,
  type MessageLike,
} from "../client/index.ts";
import { type BoundElicitation, createBinder } from "./bound-elicitation.ts";
import { useBrowserLayoutEffect } from "./browser-layout-effect.ts";

/** Which requests `useElicitation` returns: those of one conversation, or without an id all that the client knows. */
export type UseElicitationOptions = {
  /** The client of `createElicitation` or `createElicitationClient`, shared by all components. */
  client: ElicitationClient;
  /** Only requests of this conversation are listed. Its open ones are read from the server on mount. */
  conversationId?: string | undefined;
  /** The chat's messages. The client takes in the requests in them that it does not know. Needs `conversationId`. */
  messages?: readonly MessageLike[] | undefined;
} & ({ conversationId: string } | { messages?: undefined });

/** What `useElicitation` returns. */
export interface UseElicitationResult {
  /** In the order they were asked, ended ones too. The same array until one of them changes. */
  elicitations: readonly BoundElicitation[];
  /** The first one that waits for the person. */
  current: BoundElicitation | undefined;
}

/**
 * The requests of a conversation, with their methods. Needs no provider; all components on one client show the same.
 * On a server, and until hydration is done, there are none.
 *
 * @example
 * const { elicitations, current } = useElicitation({ client, conversationId: chat.id, messages: chat.messages });
 * <button onClick={() => current?.connect()}>Connect</button>
 */
export function useElicitation(options: UseElicitationOptions): UseElicitationResult {
  const { client, conversationId, messages } = options;
  const subscribe = useCallback((listener: () => void) => client.subscribe(listener), [client]);
  const getSnapshot = useCallback(() => client.getSnapshot(), [client]);
  const snapshot = useSyncExternalStore(subscribe, getSnapshot, getServerSnapshot);
  // Before paint, so that requests in the history appear together with it.
  useBrowserLayoutEffect(() => {
    if (conversationId !== undefined && messages !== undefined) client.readMessages(conversationId, messages);
  }, [client, conversationId, messages]);
  useEffect(() => {
    if (conversationId !== undefined) void client.refresh(conversationId);
  }, [client, conversationId]);

  const bind = useMemo(() => createBinder(client), [client]);
  return useMemo(() => {
    const elicitations = snapshot.items
      .filter((item) => conversationId === undefined || item.conversationId === conversationId)
      .map(bind);
    // An answer that is held for its round waits for the others of the round, not for the person.
    return { elicitations, current: elicitations.find((item) => isOpen(item) && item.status !== "answered") };
  }, [bind, snapshot, conversationId]);
}

const EMPTY: ElicitationSnapshot = { items: [] };
const getServerSnapshot = (): ElicitationSnapshot => EMPTY;
