import { type Clock, systemClock } from "../clock.ts";
import type { PopupEnvironment, PopupWindow } from "./environment.ts";
import { watchCompletion, type WatchRequest } from "./watch.ts";

/**
 * Opens a URL where `window.open` does not work: Electron's `shell.openExternal`, Tauri, Capacitor's custom tabs. Called
 * inside the click. Returns a promise of the result, or a window, or `null` if it refuses. A window is watched but never
 * closed. The function itself must cut its opener.
 */
export type OpenUrl = (url: string) => Promise<"opened" | "blocked"> | PopupWindow | null;

export interface OpenRequest {
  /** `elicitationId`. One id has one URL and one window. */
  id: string;
  /** The `href` of an inspection whose verdict is not `block`. */
  href: string;
  /** Pages of this origin keep `window.opener` and can send messages; the opener of all others is cut. @default none */
  trustedOrigin?: string | undefined;
  /** Called when `open` returned `elsewhere` and `openUrl` then failed. */
  onBlocked?: (() => void) | undefined;
}

export interface Popup {
  /**
   * Opens the page, or brings its window to the front. Call it synchronously in a click handler. `blocked`: the browser
   * refused, so offer a link. `elsewhere`: `openUrl` opens the page. Throws a `TypeError` for a URL that is not http(s),
   * because it could run as code in the chat.
   */
  open(request: OpenRequest): "open" | "blocked" | "elsewhere";
  /**
   * Watches for the end of a request, with or without a window. Call it once for each id. Returns a function that ends
   * the watch. With `closeWindow` it also closes the window, if `open` opened it and it still has its opener.
   */
  watch(request: WatchRequest): (options?: { closeWindow?: boolean | undefined }) => void;
}

export interface PopupOptions {
  /** @default globalThis */
  environment?: PopupEnvironment | undefined;
  clock?: Clock | undefined;
  openUrl?: OpenUrl | undefined;
}

const WIDTH = 500;
const HEIGHT = 650;

/** Creates the popup opener of one client. */
export function createPopup({
  environment = globalThis,
  clock = systemClock,
  openUrl,
}: PopupOptions = {}): Popup {
  const windows = new Map<string, { window: PopupWindow; isOurs: boolean }>();

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
        // A check for `then` would not work: windows of another origin seem to have one.
        if ("closed" in opened) {
          windows.set(id, { window: opened, isOurs: false });
          return "open";
        }
        void reportBlocked(opened, onBlocked);
        return "elsewhere";
      }
      // The window is blank at first: with `noopener` the result would be null, and after loading the page it is too late
      // to cut the opener.
      const window = environment.open("", `elicit_${id}`, featuresOf(environment));
      // Some blockers return a closed window, or an object that only looks like a window.
      if (window?.closed !== false) return "blocked";
      if (origin !== trustedOrigin && !cutOpener(window)) return "blocked";
      windows.set(id, { window, isOurs: true });
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
        // Without an opener, the browser would refuse to focus the window and log an error.
        if (options?.closeWindow && opened?.isOurs && opened.window.opener) opened.window.close();
      };
    },
  };
}

/** Centres the window on the chat's own window. Browsers would put it in a corner, or on another screen. */
function featuresOf({ screenX, screenY, outerWidth, outerHeight }: PopupEnvironment): string {
  const size = `popup,width=${WIDTH},height=${HEIGHT}`;
  if (!outerWidth || !outerHeight || screenX === undefined || screenY === undefined) return size;
  const left = Math.round(screenX + (outerWidth - WIDTH) / 2);
  const top = Math.round(screenY + Math.max(0, outerHeight - HEIGHT) / 2);
  return `${size},left=${left},top=${top}`;
}

/**
 * Whether the window has no opener now. A window from before a reload of the chat is found by its name. Its page has
 * another origin, so its opener can be read but not cut.
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
