/** Whether the browser knows that it is offline. `false` does not mean that the server can be reached. */
export function isOffline(): boolean {
  return typeof navigator !== "undefined" && "onLine" in navigator && !navigator.onLine;
}
