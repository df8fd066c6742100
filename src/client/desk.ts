import { parseOnDemand } from "../form/parse-on-demand.ts";
import type { ElicitationAnswer, ElicitationRequest } from "../contract/contract.ts";
import { accountOf, linkOf } from "./page-calls.ts";
import { createAssigning } from "./assigning.ts";
import { createAnswerSender } from "./answer-sender.ts";
import type { AnswerReceipt, ChannelEvent } from "./channel.ts";
import type { ElicitationClientOptions } from "./client-options.ts";
import { systemClock } from "./clock.ts";
import { createDraftStore } from "./drafts.ts";
import type { ElicitationClient } from "./elicitation.ts";
import { orderWithHistory } from "./history-order.ts";
import { inspectUrl } from "../contract/inspect-url.ts";
import { createItemStore } from "./item-store.ts";
import { createLister } from "./lister.ts";
import { onWindowOnline } from "./online.ts";
import { extendRequest } from "./more-time.ts";
import { createOpenedPages, createWindows } from "./windows.ts";
import type { PopupEnvironment } from "./popup/environment.ts";
import { createPopup } from "./popup/popup.ts";
import { readElicitations } from "./read-messages.ts";
import { forgetAnswer, createProposals } from "./proposals.ts";
import { createRetryPauses } from "./retry-pauses.ts";
import { createRounds, createSameQuestions } from "./rounds.ts";
import { createItem, type RequestInspection } from "./state.ts";
import { createStatusReader } from "./status.ts";
import { createViews } from "./views.ts";
import { isThirdParty } from "../contract/claimed-name.ts";

/**
 * A page may report completion as often as it likes, but each accept is a write, so repetitions within this time are
 * ignored.
 */
const REPEATED_MS = 10_000;

/** The options of a client, and what it knows when the desk is loaded. */
export interface DeskOptions extends ElicitationClientOptions {
  /** When the first request came, on the clock of the client. */
  startedAt: number | undefined;
}

/** What a client does with requests: everything besides receiving them. */
export interface Desk extends Omit<ElicitationClient, "channel" | "preload" | "ready"> {
  onChannelEvent(event: ChannelEvent): void;
  /** The server has listed these requests of a conversation as open. */
  onListed(conversationId: string, requests: readonly ElicitationRequest[]): void;
  /** An answer was sent without the desk, and the server has replied. */
  onAnswered(answer: ElicitationAnswer, receipt: AnswerReceipt): void;
}

export { createHttpCalls } from "./http-calls.ts";

/** The part of a client that a page loads with its first request. */
export function createDesk(options: DeskOptions): Desk {
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
  let { startedAt } = options;
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
  const lister = createLister(context, { onListed, onUnlisted: check });

  function onListed(conversationId: string, requests: readonly ElicitationRequest[]): void {
    keepAll(conversationId, requests);
    if (live.has(conversationId)) return;
    // A request that is not on this list has ended or is not in this round, so no stream will contain the rest.
    for (const { elicitationId } of requests) void rounds.complete(elicitationId);
  }

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
    const canCarry = request.context?.["worksByLink"] === true;
    if (request.mode === "url") {
      const { href, verdict, reasons } = inspectUrl(request.url);
      if (verdict === "block") return { blocked: { kind: "url", reasons } };
      if (new URL(href).origin !== trustedOrigin) return {};
      // Pages of the chat's own site know the user, whatever link they are opened by.
      return { opener: options.trustedOrigin === undefined || canCarry ? "kept" : "needed", canCarry };
    }
    const parsed = parseOnDemand(request.requestedSchema);
    if (!parsed.ok) return { blocked: { kind: "schema", reasons: parsed.reasons } };
    return {
      fields: parsed.fields,
      canCarry: canCarry && isOwnServer && channel.read !== undefined,
      canRemember: channel.forget !== undefined && request.remember !== undefined,
      takesNote: isOwnServer && !isThirdParty(request),
      takesSentence: channel.propose !== undefined && request.context?.["takesSentence"] === true,
    };
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

  return {
    onChannelEvent,
    onListed,
    onAnswered(answer, receipt) {
      store.dispatch(answer.elicitationId, { type: "sent", answer });
      store.dispatch(answer.elicitationId, { type: "receipt", receipt });
    },
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
    accept: (id, content, o) => rounds.answer(id, "accept", { content, ...o }),
    forget: (id) => forgetAnswer(context, id),
    link: (id) => linkOf(context, id),
    account: (id, o) => accountOf(context, id, o),
    ...createAssigning(context),
    extend: (id) => extendRequest(context, statusReader, id),
    decline: (id, note) => rounds.answer(id, "decline", { note }),
    cancel: (id) => rounds.answer(id, "cancel"),
    propose,
    async retry(id) {
      store.getKnown(id);
      pauses.end(id);
    },
    check,
    remaining: (id) => statusReader.remaining(store.getKnown(id)),
    drafts: {
      ...drafts,
      save(id, input) {
        // Otherwise its round could be sent with the answer from before.
        store.dispatch(id, { type: "changed" });
        drafts.save(id, input);
      },
    },
    dispose() {
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
