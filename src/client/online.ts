/** Subscribes to the browser's return online. Does nothing without a window. Returns a function that unsubscribes. */
export function onWindowOnline(listener: () => void): () => void {
  if (typeof window === "undefined") return () => undefined;
  window.addEventListener("online", listener);
  return () => window.removeEventListener("online", listener);
}

/**
 * Calls back when the user leaves or hides the page, because the timers of a hidden page may stop. Does nothing without a
 * window. Returns a function that unsubscribes.
 */
export function onPageLeft(listener: () => void): () => void {
  if (typeof window === "undefined") return () => undefined;
  const hidden = (): void => {
    if (document.hidden) listener();
  };
  window.addEventListener("pagehide", listener);
  document.addEventListener("visibilitychange", hidden);
  return () => {
    window.removeEventListener("pagehide", listener);
    document.removeEventListener("visibilitychange", hidden);
  };
}

/** Whether the browser knows that it is offline. `false` does not mean that the server can be reached. */
export function isOffline(): boolean {
  return typeof navigator !== "undefined" && "onLine" in navigator && !navigator.onLine;
}
