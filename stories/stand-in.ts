import type { PopupEnvironment } from "elicit-kit/client";

/** The popup of a story, shown beside the chat: a service worker cannot answer a window's navigation. */
export interface StandIn {
  environment: PopupEnvironment;
  /** The URL of the window; `undefined` without one. */
  url(): string | undefined;
  subscribe(listener: () => void): () => void;
  close(): void;
}

export function createStandIn(): StandIn {
  const listeners = new Set<() => void>();
  let url: string | undefined;
  function go(next: string | undefined): void {
    url = next;
    for (const listener of listeners) listener();
  }
  function open(): ReturnType<PopupEnvironment["open"]> {
    let closed = false;
    return {
      get closed() {
        return closed || url === undefined;
      },
      opener: null,
      location: { replace: go },
      focus: () => undefined,
      close: () => {
        closed = true;
        go(undefined);
      },
    };
  }
  return {
    environment: {
      open: () => {
        go("about:blank");
        return open();
      },
      addEventListener: () => undefined,
      document: { visibilityState: "visible", addEventListener: () => undefined },
    },
    url: () => url,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => go(undefined),
  };
}
