/** Calls back whenever the browser is back on the network; never without a window. Returns the function that ends it. */
export function onWindowOnline(listener: () => void): () => void {
  if (typeof window === "undefined") return () => undefined;
  window.addEventListener("online", listener);
  return () => window.removeEventListener("online", listener);
}

/** Whether the browser knows that it has no network. `false` promises nothing: the network may lead nowhere. */
export function isOffline(): boolean {
  return typeof navigator !== "undefined" && "onLine" in navigator && !navigator.onLine;
}
