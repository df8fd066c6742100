/** The parts of a `Window` that are used. Windows of host apps may imitate them. */
export interface PopupWindow {
  /** Also `true` for a window that is open but isolated by its Cross-Origin-Opener-Policy. */
  readonly closed: boolean;
  readonly location: { replace(url: string): void };
  opener: unknown;
  focus(): void;
  close(): void;
}

/** The parts of a `MessageEvent` that are used. */
export interface PopupMessage {
  readonly origin: string;
  readonly source: unknown;
  readonly data: unknown;
}

interface Until {
  /** Removes the listener. */
  signal: AbortSignal;
}

/** The browser's globals that are used; `globalThis` fits. None is read before it is needed. */
export interface PopupEnvironment {
  /** `null`: the browser blocked the window. */
  open(url: string, target: string, features: string): PopupWindow | null;
  addEventListener(type: "message", listener: (message: PopupMessage) => void, until: Until): void;
  addEventListener(type: "focus", listener: () => void, until: Until): void;
  /** Position and size of the chat's window on the screen, in pixels. Some web views have none of them, or zeros. */
  readonly screenX?: number | undefined;
  readonly screenY?: number | undefined;
  readonly outerWidth?: number | undefined;
  readonly outerHeight?: number | undefined;
  /** The URL of the chat. */
  readonly location?: { readonly origin: string } | undefined;
  readonly document: {
    readonly visibilityState: string;
    addEventListener(type: "visibilitychange", listener: () => void, until: Until): void;
  };
  /** Not available in every web view. */
  readonly BroadcastChannel?: (new (name: string) => PopupBroadcast) | undefined;
}

/** The parts of a `BroadcastChannel` that are used. */
export interface PopupBroadcast {
  addEventListener(type: "message", listener: () => void): void;
  close(): void;
}
