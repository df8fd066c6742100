import type { ElicitationRequest } from "../contract/contract.ts";
import { ChannelError } from "./channel.ts";
import type { ClientContext } from "./client-options.ts";

interface ListerListener {
  onListed(conversationId: string, requests: readonly ElicitationRequest[]): void;
  /** Called if the server does not list this request as open, or has no list. */
  onUnlisted(id: string): Promise<void>;
}

/** Reads from the server which requests of a conversation are open. */
export interface Lister {
  /**
   * Resolves after the first try. A failed try is repeated while the client has listeners. Calls in the same tick, for
   * example of several components that mount together, are combined.
   */
  refresh(conversationId: string): Promise<void>;
}

export function createLister(
  { channel, pauses, signal, store }: ClientContext,
  { onListed, onUnlisted }: ListerListener,
): Lister {
  /** The newest call for each conversation. It ends the retries of earlier calls. */
  const newest = new Map<string, object>();
  /** The calls of this tick. */
  const started = new Map<string, Promise<void>>();

  /** Whether to try again, and when. */
  async function read(conversationId: string): Promise<ChannelError | undefined> {
    const before = store.openOf(conversationId);
    let listed: readonly ElicitationRequest[] | undefined;
    let failure: ChannelError | undefined;
    try {
      listed = await channel.list?.(conversationId, { signal });
    } catch (error) {
      // Many servers have no list, and a page that loads during a deploy is rare: only a list that was there is read again.
      if (error instanceof ChannelError && error.retryable && !error.notOffered) failure = error;
    }
    if (signal.aborted) return undefined;
    if (listed !== undefined) onListed(conversationId, listed);
    const open = new Set(listed?.map((request) => request.elicitationId));
    await Promise.all(before.filter((item) => !open.has(item.id)).map((item) => onUnlisted(item.id)));
    return failure;
  }

  async function tryAgain(conversationId: string, call: object, first: ChannelError): Promise<void> {
    let failure: ChannelError | undefined = first;
    for (let attempt = 0; failure !== undefined; attempt++) {
      await pauses.after(attempt, [], failure.retryAfterMs);
      const isNeeded = newest.get(conversationId) === call && store.hasListeners() && !signal.aborted;
      failure = isNeeded ? await read(conversationId) : undefined;
    }
    if (newest.get(conversationId) === call) newest.delete(conversationId);
  }

  async function refreshNow(conversationId: string): Promise<void> {
    const call = {};
    newest.set(conversationId, call);
    const failure = await read(conversationId);
    if (failure !== undefined) void tryAgain(conversationId, call, failure);
    else if (newest.get(conversationId) === call) newest.delete(conversationId);
  }

  return {
    refresh(conversationId) {
      const underway = started.get(conversationId);
      if (underway !== undefined) return underway;
      const call = refreshNow(conversationId);
      started.set(conversationId, call);
      queueMicrotask(() => started.delete(conversationId));
      return call;
    },
  };
}
