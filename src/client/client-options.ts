import type { Channel } from "./channel.ts";
import type { Clock } from "./clock.ts";
import type { PopupEnvironment } from "./popup/environment.ts";
import type { OpenUrl } from "./popup/popup.ts";
import type { ItemStore } from "./item-store.ts";
import type { RetryPauses } from "./retry-pauses.ts";

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
  /**
   * When a page loads the code that keeps and answers requests, which is apart from the first load: `idle`, when it has
   * time; `never`, only with a request or a call. @default "idle"
   */
  preload?: "idle" | "never" | undefined;
  /** Opens windows and receives their messages. @default globalThis */
  popupEnvironment?: PopupEnvironment | undefined;
  /** Subscribes to the browser's return online. @default the window's `online` event */
  onOnline?: ((listener: () => void) => () => void) | undefined;
}

/** The state that the parts of one client share. */
export interface ClientContext {
  readonly channel: Channel;
  readonly clock: Clock;
  readonly store: ItemStore;
  readonly pauses: RetryPauses;
  readonly trustedOrigin: string | undefined;
  /** Aborts when the client is disposed of. */
  readonly signal: AbortSignal;
  /** Whether the live stream contained this request. If so, it will contain the outcome as well. */
  isOnLiveStream(id: string): boolean;
}
