const notified = new Set<string>();

export interface Waiting {
  /** Ids of the requests that wait for the user. */
  readonly ids: readonly string[];
  /** Of a system notification. It says neither what is asked nor where: others may see the screen. */
  readonly notification?: string | undefined;
}

/**
 * While the page is hidden, its title says how many requests wait, and a system notification says it once for each, if the
 * user has allowed the page to show them. Returns a function that ends it.
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
    // Chromium on Android shows those of service workers only.
  }
}
