/** Subscribes to the browser's return online. Does nothing without a window. Returns a function that unsubscribes. */
export function onWindowOnline(listener: () => void): () => void {
  if (typeof window === "undefined") return () => undefined;
  // A test may take its window away before a client has ended.
  const page = window;
  page.addEventListener("online", listener);
  return () => page.removeEventListener("online", listener);
}

/** Whether the browser knows that it is offline. `false` does not mean that the server can be reached. */
export function isOffline(): boolean {
  return typeof navigator !== "undefined" && "onLine" in navigator && !navigator.onLine;
}
