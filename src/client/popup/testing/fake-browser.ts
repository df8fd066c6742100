import type { PopupEnvironment, PopupMessage, PopupWindow } from "../environment.ts";

/** A window that a page has opened. It shows no page: it remembers what was done to it. */
export class FakeWindow implements PopupWindow {
  closed = false;
  /** What was done to it, in order. */
  readonly moves: string[] = [];
  /** The URLs that it was sent to. */
  readonly visited: string[] = [];
  /** Each message that was posted to it, with the origin it was meant for. */
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

/** The browser around a popup: opens fake windows, and fires the events that a test tells it to. */
export class FakeBrowser implements PopupEnvironment {
  /** The arguments of each call of `open`. */
  readonly opened: [url: string, target: string, features: string][] = [];
  /** The windows that `open` returned, the newest last. */
  readonly windows: FakeWindow[] = [];
  /** What `open` returns instead of a new window; `null`: the browser refuses. */
  next: FakeWindow | null | undefined;
  /** What listens to the broadcast channels, by the channel's name. */
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

  /** Where the page is, as `popupEnvironment`. */
  location: PopupEnvironment["location"];
  readonly document = { visibilityState: "visible", addEventListener: this.addEventListener };

  readonly BroadcastChannel: PopupEnvironment["BroadcastChannel"] = broadcastChannelOf(this.channels);

  /** Fires an event at everything that listens for it. */
  fire(type: EventType, message: Partial<PopupMessage> = {}): void {
    for (const entry of this.#listeners) {
      if (entry.type === type) entry.listener({ origin: "", source: null, data: undefined, ...message });
    }
  }

  /** How many listeners there are, those of broadcast channels included. */
  get listening(): number {
    return this.#listeners.size + this.channels.size;
  }

  /** The window that was opened last, unless it is closed. */
  get current(): FakeWindow | undefined {
    const window = this.windows.at(-1);
    return window?.closed === true ? undefined : window;
  }

  /** Calls the listener when a window opens or something is done to it. Returns the function that unsubscribes. */
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
