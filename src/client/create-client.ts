import { parseOnDemand } from "../form/parse-on-demand.ts";
import type {
  ElicitationAction,
  ElicitationAnswer,
  ElicitationContent,
  ElicitationRequest,
} from "../protocol/contract.ts";
import { type Channel, ChannelError, type ChannelEvent } from "./channel.ts";
import { type Clock, systemClock } from "./clock.ts";
import { createAnswerSender } from "./answer-sender.ts";
import { createDraftStore } from "./drafts.ts";
import type { ElicitationClient, ElicitationItem, ElicitationSnapshot } from "./elicitation.ts";
import { inspectUrl } from "./inspect-url.ts";
import { onWindowOnline } from "./online.ts";
import { createPopup, type OpenUrl, type Popup, type PopupEnvironment } from "./popup/index.ts";
import { readElicitations } from "./read-messages.ts";
import {
  createItem,
  type ElicitationEvent,
  type RequestInspection,
  hasEnded,
  hasEndedByAnswer,
  isOpen,
  transition,
} from "./state.ts";
import { createStatusReader } from "./status.ts";

/**
 * What `createElicitationClient` takes. Only `channel` is needed; the rest is the outside world, replaced in
 * tests.
 */
export interface ElicitationClientOptions {
  /** Where requests come from and answers go. */
  channel: Channel;
  /**
   * Origin of the operator's hosted page, for example `https://auth.example.com`. Only a window of this origin keeps
   * its opener and may send completion hints. Default: none, every opener is cut.
   */
  trustedOrigin?: string | undefined;
  /** Opens a URL where `window.open` is not the way: Electron, Tauri, Capacitor. */
  openUrl?: OpenUrl | undefined;
  /** Where drafts are kept. Default: the tab's session storage. `null`: nowhere. */
  storage?: Storage | null | undefined;
  /** Default: the machine's. */
  clock?: Clock | undefined;
  /** Windows and messages. Default: `globalThis`. */
  popupEnvironment?: PopupEnvironment | undefined;
  /** Calls back when the network is back. Default: the window's `online` event. */
  onOnline?: ((listener: () => void) => () => void) | undefined;
}

/**
 * Makes the one client of a chat (or of an app): it holds every request, brings answers to the server at most once
 * each, opens pages, and reads the server's truth. Framework-free; views subscribe to it.
 *
 * Throws nothing, and needs no browser, so that it can be made on a server. What its functions throw is an
 * `elicit-kit:` error about an id that was never received (`check` and `drafts` pass over one); what the server or the
 * network refuses is in the item's `notice`, never an exception.
 *
 * @example
 * const client = createElicitationClient({ channel: createHttpChannel({ api: "/run/api" }) });
 * const stop = client.subscribe(() => render(client.getSnapshot().items));
 */
export function createElicitationClient(options: ElicitationClientOptions): ElicitationClient {
  const { channel, trustedOrigin, clock = systemClock, onOnline = onWindowOnline } = options;
  const items = new Map<string, ElicitationItem>();
  const listeners = new Set<() => void>();
  const live = new Set<string>();
  const read = new WeakSet<ElicitationRequest>();
  const watches = new Map<string, ReturnType<Popup["watch"]>>();
  const disposal = new AbortController();
  const { signal } = disposal;
  const drafts = createDraftStore(options.storage);
  const popup = createPopup({ environment: options.popupEnvironment, clock, openUrl: options.openUrl });
  let snapshot: ElicitationSnapshot | undefined = { items: [] };

  const get = (id: string): ElicitationItem | undefined => items.get(id);
  const isLive = (conversationId: string): boolean => live.has(conversationId);
  const answerSender = createAnswerSender({ channel, clock, signal, get, dispatch });
  const status = createStatusReader({
    channel,
    clock,
    signal,
    get,
    isLive,
    isWatched: () => listeners.size > 0,
    dispatch,
    items: () => items.values(),
  });

  function dispatch(id: string, event: ElicitationEvent): void {
    const before = items.get(id);
    const after = before && transition(before, event);
    if (after === undefined || after === before) return;
    put(after);
  }

  function put(item: ElicitationItem): void {
    items.set(item.id, item);
    if (!isOpen(item)) {
      // After another end the page explains what happened; after an answer it has nothing more to say.
      stopWatching(item.id, hasEndedByAnswer(item.status));
      drafts.save(item.id, undefined);
    }
    snapshot = undefined;
    for (const listener of listeners) listener();
  }

  function receive(conversationId: string, request: ElicitationRequest): void {
    const id = request.elicitationId;
    if (items.has(id)) dispatch(id, { type: "received", request });
    else put(createItem(conversationId, request, inspect(request, trustedOrigin)));
    confirmCompletion(id);
    void flushRound(id);
    status.poll();
  }

  function onChannelEvent(event: ChannelEvent): void {
    if (event.type === "request") return receive(event.conversationId, event.request);
    if (event.live) live.add(event.conversationId);
    else live.delete(event.conversationId);
    // A stream that ends may have taken its requests with it.
    if (!event.live) for (const item of openOf(event.conversationId)) void check(item.id);
  }

  function openOf(conversationId: string): ElicitationItem[] {
    return [...items.values()].filter((item) => item.conversationId === conversationId && isOpen(item));
  }

  async function check(id: string): Promise<void> {
    await status.read(id);
    confirmCompletion(id);
    status.poll();
  }

  /** The page says it is done: that is the accept. Servers that settle by themselves take it as a repetition. */
  function confirmCompletion(id: string): void {
    const item = items.get(id);
    if (item?.request.mode !== "url" || item.request.progress?.status !== "completed") return;
    if (item.status === "pending" || item.status === "opened") void answer(id, "accept");
  }

  function answer(id: string, action: ElicitationAction, content?: ElicitationContent): Promise<void> {
    const item = known(id);
    if (hasEnded(item.status)) return Promise.resolve();
    const given: ElicitationAnswer = {
      conversationId: item.conversationId,
      elicitationId: id,
      action,
      ...(content !== undefined && { content }),
    };
    if (item.status === "undelivered") answerSender.retryNow(id);
    if (item.request.round === undefined) return answerSender.send([given]);
    dispatch(id, { type: "held", answer: given });
    return flushRound(id);
  }

  /** A round is answered whole: its answers leave together, once none of its requests is still unanswered. */
  function flushRound(id: string): Promise<void> {
    const round = items.get(id)?.request.round;
    if (round === undefined) return Promise.resolve();
    const members = [...items.values()].filter((item) => item.request.round?.id === round.id);
    const open = members.filter(isOpen);
    const answers = open.flatMap((item) => (item.status === "answered" && item.answer ? [item.answer] : []));
    if (members.length < round.size || answers.length === 0 || answers.length < open.length)
      return Promise.resolve();
    return answerSender.send(answers);
  }

  function connect(id: string): void {
    const item = known(id);
    if (item.request.mode !== "url" || (item.status !== "pending" && item.status !== "opened")) return;
    // A URL that must not be opened has a blocked item, and never changes.
    const { href } = inspectUrl(item.request.url);
    const onBlocked = (): void => dispatch(id, { type: "window", window: "blocked" });
    const window = popup.open({ id, href, trustedOrigin, onBlocked });
    dispatch(id, { type: "window", window });
    if (window !== "blocked") follow(id);
  }

  function follow(id: string): void {
    const { request } = known(id);
    if (request.mode !== "url" || signal.aborted) return;
    const isConsented = request.progress !== undefined && request.progress.status !== "pending";
    if (request.acceptMeans === "consent" && !isConsented) void answer(id, "accept");
    if (watches.has(id)) return;
    let asked: { challenge: string; ticket: Promise<string> | undefined } | undefined;
    const stop = popup.watch({
      id,
      trustedOrigin,
      onHint(kind) {
        if (kind === "interval" && isLive(known(id).conversationId)) return;
        void check(id);
      },
      onBind(challenge, reply) {
        // A page asks until it has an answer. Each challenge is brought to the server once, and again only when that
        // could not be reached. A page that gets no ticket says so by itself; the card stays as it is.
        if (asked?.challenge !== challenge) {
          asked = { challenge, ticket: channel.bind?.(id, challenge, { signal }) };
        }
        asked.ticket?.then(reply, (error: unknown) => {
          if (error instanceof ChannelError && error.retryable) asked = undefined;
        });
      },
      onClosed: () => dispatch(id, { type: "window", window: "closed" }),
    });
    watches.set(id, stop);
  }

  function stopWatching(id: string, closeWindow: boolean): void {
    watches.get(id)?.({ closeWindow });
    watches.delete(id);
  }

  function known(id: string): ElicitationItem {
    const item = items.get(id);
    if (item === undefined) {
      throw new Error(`elicit-kit: no request "${id}" is known to this client. Pass it to receive() first.`);
    }
    return item;
  }

  const stopChannel = channel.subscribe(onChannelEvent);
  const stopOnline = onOnline(() => answerSender.retryNow());

  return {
    subscribe(listener) {
      listeners.add(listener);
      status.poll();
      return () => {
        listeners.delete(listener);
        status.poll();
      };
    },
    getSnapshot() {
      snapshot ??= { items: [...items.values()] };
      return snapshot;
    },
    receive,
    readMessages(conversationId, messages) {
      for (const request of readElicitations(messages)) {
        if (read.has(request)) continue;
        read.add(request);
        receive(conversationId, request);
      }
    },
    async refresh(conversationId) {
      const before = openOf(conversationId);
      const listed = await channel.list?.(conversationId, { signal }).catch(() => undefined);
      for (const request of listed ?? []) receive(conversationId, request);
      const open = new Set(listed?.map((request) => request.elicitationId));
      await Promise.all(before.filter((item) => !open.has(item.id)).map((item) => check(item.id)));
    },
    connect,
    markOpened(id) {
      dispatch(id, { type: "window", window: "elsewhere" });
      follow(id);
    },
    accept: (id, content) => answer(id, "accept", content),
    decline: (id) => answer(id, "decline"),
    cancel: (id) => answer(id, "cancel"),
    async retry(id) {
      known(id);
      answerSender.retryNow(id);
    },
    check,
    remaining: (id) => status.remaining(known(id)),
    drafts,
    dispose() {
      stopChannel();
      stopOnline();
      for (const id of watches.keys()) stopWatching(id, false);
      listeners.clear();
      disposal.abort();
    },
  };
}

function inspect(request: ElicitationRequest, trustedOrigin: string | undefined): RequestInspection {
  if (request.mode === "url") {
    const { href, verdict, reasons } = inspectUrl(request.url);
    if (verdict === "block") return { blocked: { kind: "url", reasons } };
    if (new URL(href).origin !== trustedOrigin) return {};
    return { opener: request.context?.["worksByLink"] === true ? "kept" : "needed" };
  }
  const parsed = parseOnDemand(request.requestedSchema);
  return parsed.ok ? { fields: parsed.fields } : { blocked: { kind: "schema", reasons: parsed.reasons } };
}
