import { type ElicitationAnswer, type ElicitationRequest, REQUEST_PART_TYPE } from "../contract/contract.ts";
import { isObject } from "../contract/json.ts";
import { ChannelError, type ChannelEvent } from "./channel.ts";
import type { ElicitationClientOptions } from "./client-options.ts";
import { systemClock } from "./clock.ts";
import type { Desk } from "./desk.ts";
import { createArriving } from "./arriving.ts";
import type { ElicitationClient, ElicitationSnapshot } from "./elicitation.ts";
import { whenIdle } from "./late.ts";
import { isolateErrors } from "./listeners.ts";
import { lateDesk } from "./late-desk.ts";
import { keysOf, sessionStorageOrNull } from "./session-storage.ts";

const EMPTY: ElicitationSnapshot = { items: [] };

interface View {
  readonly listener: () => void;
  readonly shows: ((conversationId: string) => boolean) | undefined;
  stop?: () => void;
}

/**
 * Creates the client of a chat, or of all chats of an app. It keeps the requests, sends each answer at most once, opens
 * pages, and reads the status from the server. It needs no framework and no browser. Views subscribe to it.
 *
 * The code that handles requests is a separate chunk. A page loads it with the first request, or when it is idle. Until
 * then, the snapshot has no items, and calls wait for the chunk. `ready` loads it.
 *
 * Its functions throw an `elicit-kit:` error for an id that was never received (`check` and `drafts` ignore such an id).
 * Refusals by the server and network failures appear in the item's `notice` and are never thrown.
 *
 * @example
 * const client = createElicitationClient({ channel: createHttpChannel({ api: "/run/api" }) });
 * await client.ready(); // Not needed in a page with views.
 * const stop = client.subscribe(() => render(client.getSnapshot().items));
 */
export function createElicitationClient(options: ElicitationClientOptions): ElicitationClient {
  const { channel, clock = systemClock } = options;
  /** What has happened since the client was created, for the desk. */
  const log: ((desk: Desk) => void)[] = [];
  /** The conversations whose stream was live before the first entry of the log. */
  const live = new Set<string>();
  const arriving = createArriving(clock);
  const requests = new Map<string, ElicitationRequest>();
  /** The data of message parts that are in the log. */
  const seen = new WeakSet<object>();
  const views = new Set<View>();
  /** The lists that were requested in this tick. */
  const lists = new Map<string, Promise<void>>();
  const disposal = new AbortController();
  const { signal } = disposal;
  let desk: Desk | undefined;
  let snapshot = EMPTY;
  let followed: ReadonlySet<string> | undefined;
  let stopWaiting: (() => void) | undefined;
  let stopPreload: (() => void) | undefined;

  /** Returns the desk, as soon as its code is there. */
  function open(): Desk | undefined {
    const code = lateDesk.now();
    if (desk !== undefined || typeof code === "string") return desk;
    const opened = (desk = code.createDesk({ ...options, startedAt: arriving.startedAt() }));
    if (signal.aborted) opened.dispose();
    stopWaiting?.();
    stopPreload?.();
    if (followed !== undefined) opened.follow(followed);
    for (const conversationId of live) opened.onChannelEvent({ type: "live", conversationId, live: true });
    // An error of one entry must not keep the rest from the desk.
    for (const entry of log.splice(0)) isolateErrors(entry)(opened);
    for (const view of views) view.stop = opened.subscribe(view.listener, view.shows);
    if (!arriving.isEmpty()) tell();
    return opened;
  }

  function tell(): void {
    for (const { listener } of views) isolateErrors(listener)();
  }

  /** The page needs the desk. */
  function load(): void {
    if (desk !== undefined) return;
    stopWaiting ??= lateDesk.subscribe(() => {
      if (open() === undefined) changed();
    });
    void lateDesk.load();
  }

  function changed(): void {
    if (desk !== undefined || arriving.isEmpty()) return;
    snapshot = arriving.snapshot(lateDesk.now() === "failed");
    tell();
  }

  function act(entry: (desk: Desk) => void): void {
    const opened = open();
    if (opened !== undefined) return entry(opened);
    log.push(entry);
    load();
  }

  function ask<Result>(call: (desk: Desk) => Promise<Result>): Promise<Result> {
    const opened = open();
    if (opened !== undefined) return call(opened);
    return new Promise((resolve) => act((later) => resolve(settled(() => call(later)))));
  }

  function note(conversationId: string, request: ElicitationRequest): void {
    if (open() !== undefined) return;
    arriving.add(conversationId, request);
    requests.set(request.elicitationId, request);
  }

  function receive(conversationId: string, request: ElicitationRequest): void {
    note(conversationId, request);
    act((opened) => opened.receive(conversationId, request));
    changed();
  }

  function onChannelEvent(event: ChannelEvent): void {
    if (event.type === "request") return receive(event.conversationId, event.request);
    const opened = open();
    if (opened !== undefined) opened.onChannelEvent(event);
    else if (log.length > 0) log.push((later) => later.onChannelEvent(event));
    else if (event.live) live.add(event.conversationId);
    else live.delete(event.conversationId);
  }

  /** Reads the open requests without the desk, which a page that has none does not need. */
  async function list(conversationId: string): Promise<void> {
    let listed: readonly ElicitationRequest[] | undefined;
    try {
      listed = await channel.list?.(conversationId, { signal });
    } catch (error) {
      // The desk tries again.
      if (!signal.aborted && error instanceof ChannelError && error.retryable && !error.notOffered)
        return ask((opened) => opened.refresh(conversationId));
    }
    if (signal.aborted || listed === undefined || listed.length === 0) return;
    for (const request of listed) note(conversationId, request);
    const found = listed;
    const done = ask(async (opened) => opened.onListed(conversationId, found));
    changed();
    return done;
  }

  function refresh(conversationId: string): Promise<void> {
    if (open() !== undefined || log.length > 0) return ask((opened) => opened.refresh(conversationId));
    const known = lists.get(conversationId);
    if (known !== undefined) return known;
    const started = list(conversationId);
    lists.set(conversationId, started);
    queueMicrotask(() => lists.delete(conversationId));
    return started;
  }

  /** Sends a no that needs no desk, because its code could not be loaded. */
  async function declineWithoutDesk(answer: ElicitationAnswer): Promise<void> {
    const { elicitationId: id, note: reason } = answer;
    const request = requests.get(id);
    arriving.setOpen(id, false);
    changed();
    if (request !== undefined && channel.delivery(request).decline !== "send") {
      log.push((later) => void later.decline(id, reason));
      return;
    }
    try {
      const [receipt] = await channel.respond([answer], { signal });
      if (receipt === undefined) return;
      const settle = (later: Desk) => later.onAnswered(answer, receipt);
      const opened = open();
      if (opened === undefined) log.push(settle);
      else settle(opened);
    } catch {
      if (open() !== undefined) return ask((opened) => opened.decline(id, reason));
      arriving.setOpen(id, true);
      changed();
    }
  }

  /** Input and windows of the last page in this tab wait for their requests. */
  function hasKept(): boolean {
    const { storage = sessionStorageOrNull() } = options;
    return keysOf(storage).some((key) => /^elicit-kit:(?:draft|opened):/.test(key));
  }

  function preload(): void {
    // A script without a page waits with `ready`.
    if (typeof document === "undefined") return;
    if (hasKept()) load();
    else if (options.preload !== "never") stopPreload ??= whenIdle(load);
  }

  open();
  const stopChannel = channel.subscribe(onChannelEvent);

  return {
    channel,
    preload: options.preload ?? "idle",
    async ready() {
      await lateDesk.load();
      if (open() !== undefined) return;
      throw new Error(
        "elicit-kit: the code that answers requests could not be loaded. Call ready() again when the network is back.",
      );
    },
    follow(ids) {
      followed = ids;
      open()?.follow(ids);
    },
    subscribe(listener, shows) {
      const opened = open();
      if (opened !== undefined) return opened.subscribe(listener, shows);
      const view: View = { listener, shows };
      views.add(view);
      preload();
      return () => {
        views.delete(view);
        view.stop?.();
        if (views.size > 0) return;
        stopPreload?.();
        stopPreload = undefined;
      };
    },
    getSnapshot: () => desk?.getSnapshot() ?? snapshot,
    receive,
    readMessages(conversationId, messages) {
      const opened = open();
      if (opened !== undefined) return opened.readMessages(conversationId, messages);
      let isNew = false;
      for (const { role, parts } of messages) {
        if (role === "user") continue;
        for (const { type, data } of parts) {
          if (type !== REQUEST_PART_TYPE || !isObject(data) || seen.has(data)) continue;
          seen.add(data);
          isNew = true;
          arriving.add(conversationId, data);
        }
      }
      if (!isNew) return;
      const read = [...messages];
      act((later) => later.readMessages(conversationId, read));
      changed();
    },
    refresh,
    connect: (id) => ask((opened) => opened.connect(id)),
    markOpened: (id) => act((opened) => opened.markOpened(id)),
    accept: (id, content, o) => ask((opened) => opened.accept(id, content, o)),
    forget: (id) => ask((opened) => opened.forget(id)),
    link: (id) => ask((opened) => opened.link(id)),
    account: (id, o) => ask((opened) => opened.account(id, o)),
    assign: (id, to) => ask((opened) => opened.assign(id, to)),
    assignees: (id) => ask((opened) => opened.assignees(id)),
    remind: (id) => ask((opened) => opened.remind(id)),
    extend: (id) => ask((opened) => opened.extend(id)),
    decline(id, reason) {
      const shown = arriving.openOf(id);
      if (open() !== undefined || shown === undefined || lateDesk.now() !== "failed")
        return ask((opened) => opened.decline(id, reason));
      const { conversationId } = shown;
      const answer = { conversationId, elicitationId: id, action: "decline" } as const;
      return declineWithoutDesk(reason === undefined ? answer : { ...answer, note: reason });
    },
    cancel: (id) => ask((opened) => opened.cancel(id)),
    propose: (id, text) => ask((opened) => opened.propose(id, text)),
    retry: (id) => ask((opened) => opened.retry(id)),
    check: (id) => ask((opened) => opened.check(id)),
    remaining: (id) => open()?.remaining(id),
    drafts: {
      load: (id) => open()?.drafts.load(id),
      save: (id, drafts) => act((opened) => opened.drafts.save(id, drafts)),
    },
    dispose() {
      stopChannel();
      stopPreload?.();
      disposal.abort();
      desk?.dispose();
    },
  };
}

/** The promise of a call, also if the call throws. */
const settled = async <Result>(call: () => Promise<Result>): Promise<Result> => call();
