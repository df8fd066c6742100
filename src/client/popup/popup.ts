import { type Clock, systemClock } from "../clock.ts";
import type { PopupEnvironment, PopupWindow } from "./environment.ts";
import { watchCompletion, type WatchRequest } from "./watch.ts";

/**
 * Opens a URL where `window.open` is not the way: Electron's `shell.openExternal`, Tauri, Capacitor's custom tabs.
 * Called inside the click. A promise says how it went; a window is watched like an own one, but never closed, and
 * cutting its opener is up to the function; `null` is a refusal.
 */
export type OpenUrl = (url: string) => Promise<"opened" | "blocked"> | PopupWindow | null;

export interface OpenRequest {
  /** `elicitationId`. One id has one URL and one window. */
  id: string;
  /** `href` of an inspection that does not block. */
  href: string;
  /** A page of this origin keeps `window.opener` and can send messages; any other has it cut. Default: none. */
  trustedOrigin?: string | undefined;
  /** `open` said `elsewhere`, and then `openUrl` found out that it could not. */
  onBlocked?: (() => void) | undefined;
}

export interface Popup {
  /**
   * Opens the page, or brings its window to the front. Call it inside the click, before anything asynchronous.
   * `blocked`: the browser refused, offer a link. `elsewhere`: `openUrl` has taken over, out of sight.
   * Throws a `TypeError` for a URL that is not http(s): it would run as code of the chat.
   */
  open(request: OpenRequest): "open" | "blocked" | "elsewhere";
  /**
   * Watches for the end of a request, with or without a window of it. One watch for one id.
   * Returns the function that releases everything. With `closeWindow` (after success) it also closes the window, if
   * `open` opened it and it still has its opener. Any other closes itself or stays.
   */
  watch(request: WatchRequest): (options?: { closeWindow?: boolean | undefined }) => void;
}

export interface PopupOptions {
  /** @default globalThis */
  environment?: PopupEnvironment | undefined;
  clock?: Clock | undefined;
  openUrl?: OpenUrl | undefined;
}

const FEATURES = "popup,width=500,height=650";

/** Makes the opener of one client's pages. Holds nothing but the windows it opened. */
export function createPopup({
  environment = globalThis,
  clock = systemClock,
  openUrl,
}: PopupOptions = {}): Popup {
  const windows = new Map<string, { window: PopupWindow; own: boolean }>();

  return {
    open({ id, href, trustedOrigin, onBlocked }) {
      const { origin, protocol } = new URL(href);
      if (protocol !== "https:" && protocol !== "http:") {
        throw new TypeError(
          `elicit-kit: will not open a ${protocol} URL. Open only what inspectUrl does not block.`,
        );
      }
      const known = windows.get(id)?.window;
      if (known?.closed === false) {
        known.focus();
        return "open";
      }
      if (openUrl) {
        const opened = openUrl(href);
        if (!opened) return "blocked";
        // Not by asking for `then`: a window of another origin claims to have one.
        if ("closed" in opened) {
          windows.set(id, { window: opened, own: false });
          return "open";
        }
        void reportBlocked(opened, onBlocked);
        return "elsewhere";
      }
      // Blank first: `noopener` would return null on success, and cutting the opener later would be too late.
      const window = environment.open("", `elicit_${id}`, FEATURES);
      // Some blockers hand out a window that is closed, or an object that only looks like one.
      if (window?.closed !== false) return "blocked";
      if (origin !== trustedOrigin && !cutOpener(window)) return "blocked";
      windows.set(id, { window, own: true });
      window.location.replace(href);
      return "open";
    },
    watch(request) {
      const { id } = request;
      const stop = watchCompletion(environment, clock, () => windows.get(id)?.window, request);
      return (options) => {
        stop();
        const opened = windows.get(id);
        windows.delete(id);
        // Once its opener is cut, the browser would refuse and write an error to the console.
        if (options?.closeWindow && opened?.own && opened.window.opener) opened.window.close();
      };
    },
  };
}

/**
 * Whether the page to come is without an opener. A window from before a reload of the chat is found by its name; its
 * page, of another origin, allows only to ask whether it was cut then.
 */
function cutOpener(window: PopupWindow): boolean {
  try {
    window.opener = null;
  } catch {}
  return !window.opener;
}

async function reportBlocked(
  opening: Promise<"opened" | "blocked">,
  onBlocked: (() => void) | undefined,
): Promise<void> {
  const result = await opening.catch(() => "blocked");
  if (result === "blocked") onBlocked?.();
}
