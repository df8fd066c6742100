import { parseCompletionMessage } from "../../contract/guard.ts";
import type { TicketMessage } from "../../contract/window-messages.ts";
import { isObject } from "../../contract/json.ts";
import type { Clock } from "../clock.ts";
import { attempt } from "../session-storage.ts";
import type { PopupEnvironment, PopupWindow } from "./environment.ts";

/**
 * Why the request may have ended: the page reported completion, or sent another message, the user came back, the window
 * looks closed, some time has passed, or another page of the chat's origin sent a message.
 */
export type CompletionHint = "complete" | "message" | "focus" | "closed" | "interval" | "broadcast";

export interface WatchRequest {
  /** `elicitationId`. */
  id: string;
  /** The only origin whose messages count, without a trailing slash, because it is compared exactly. @default none */
  trustedOrigin?: string | undefined;
  /** Called when the status should be read. A hint is no proof of completion. */
  onHint: (kind: CompletionHint) => void;
  /** Called when the hosted page asks the chat to vouch for the user. `answer` sends it the ticket for this challenge. */
  onBind: (challenge: string, answer: (ticket: string) => void) => void;
  /**
   * Called once for each window that has looked closed for 1.5 seconds, so that the card can offer to open it again. It
   * means neither success nor cancel, because a page with a Cross-Origin-Opener-Policy looks closed while it is open.
   * Hints continue.
   */
  onClosed: () => void;
}

/** Milliseconds between two checks of the window. The times below are counted in checks. */
const LOOK = 500;
/** 1.5 s for the server to record the success of a page that has closed its own window. */
const GRACE = 3;
const SHORTEST_INTERVAL = 2;
const LONGEST_INTERVAL = 30;
const BACKOFF = 1.5;

/** Calls back at each sign that the request may have ended. Returns a function that ends the watch. */
export function watchCompletion(
  environment: PopupEnvironment,
  clock: Clock,
  currentWindow: () => PopupWindow | undefined,
  { id, trustedOrigin, onHint, onBind, onClosed }: WatchRequest,
): () => void {
  const { document, BroadcastChannel } = environment;
  const stopped = new AbortController();
  let interval = SHORTEST_INTERVAL;
  let untilInterval = interval;
  let seen: PopupWindow | undefined;
  let looksClosed = 0;

  /** The server may record an event a moment later, so hints become frequent again. */
  function hint(kind: CompletionHint): void {
    untilInterval = interval = SHORTEST_INTERVAL;
    onHint(kind);
  }

  function look(): void {
    stopLooking = clock.after(LOOK, look);
    const window = currentWindow();
    looksClosed = window?.closed !== true ? 0 : window === seen ? looksClosed + 1 : 1;
    seen = window;
    untilInterval -= 1;
    if (looksClosed === 1) {
      hint("closed");
    } else if (looksClosed === 1 + GRACE) {
      onClosed();
    } else if (untilInterval <= 0) {
      untilInterval = interval = Math.min(interval * BACKOFF, LONGEST_INTERVAL);
      onHint("interval");
    }
  }

  environment.addEventListener(
    "message",
    ({ origin, source, data }) => {
      const window = currentWindow();
      if (origin !== trustedOrigin || (window && source !== window)) return;
      const message = parseCompletionMessage(data);
      if (!message.ok || message.value.elicitationId !== id) return;
      const { value } = message;
      if (value.type !== "elicitation-bind")
        return hint(value.type === "elicitation-complete" ? "complete" : "message");
      onBind(value.challenge, (ticket) => {
        if (canReceive(source)) source.postMessage({ ...value, type: "elicitation-ticket", ticket }, origin);
      });
    },
    stopped,
  );
  environment.addEventListener("focus", () => hint("focus"), stopped);
  document.addEventListener(
    "visibilitychange",
    () => {
      if (document.visibilityState === "visible") hint("focus");
    },
    stopped,
  );
  // The constructor throws where the browser forbids storage to the page.
  const channel = attempt(() => BroadcastChannel && new BroadcastChannel(`elicit-kit:${id}`));
  channel?.addEventListener("message", () => hint("broadcast"));
  let stopLooking = clock.after(LOOK, look);

  return () => {
    stopped.abort();
    stopLooking();
    channel?.close();
  };
}

interface MessageTarget {
  postMessage(message: TicketMessage, targetOrigin: string): void;
}

function canReceive(source: unknown): source is MessageTarget {
  return isObject(source) && typeof source["postMessage"] === "function";
}
