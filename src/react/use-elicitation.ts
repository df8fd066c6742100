"use client";
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import {
  createElicitationClient,
  createHttpChannel,
  type ElicitationClient,
  type ElicitationClientOptions,
  type ElicitationSnapshot,
  type HttpChannelOptions,
  isOpen,
  type MessageLike,
} from "../client/index.ts";
import { type BoundElicitation, createBinder } from "./bound-elicitation.ts";
import { useBrowserLayoutEffect } from "./browser-layout-effect.ts";

/** One conversation, or (without an id) all that the client knows. */
export type ElicitationSource =
  | {
      /** Only requests of this conversation are listed; its open ones are asked for on mount. */
      conversationId: string;
      /** The chat's messages: requests in them that the client does not know are taken in. */
      messages?: readonly MessageLike[] | undefined;
    }
  | { conversationId?: undefined; messages?: undefined };

/**
 * A shared client (of `createElicitation`), or the options to make one that lives as long as the component (read once,
 * and when `api` changes). One that is made here reads its requests from `messages` and from the server; the chat's own
 * transport has to send the header `x-supports-elicitation: true`.
 */
export type ElicitationClientSource =
  | { client: ElicitationClient }
  | (Omit<ElicitationClientOptions, "channel"> & HttpChannelOptions & { client?: undefined });

/** Which requests `useElicitation` shows, and which client brings the answers. */
export type UseElicitationOptions = ElicitationSource & ElicitationClientSource;

/** What `useElicitation` gives a component. */
export interface UseElicitationResult {
  /** In the order they were asked, ended ones too. The same array until one of them changes. */
  elicitations: readonly BoundElicitation[];
  /** The first that waits for the person. */
  current: BoundElicitation | undefined;
}

/**
 * The requests of a conversation, with their verbs. Needs no provider; every mount on one client shows the same.
 * On a server, and until hydration is done, there are none.
 *
 * @example
 * const { elicitations, current } = useElicitation({ client, conversationId: chat.id, messages: chat.messages });
 * <button onClick={() => current?.connect()}>Connect</button>
 */
export function useElicitation(options: UseElicitationOptions): UseElicitationResult {
  const { conversationId, messages } = options;
  const client = useClient(options);
  const subscribe = useCallback(
    (listener: () => void) => client?.subscribe(listener) ?? (() => undefined),
    [client],
  );
  const getSnapshot = useCallback(() => client?.getSnapshot() ?? EMPTY, [client]);
  const snapshot = useSyncExternalStore(subscribe, getSnapshot, getEmpty);
  // Before paint, so that history shows no gap.
  useBrowserLayoutEffect(() => {
    if (conversationId !== undefined && messages !== undefined)
      client?.readMessages(conversationId, messages);
  }, [client, conversationId, messages]);
  useEffect(() => {
    if (conversationId !== undefined) void client?.refresh(conversationId);
  }, [client, conversationId]);

  const bind = useMemo(() => client && createBinder(client), [client]);
  return useMemo(() => {
    const items = snapshot.items.filter(
      (item) => conversationId === undefined || item.conversationId === conversationId,
    );
    const elicitations = bind === undefined ? [] : items.map(bind);
    // An answer that is held for its round waits for the others of the round, not for the person.
    return { elicitations, current: elicitations.find((item) => isOpen(item) && item.status !== "answered") };
  }, [bind, snapshot, conversationId]);
}

function useClient(options: ElicitationClientSource): ElicitationClient | undefined {
  const [first] = useState(options);
  const given = options.client;
  const api = options.client === undefined ? options.api : undefined;
  const owner = useMemo(
    () =>
      given === undefined && first.client === undefined
        ? createOwner(() => createOwnClient({ ...first, api }))
        : NO_OWNER,
    [given, first, api],
  );
  const own = useSyncExternalStore(owner.subscribe, owner.get, getNone);
  return given ?? own;
}

/** Reads messages and asks the server. The chat's stream stays its own: nobody could get at this client's transport. */
function createOwnClient(options: Omit<ElicitationClientOptions, "channel"> & HttpChannelOptions) {
  return createElicitationClient({ ...options, channel: createHttpChannel(options) });
}

/**
 * A client that lives while somebody subscribes: StrictMode, hidden trees and servers then leave none behind that nobody
 * ends.
 */
function createOwner(make: () => ElicitationClient) {
  let client: ElicitationClient | undefined;
  return {
    subscribe: (listener: () => void) => {
      client = make();
      listener();
      return () => {
        client?.dispose();
        client = undefined;
      };
    },
    get: () => client,
  };
}

const EMPTY: ElicitationSnapshot = { items: [] };
const getEmpty = (): ElicitationSnapshot => EMPTY;
const getNone = (): undefined => undefined;
const NO_OWNER = { subscribe: () => getNone, get: getNone };
