import { parseOnDemand } from "../form/parse-on-demand.ts";
import type { ElicitationRequest } from "../contract/contract.ts";
import { createAssigning } from "./assigning.ts";
import { createAnswerSender } from "./answer-sender.ts";
import type { Channel, ChannelEvent } from "./channel.ts";
import { type Clock, systemClock } from "./clock.ts";
import { createDraftStore } from "./drafts.ts";
import type { ElicitationClient } from "./elicitation.ts";
import { orderWithHistory } from "./history-order.ts";
import { inspectUrl } from "../contract/inspect-url.ts";
import { createItemStore } from "./item-store.ts";
import { createLister } from "./lister.ts";
import { onWindowOnline } from "./online.ts";
import { createOpenedPages } from "./opened-pages.ts";
import { createPopup, type OpenUrl, type PopupEnvironment } from "./popup/index.ts";
import { readElicitations } from "./read-messages.ts";
import { forgetAnswer } from "./forget-answer.ts";
import { createProposals } from "./proposals.ts";
import { createRetryPauses } from "./retry-pauses.ts";
import { createRounds } from "./rounds.ts";
import { createSameQuestions } from "./same-questions.ts";
import { createItem, type RequestInspection } from "./state.ts";
import { createStatusReader } from "./status.ts";
import { createViews } from "./views.ts";
import { createWindows } from "./windows.ts";
import { isThirdParty } from "../contract/third-party.ts";

/**
 * A page may report completion as often as it likes, but each accept is a write, so repetitions within this time are
 * ignored.
 */
const REPEATED_MS = 10_000;

/** The options of `createElicitationClient`. Only `channel` is required. */
export interface ElicitationClientOptions {
  /** The channel that delivers requests and sends answers. */
  channel: Channel;
  /**
   * Origin of the operator's hosted page, for example `https://auth.example.com`. Only windows of this origin keep their
   * `window.opener` and may report completion. `""` trusts none.
   * @default the page's own origin, if `channel` connects to the chat's own server (it has `bind`); else none
   */
  trustedOrigin?: string | undefined;
  /** Opens URLs where `window.open` does not work: Electron, Tauri, Capacitor. */
  openUrl?: OpenUrl | undefined;
  /**
   * The storage for drafts. `null`: nothing is kept across a reload.
   * @default the tab's session storage
   */
  storage?: Storage | null | undefined;
  /**
   * The id of the signed-in user, `null` while nobody is. Drafts belong to a user. When the client is created, it removes
   * drafts of other users from the tab. Create a client for each user.
   * @default unknown: drafts stay until their request ends or the tab is closed
   */
  user?: string | null | undefined;
  /** @default the clock of this machine */
  clock?: Clock | undefined;
  /** Opens windows and receives their messages. @default globalThis */
  popupEnvironment?: PopupEnvironment | undefined;
  /** Subscribes to the browser's return online. @default the window's `online` event */
  onOnline?: ((listener: () => void) => () => void) | undefined;
}

/**
 * Creates the client of a chat, or of all chats of an app. It keeps the requests, sends each answer at most once, opens
 * pages, and reads the status from the server. It needs no framework and no browser. Views subscribe to it.
 *
 * Its functions throw an `elicit-kit:` error for an id that was never received (`check` and `drafts` ignore such an id).
 * Refusals by the server and network failures appear in the item's `notice` and are never thrown.
 *
 * @example
 * const client = createElicitationClient({ channel: createHttpChannel({ api: "/run/api" }) });
 * const stop = client.subscribe(() => render(client.getSnapshot().items));
 */
export function createElicitationClient(options: ElicitationClientOptions): ElicitationClient {
  const { channel, clock = systemClock, onOnline = onWindowOnline } = options;
  // The other side of MCP, A2A, ACP and AG-UI is a third party. A redirect on the app's own site must not give it access
  // to the chat's window.
  const isOwnServer = channel.bind !== undefined;
  const trustedOrigin =
    options.trustedOrigin ?? (isOwnServer ? ownOrigin(options.popupEnvironment) : undefined);
  /**
   * By conversation: the ids of the requests on its live stream. A stream that is read again contains all of them again.
   */
  const live = new Map<string, Set<string>>();
  const read = new WeakSet<ElicitationRequest>();
  /** When an answer was last sent because the page of a request reported completion. */
  const completions = new Map<string, number>();
  /** Ids of the requests that are or were in messages. */
  const inMessages = new Set<string>();
  const disposal = new AbortController();
  const { signal } = disposal;
  const drafts = createDraftStore(options.storage, options.user);
  const popup = createPopup({ environment: options.popupEnvironment, clock, openUrl: options.openUrl });
  /** When the first request came. A framework may call this function where it refuses to read the clock. */
  let startedAt: number | undefined;
  let followed: ReadonlySet<string> = new Set();
  const isOnLiveStream = (id: string): boolean =>
    followed.has(id) || live.get(store.getKnown(id).conversationId)?.has(id) === true;

  const store = createItemStore((item) => {
    const { id } = item;
    windows.onClosed(item);
    // Without a yes, the same question may come again.
    if (item.status === "accepted") drafts.save(id, undefined);
    // The other requests of its round no longer wait for it.
    void rounds.flush(id);
  });
  const views = createViews(clock, store.get);
  const takeOver = createSameQuestions(store, drafts);
  const pauses = createRetryPauses(clock, signal, onOnline);
  const context = { channel, clock, pauses, store, trustedOrigin, signal, isOnLiveStream };
  const sender = createAnswerSender(context);
  const statusReader = createStatusReader(context);
  const rounds = createRounds(context, sender);
  const windows = createWindows(context, popup, createOpenedPages(options.storage), {
    onConsent: (id) => void rounds.answer(id, "accept"),
    onHint(id, kind) {
      if (kind === "complete" && acceptCompletion(id)) return;
      // The stream of the conversation will contain the outcome.
      if (kind !== "interval" || !isOnLiveStream(id)) void check(id);
    },
  });

  const propose = createProposals(context);
  const lister = createLister(context, {
    onListed(conversationId, requests) {
      keepAll(conversationId, requests);
      if (live.has(conversationId)) return;
      // A request that is not on this list has ended or is not in this round, so no stream will contain the rest.
      for (const { elicitationId } of requests) void rounds.complete(elicitationId);
    },
    onUnlisted: check,
  });

  function receive(conversationId: string, request: ElicitationRequest): void {
    live.get(conversationId)?.add(request.elicitationId);
    keepAll(conversationId, [request]);
  }

  function keepAll(conversationId: string, requests: readonly ElicitationRequest[]): void {
    if (requests.length === 0) return;
    store.batch(() => {
      for (const request of requests) keep(conversationId, request);
    });
    statusReader.poll();
  }

  function inspect(request: ElicitationRequest): RequestInspection {
    if (request.mode === "url") {
      const { href, verdict, reasons } = inspectUrl(request.url);
      if (verdict === "block") return { blocked: { kind: "url", reasons } };
      if (new URL(href).origin !== trustedOrigin) return {};
      // Pages of the chat's own site know the user, whatever link they are opened by.
      const worksByLink = options.trustedOrigin === undefined || request.context?.["worksByLink"] === true;
      return { opener: worksByLink ? "kept" : "needed" };
    }
    const parsed = parseOnDemand(request.requestedSchema);
    const takesNote = isOwnServer && !isThirdParty(request);
    const takesSentence = channel.propose !== undefined && request.context?.["takesSentence"] === true;
    const canRemember = channel.forget !== undefined && request.remember !== undefined;
    return parsed.ok
      ? {
          fields: parsed.fields,
          ...(canRemember && { canRemember }),
          ...(takesNote && { takesNote }),
          ...(takesSentence && { takesSentence }),
        }
      : { blocked: { kind: "schema", reasons: parsed.reasons } };
  }

  function keep(conversationId: string, request: ElicitationRequest): void {
    const id = request.elicitationId;
    startedAt ??= clock.now();
    if (store.get(id) !== undefined) {
      // A stream that is read again after a reload contains the request once open, and once ended.
      const isHistory = Date.parse(request.resolution?.at ?? "") < startedAt;
      store.dispatch(id, { type: "received", request, isHistory });
    } else {
      const item = createItem(conversationId, request, inspect(request));
      takeOver(item);
      store.add(item);
      views.expect(item);
      windows.restore(id);
    }
    confirmCompletion(id);
    void rounds.flush(id);
  }

  function onChannelEvent(event: ChannelEvent): void {
    if (event.type === "request") return receive(event.conversationId, event.request);
    if (event.live) live.set(event.conversationId, new Set());
    else live.delete(event.conversationId);
    // The requests of a turn may end with its stream.
    if (!event.live) for (const item of store.openOf(event.conversationId)) void check(item.id);
  }

  async function check(id: string): Promise<void> {
    await statusReader.read(id);
    confirmCompletion(id);
    statusReader.poll();
  }

  /**
   * Accepts a request whose own page, at the trusted origin, reports completion. A server that verifies completion
   * replies "pending" until it is true. A server without a status route gets the outcome only this way.
   */
  function acceptCompletion(id: string): boolean {
    const { request, opener, status } = store.getKnown(id);
    const canAccept = request.mode === "url" && request.acceptMeans !== "consent" && opener !== undefined;
    const now = clock.now();
    const isRepeated = now - (completions.get(id) ?? Number.NEGATIVE_INFINITY) < REPEATED_MS;
    if (!canAccept || isRepeated || (status !== "pending" && status !== "opened")) return false;
    completions.set(id, now);
    void rounds.answer(id, "accept");
    return true;
  }

  /**
   * Accepts a URL request whose page is complete. For a server that has already settled it, this is a repeated answer.
   */
  function confirmCompletion(id: string): void {
    const item = store.get(id);
    if (item?.request.mode !== "url" || item.request.progress?.status !== "completed") return;
    if (item.status === "pending" || item.status === "opened") void rounds.answer(id, "accept");
  }

  const stopChannel = channel.subscribe(onChannelEvent);

  return {
    channel,
    follow(ids) {
      followed = ids;
      statusReader.poll();
    },
    subscribe(listener, shows) {
      const stop = store.subscribe(listener);
      const removeView = views.add(shows);
      statusReader.poll();
      return () => {
        stop();
        removeView();
        statusReader.poll();
      };
    },
    getSnapshot: store.getSnapshot,
    receive,
    readMessages(conversationId, messages) {
      const requests = readElicitations(messages);
      const unread = requests.filter((request) => !read.has(request));
      if (unread.length === 0) return;
      for (const request of unread) read.add(request);
      const known = store.items();
      const ids = requests.map((request) => request.elicitationId);
      for (const id of ids) inMessages.add(id);
      const added = new Set(ids.filter((id) => store.get(id) === undefined));
      store.batch(() => {
        keepAll(conversationId, unread);
        const history = { conversationId, ids, added, inMessages };
        if (added.size > 0) store.reorder(orderWithHistory(known, history));
      });
    },
    refresh: lister.refresh,
    connect: windows.open,
    markOpened: windows.markOpened,
    accept: (id, content, { remember } = {}) => rounds.answer(id, "accept", { content, remember }),
    forget: (id) => forgetAnswer(context, id),
    ...createAssigning(context),
    decline: (id, note) => rounds.answer(id, "decline", { note }),
    cancel: (id) => rounds.answer(id, "cancel"),
    propose,
    async retry(id) {
      store.getKnown(id);
      pauses.end(id);
    },
    check,
    remaining: (id) => statusReader.remaining(store.getKnown(id)),
    drafts,
    dispose() {
      stopChannel();
      windows.stopAll();
      views.dispose();
      disposal.abort();
    },
  };
}

/** `undefined` outside a browser, and for a page with an opaque origin, which all such pages would share. */
function ownOrigin({ location }: Partial<PopupEnvironment> = globalThis): string | undefined {
  return location?.origin.startsWith("http") ? location.origin : undefined;
}
