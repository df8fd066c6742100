import type { InboxPage } from "../contract/contract.ts";
import { ChannelError } from "./channel.ts";
import { systemClock } from "./clock.ts";
import type { ElicitationClient } from "./elicitation.ts";
import { fieldOf, listOf } from "./http-replies.ts";
import { readSseData } from "./sse.ts";
import { onWindowOnline } from "./online.ts";
import { readRequest } from "./read-request.ts";
import { createRetryPauses } from "./retry-pauses.ts";
import { isOpen } from "./ended.ts";
import { createListeners } from "./listeners.ts";

/** One request of the inbox. The item of the client with this `id` has its state. */
export interface InboxEntry {
  readonly id: string;
  readonly conversationId: string;
  /** The kind of the surface that the request came through, such as `chat` or `slack`. */
  readonly surface: string | undefined;
  /** RFC 3339. */
  readonly askedAt: string;
}

/** The open requests of a user in all conversations. Created by `inboxOf`. */
export interface Inbox {
  /**
   * Calls `listener` after each change. Returns a function that unsubscribes. The inbox is read only while there are
   * listeners.
   */
  subscribe(listener: () => void): () => void;
  /** Returns the current snapshot: the same object until something changes. */
  getSnapshot(): {
    /** The entries, oldest first. Those that ended while the inbox was open stay, as receipts. */
    readonly entries: readonly InboxEntry[];
    /** `reconnecting`: the server cannot be reached now. `unavailable`: it has no inbox, or the user is not signed in. */
    readonly status: "loading" | "live" | "reconnecting" | "unavailable";
  };
  /**
   * Reads the inbox again at once, unless it is live. Use it for a button "Try again", and after the user has signed in.
   */
  readonly retry: () => void;
}

const inboxes = new WeakMap<ElicitationClient["subscribe"], Inbox>();

/**
 * Returns the inbox of a client. All callers get the same object, so that a page reads one stream. The client receives
 * each request of the inbox, and its methods answer them.
 *
 * @example
 * const inbox = inboxOf(client);
 * inbox.subscribe(() => console.log(inbox.getSnapshot().entries.length));
 */
export function inboxOf(client: ElicitationClient): Inbox {
  // Keyed by a method of the client, because `createElicitation` copies the methods into its own client object.
  const known = inboxes.get(client.subscribe);
  if (known !== undefined) return known;
  const made = createInbox(client);
  inboxes.set(client.subscribe, made);
  return made;
}

type Snapshot = ReturnType<Inbox["getSnapshot"]>;

function createInbox(client: ElicitationClient): Inbox {
  const listeners = createListeners();
  let snapshot: Snapshot = { entries: [], status: "loading" };
  let reading: AbortController | undefined;
  /** Whether the server has an inbox. */
  let isOffered = false;

  function set(next: Partial<Snapshot>): void {
    snapshot = { ...snapshot, ...next };
    listeners.tell();
  }

  async function call(query: string, accept: string, signal: AbortSignal): Promise<Response> {
    const { read } = client.channel;
    if (read === undefined) throw new ChannelError("this channel has no inbox", { retryable: false });
    const response = await read(`/elicitations${query}`, { signal, accept });
    isOffered ||= response.ok;
    if (response.ok) return response;
    await response.body?.cancel();
    // A later page begins after a request that may wait for somebody else by now: the list is read from its start.
    // After the server has had the route, a 404 comes from a proxy that has no server during a deploy.
    const retryable = query !== "" || (isOffered && response.status === 404);
    throw new ChannelError(`the inbox answered ${response.status}`, { retryable });
  }

  /** Handles the whole list, which begins with the page `first`. Requests that are no longer on it have ended. */
  async function take(first: unknown, signal: AbortSignal): Promise<void> {
    const listed: InboxEntry[] = [];
    for (let page = first; ;) {
      for (const item of listOf(page, "items")) listed.push(...receive(item));
      const next = fieldOf(page, "next");
      if (typeof next !== "string") break;
      const response = await call(`?after=${encodeURIComponent(next)}`, "application/json", signal);
      page = await response.json();
    }
    const ids = new Set(listed.map(({ id }) => id));
    client.follow(ids);
    // Otherwise the inbox would be live before its requests are items.
    if (ids.size > 0) await client.ready();
    const before = new Set(snapshot.entries.map(({ id }) => id));
    const ended = snapshot.entries.filter(({ id }) => !ids.has(id));
    set({ entries: [...snapshot.entries, ...listed.filter(({ id }) => !before.has(id))], status: "live" });
    const items = new Map(client.getSnapshot().items.map((item) => [item.id, item]));
    for (const { id } of ended) {
      const item = items.get(id);
      if (item !== undefined && isOpen(item)) void client.check(id);
    }
  }

  function receive(item: unknown): readonly InboxEntry[] {
    const [conversationId, surface] = [fieldOf(item, "conversationId"), fieldOf(item, "surface")];
    const [request, askedAt] = [readRequest(fieldOf(item, "request"), ""), fieldOf(item, "askedAt")];
    if (!request.ok || typeof conversationId !== "string" || typeof askedAt !== "string") return [];
    client.receive(conversationId, request.value);
    const kind = typeof surface === "string" ? surface : undefined;
    return [{ id: request.value.elicitationId, conversationId, surface: kind, askedAt }];
  }

  async function run(signal: AbortSignal): Promise<void> {
    const pauses = createRetryPauses(systemClock, signal, onWindowOnline);
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      let retryAfterMs: number | undefined;
      let hasFailed = false;
      try {
        const { body } = await call("", "text/event-stream", signal);
        for await (const data of body === null ? [] : readSseData(body)) {
          const page: InboxPage = JSON.parse(data);
          await take(page, signal);
          attempt = 0;
        }
      } catch (error) {
        if (signal.aborted) return;
        hasFailed = true;
        if (error instanceof ChannelError && !error.retryable) return set({ status: "unavailable" });
        if (error instanceof ChannelError) ({ retryAfterMs } = error);
      }
      // From now on, no stream brings the outcomes of its requests.
      client.follow(new Set());
      if (signal.aborted) return;
      // The end of a stream is not shown to the user, as long as the next one opens.
      if (hasFailed || attempt > 0) set({ status: "reconnecting" });
      await pauses.after(attempt, [], retryAfterMs);
    }
  }

  function start(): void {
    reading?.abort();
    reading = new AbortController();
    void run(reading.signal);
  }

  function stop(): void {
    reading?.abort();
    reading = undefined;
    client.follow(new Set());
    snapshot = { entries: [], status: "loading" };
  }

  return {
    getSnapshot: () => snapshot,
    retry() {
      if (reading === undefined || snapshot.status === "live") return;
      set({ status: "loading" });
      start();
    },
    subscribe(listener) {
      const stopListening = listeners.add(listener);
      if (reading === undefined) start();
      return () => {
        stopListening();
        // A view that is shown again at once continues to read.
        queueMicrotask(() => {
          if (listeners.isEmpty()) stop();
        });
      };
    },
  };
}
