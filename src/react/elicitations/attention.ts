const notified = new Set<string>();

export interface Waiting {
  /** The ids of the requests that wait for the user. */
  readonly ids: readonly string[];
  /**
   * The text of a system notification. It contains neither the question nor the app, because others may see the screen.
   */
  readonly notification?: string | undefined;
}

/**
 * While the page is hidden, shows the number of waiting requests in its title, and one system notification for each
 * request if the user has allowed that. Returns a function that ends this.
 */
export function callForAttention({ ids, notification }: Waiting): () => void {
  const sign = `(${ids.length}) `;
  function clear(): void {
    if (document.title.startsWith(sign)) document.title = document.title.slice(sign.length);
  }
  function show(): void {
    if (!document.hidden) return clear();
    if (!document.title.startsWith(sign)) document.title = sign + document.title;
    if (notification !== undefined) notify(ids, notification);
  }
  document.addEventListener("visibilitychange", show);
  show();
  return () => {
    document.removeEventListener("visibilitychange", show);
    clear();
  };
}

function notify(ids: readonly string[], text: string): void {
  const fresh = ids.filter((id) => !notified.has(id));
  for (const id of fresh) notified.add(id);
  if (fresh.length === 0 || typeof Notification === "undefined" || Notification.permission !== "granted")
    return;
  try {
    const shown = new Notification(text, { tag: "elicit-kit" });
    shown.addEventListener("click", () => {
      window.focus();
      shown.close();
    });
  } catch {
    // Chromium on Android only supports notifications of service workers.
  }
}
