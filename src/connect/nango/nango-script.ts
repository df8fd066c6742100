/**
 * The script of a page that connects through Nango, a module at /auth/connect-nango.js. It is kept as text for the same
 * reason as the page's other script. A click fetches the session and then opens the window. If the browser blocks the
 * window because the click was too long ago, the next click already has the session and opens the window at once.
 */
export const NANGO_SCRIPT = `import Nango from "./nango/index.js";

const form = document.querySelector("form[data-nango]");
const { elicitationId } = document.body.dataset;
const POLL_EVERY_MS = 2000;
let session;
let nango;
let attempt = 0;
let isStarting = false;

const send = (path, more = {}) => {
  const body = new URLSearchParams([...new FormData(form), ...Object.entries(more)]);
  return fetch("connect/nango/" + path, { method: "POST", body, cache: "no-store" });
};
function show(id) {
  for (const element of document.querySelectorAll("[data-nango-state]")) element.hidden = element.id !== id;
}

/**
 * Reads the status until the request has ended, or the person presses the button again. Nango's promise stays open when its
 * window is closed, when its socket breaks, and when it refuses the session.
 */
async function pollStatus(current) {
  while (current === attempt) {
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
    try {
      const response = await fetch("connect/status?elicitationId=" + encodeURIComponent(elicitationId), { cache: "no-store" });
      if (current === attempt && response.ok && (await response.json()).ended) finish();
    } catch {
      // Offline for a moment: the next round reads again.
    }
  }
}
function finish() {
  attempt += 1;
  // Nango's own function waits for half a second before it closes the window, and this page is gone by then. Browsers refuse
  // to close a window without an opener; that one closes by itself when it is done.
  nango?.win?.close();
  location.reload();
}

// Without this script the button could do nothing, so the page hides it.
form.hidden = false;
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  event.stopPropagation();
  if (isStarting) return;
  const current = (attempt += 1);
  nango?.clear();
  if (session === undefined) {
    isStarting = true;
    show("nango-starting");
    try {
      const response = await send("session");
      // Redirected: the chat has to say again who this is.
      if (!response.ok || response.redirected) return finish();
      session = await response.json();
    } catch {
      return show("nango-offline");
    } finally {
      isStarting = false;
    }
    if (current !== attempt) return;
  }
  const used = session;
  // Another tab ends the session when it starts its own.
  session = undefined;
  nango = new Nango({ host: used.host, connectSessionToken: used.token });
  const connecting = nango.auth(used.integration);
  // The provider's pages must not be able to navigate this one. Nango reports the result through its socket.
  if (nango.win?.modal && form.dataset.cutOpener) nango.win.modal.opener = null;
  show("nango-waiting");
  void pollStatus(current);
  try {
    const { connectionId, isPending } = await connecting;
    if (current === attempt && !isPending) await send("complete", { connectionId });
  } catch (error) {
    if (current !== attempt) return;
    if (error.type === "blocked_by_browser") {
      attempt += 1;
      session = used;
      return show("nango-blocked");
    }
    const isDenied = /access_denied/.test(error.message);
    await send("failed", { code: error.type ?? "", isDenied }).catch(() => {});
  }
  if (current === attempt) finish();
});
`;
