import type { ElicitationOutcome } from "../contract/contract.ts";
import { inspectUrl } from "../contract/inspect-url.ts";
import { ChannelError } from "./channel.ts";
import type { ClientContext } from "./client-options.ts";
import type { ElicitationItem } from "./elicitation.ts";
import type { Popup } from "./popup/popup.ts";
import type { CompletionHint } from "./popup/watch.ts";
import { pageLinkOf } from "./page-link.ts";
import { hasEnded, hasEndedByAnswer, isOpen } from "./ended.ts";
import { attempt, sessionStorageOrNull } from "./session-storage.ts";

interface WindowsListener {
  /** Called when the user agreed to open the page of a request with `acceptMeans: "consent"`. */
  onConsent(id: string): void;
  /** Called when the request may have ended. */
  onHint(id: string, kind: CompletionHint): void;
}

/** The pages of URL requests: opens them, and watches each for the end of its request. */
export interface Windows {
  /** Resolves when the request is no longer open: with its outcome, or with nothing if the outcome is unknown. */
  open(id: string): Promise<ElicitationOutcome | undefined>;
  /** The page was opened without `open`: watches it in the same way. */
  markOpened(id: string): void;
  /** The page was open when the chat was reloaded: waits for it again. */
  restore(id: string): void;
  /** Call it when the request is no longer open. */
  onClosed(item: ElicitationItem): void;
  stopAll(): void;
}

export function createWindows(
  { store, channel, trustedOrigin, signal }: ClientContext,
  popup: Popup,
  opened: OpenedPages,
  { onConsent, onHint }: WindowsListener,
): Windows {
  const watches = new Map<string, ReturnType<Popup["watch"]>>();
  const waiting = new Map<string, ((outcome: ElicitationOutcome | undefined) => void)[]>();

  function watch(id: string): void {
    const { request } = store.getKnown(id);
    if (request.mode !== "url" || signal.aborted) return;
    const isConsented = request.progress !== undefined && request.progress.status !== "pending";
    if (request.acceptMeans === "consent" && !isConsented) onConsent(id);
    if (watches.has(id)) return;
    let asked: { challenge: string; ticket: Promise<string> | undefined } | undefined;
    const stop = popup.watch({
      id,
      trustedOrigin,
      onHint: (kind) => onHint(id, kind),
      onBind(challenge, reply) {
        // A page repeats its question until it gets an answer. Each challenge is sent to the server once, and again only
        // if the server could not be reached. A page without a ticket shows that itself. The card does not change.
        if (asked?.challenge !== challenge) {
          asked = { challenge, ticket: channel.bind?.(id, challenge, { signal }) };
        }
        asked.ticket?.then(reply, (error: unknown) => {
          if (error instanceof ChannelError && error.retryable) asked = undefined;
        });
      },
      onClosed: () => store.dispatch(id, { type: "window", window: "closed" }),
    });
    watches.set(id, stop);
  }

  function openWindow(id: string): void {
    const { request, status, opener } = store.getKnown(id);
    if (request.mode !== "url" || (status !== "pending" && status !== "opened")) return;
    // The item of a URL that must not be opened is blocked, and never changes.
    const { href } = inspectUrl(request.url);
    const onBlocked = (): void => store.dispatch(id, { type: "window", window: "blocked" });
    const link = opener === undefined ? href : pageLinkOf(href);
    const window = popup.open({ id, href: link, trustedOrigin, onBlocked });
    store.dispatch(id, { type: "window", window });
    if (window === "blocked") return;
    opened.add(id);
    watch(id);
  }

  function markOpened(id: string): void {
    store.dispatch(id, { type: "window", window: "elsewhere" });
    opened.add(id);
    watch(id);
  }

  function stopWatching(id: string, outcome: ElicitationOutcome | undefined, closeWindow = false): void {
    watches.get(id)?.({ closeWindow });
    watches.delete(id);
    for (const resolve of waiting.get(id) ?? []) resolve(outcome);
    waiting.delete(id);
  }

  return {
    open(id) {
      openWindow(id);
      const item = store.getKnown(id);
      if (!isOpen(item) || signal.aborted) return Promise.resolve(outcomeOf(item));
      return new Promise((resolve) => {
        waiting.set(id, [...(waiting.get(id) ?? []), resolve]);
      });
    },
    markOpened,
    restore(id) {
      if (opened.has(id) && store.getKnown(id).status === "pending") markOpened(id);
    },
    onClosed(item) {
      opened.remove(item.id);
      // Close the window only after an answer. After any other end, the page in it says what happened.
      stopWatching(item.id, outcomeOf(item), hasEndedByAnswer(item.status));
    },
    stopAll() {
      for (const id of [...watches.keys(), ...waiting.keys()]) stopWatching(id, undefined);
    },
  };
}

function outcomeOf({ status }: ElicitationItem): ElicitationOutcome | undefined {
  return hasEnded(status) ? status : undefined;
}

const PREFIX = "elicit-kit:opened:";

/** Stores which requests have an open page, so that a reloaded chat waits for it. Never throws. */
export interface OpenedPages {
  add(id: string): void;
  has(id: string): boolean;
  remove(id: string): void;
}

export function createOpenedPages(storage: Storage | null = sessionStorageOrNull()): OpenedPages {
  return {
    add: (id) => attempt(() => storage?.setItem(PREFIX + id, "")),
    has: (id) => attempt(() => storage?.getItem(PREFIX + id)) === "",
    remove: (id) => attempt(() => storage?.removeItem(PREFIX + id)),
  };
}
