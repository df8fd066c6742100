/** Subscribes to the browser's return online. Does nothing without a window. Returns a function that unsubscribes. */
export function onWindowOnline(listener: () => void): () => void {
  if (typeof window === "undefined") return () => undefined;
  window.addEventListener("online", listener);
  return () => window.removeEventListener("online", listener);
}
