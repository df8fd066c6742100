/** As much of a window as is asked of one. A `Window` has it all, the windows of other hosts may imitate it. */
export interface PopupWindow {
  /** Also `true` for a window that is open but isolated by its Cross-Origin-Opener-Policy. */
  readonly closed: boolean;
  readonly location: { replace(url: string): void };
  opener: unknown;
  focus(): void;
  close(): void;
}

/** As much of a `MessageEvent` as is looked at. */
export interface PopupMessage {
  readonly origin: string;
  readonly source: unknown;
  readonly data: unknown;
}

interface Until {
  /** Ends the listening. */
  signal: AbortSignal;
}

/** As much of the browser's globals as is used; `globalThis` has it all. Nothing is touched before it is needed. */
export interface PopupEnvironment {
  /** `null`: refused. */
  open(url: string, target: string, features: string): PopupWindow | null;
  addEventListener(type: "message", listener: (message: PopupMessage) => void, until: Until): void;
  addEventListener(type: "focus", listener: () => void, until: Until): void;
  readonly document: {
    readonly visibilityState: string;
    addEventListener(type: "visibilitychange", listener: () => void, until: Until): void;
  };
  /** Not in every web view. */
  readonly BroadcastChannel?: (new (name: string) => PopupBroadcast) | undefined;
}

/** As much of a `BroadcastChannel` as is used. */
export interface PopupBroadcast {
  addEventListener(type: "message", listener: () => void): void;
  close(): void;
}
