/** Calls back whenever the browser is back on the network; never without a window. Returns the function that ends it. */
export function onWindowOnline(listener: () => void): () => void {
  if (typeof window === "undefined") return () => undefined;
  window.addEventListener("online", listener);
  return () => window.removeEventListener("online", listener);
}
