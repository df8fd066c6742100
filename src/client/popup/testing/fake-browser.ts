import type { PopupEnvironment, PopupMessage, PopupWindow } from "../environment.ts";

/** A window that a page has opened. It shows no page, but records the calls. */
export class FakeWindow implements PopupWindow {
  closed = false;
  /** The calls on the window, in order. */
  readonly moves: string[] = [];
  /** The URLs that it was navigated to. */
  readonly visited: string[] = [];
  /** Each message that was posted to it, with its target origin. */
  readonly received: unknown[][] = [];
  readonly #onChange: () => void;

  constructor(onChange: () => void = () => undefined) {
    this.#onChange = onChange;
  }

  readonly location = {
    replace: (url: string): void => {
      this.visited.push(url);
      this.#record(`replace ${url}`);
    },
  };
  get opener(): unknown {
    return this.moves.includes("opener null") ? null : "the chat";
  }
  set opener(value: unknown) {
    this.#record(`opener ${String(value)}`);
  }
  postMessage(...message: unknown[]): void {
    this.received.push(message);
  }
  focus(): void {
    this.#record("focus");
  }
  close(): void {
    this.closed = true;
    this.#record("close");
  }

  #record(move: string): void {
    this.moves.push(move);
    this.#onChange();
  }
}

type EventType = "message" | "focus" | "visibilitychange";
type Listener = (message: PopupMessage) => void;

/** The browser around a popup: opens fake windows, and fires events for a test. */
export class FakeBrowser implements PopupEnvironment {
  /** The arguments of each call of `open`. */
  readonly opened: [url: string, target: string, features: string][] = [];
  /** The windows that `open` returned, the newest last. */
  readonly windows: FakeWindow[] = [];
  /** The next return value of `open` instead of a new window. `null`: the browser blocks it. */
  next: FakeWindow | null | undefined;
  /** The listeners of the broadcast channels, by channel name. */
  readonly channels = new Map<string, () => void>();
  readonly #listeners = new Set<{ type: EventType; listener: Listener }>();
  readonly #onChange = new Set<() => void>();

  open = (...call: [url: string, target: string, features: string]): FakeWindow | null => {
    this.opened.push(call);
    const window = this.next === undefined ? new FakeWindow(() => this.#changed()) : this.next;
    if (window !== null) this.windows.push(window);
    this.#changed();
    return window;
  };

  addEventListener = (type: EventType, listener: Listener, { signal }: { signal: AbortSignal }): void => {
    const entry = { type, listener };
    this.#listeners.add(entry);
    signal.addEventListener("abort", () => this.#listeners.delete(entry));
  };

  /** The URL of the page, for `popupEnvironment`. */
  location: PopupEnvironment["location"];
  readonly document = { visibilityState: "visible", addEventListener: this.addEventListener };

  readonly BroadcastChannel: PopupEnvironment["BroadcastChannel"] = broadcastChannelOf(this.channels);

  /** Fires an event at everything that listens for it. */
  fire(type: EventType, message: Partial<PopupMessage> = {}): void {
    for (const entry of this.#listeners) {
      if (entry.type === type) entry.listener({ origin: "", source: null, data: undefined, ...message });
    }
  }

  /** The number of listeners, including those of broadcast channels. */
  get listening(): number {
    return this.#listeners.size + this.channels.size;
  }

  /** The last opened window, unless it is closed. */
  get current(): FakeWindow | undefined {
    const window = this.windows.at(-1);
    return window?.closed === true ? undefined : window;
  }

  /** Calls the listener when a window opens or a window is called. Returns a function that unsubscribes. */
  subscribe = (listener: () => void): (() => void) => {
    this.#onChange.add(listener);
    return () => this.#onChange.delete(listener);
  };

  #changed(): void {
    for (const listener of this.#onChange) listener();
  }
}

function broadcastChannelOf(channels: Map<string, () => void>) {
  return class FakeBroadcastChannel {
    readonly #name: string;
    constructor(name: string) {
      this.#name = name;
    }
    addEventListener(_type: "message", listener: () => void): void {
      channels.set(this.#name, listener);
    }
    close(): void {
      channels.delete(this.#name);
    }
  };
}
