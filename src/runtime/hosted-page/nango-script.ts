/**
 * The script of a page whose connection Nango makes, a module served from /auth/connect-nango.js. Text for the same
 * reason as the page's other script. The session is fetched by the click and the window is opened right after it; where
 * a browser no longer counts that as the click's doing, a second click finds the session there and opens at once.
 */
export const NANGO_SCRIPT = `import Nango from "./nango/index.js";

const form = document.querySelector("form[data-nango]");
const { elicitationId } = document.body.dataset;
const LOOK_EVERY_MS = 2000;
let session;
let nango;
let attempt = 0;

const send = (path, more = {}) => {
  const body = new URLSearchParams([...new FormData(form), ...Object.entries(more)]);
  return fetch("connect/nango/" + path, { method: "POST", body, cache: "no-store" });
};
function show(id) {
  for (const element of document.querySelectorAll("[data-nango-state]")) element.hidden = element.id !== id;
  form.querySelector("button").disabled = id === "nango-starting";
}
// Nango's promise stays open when its window is closed, when its socket breaks, and when it refuses the session.
const deadline = (ms) => new Promise((_, reject) => setTimeout(reject, ms, { type: "deadline" }));

async function lookWhile(own) {
  while (own === attempt) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    try {
      const response = await fetch("connect/status?elicitationId=" + encodeURIComponent(elicitationId), { cache: "no-store" });
      if (own === attempt && response.ok && (await response.json()).ended) finish();
    } catch {
      // Offline for a moment: the next round looks again.
    }
  }
}
function finish() {
  attempt += 1;
  // Nango's own way to close it waits for half a second, and this page is gone by then. Browsers refuse it for a window
  // without an opener; that one closes by itself when it is done.
  nango?.win?.close();
  location.reload();
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  // The page's other script would lock the buttons, but this page stays.
  event.stopPropagation();
  const own = (attempt += 1);
  nango?.clear();
  if (session === undefined) {
    show("nango-starting");
    try {
      const response = await send("session");
      // Led elsewhere: the chat has to say again who this is.
      if (!response.ok || response.redirected) return finish();
      session = await response.json();
    } catch {
      return show("nango-offline");
    }
    if (own !== attempt) return;
  }
  nango = new Nango({ host: session.host, connectSessionToken: session.token });
  const connecting = nango.auth(session.integration);
  // The provider's pages must not be able to navigate this one. Nango tells by its socket how it went.
  if (nango.win?.modal && form.dataset.cutOpener) nango.win.modal.opener = null;
  show("nango-waiting");
  void lookWhile(own);
  try {
    const { connectionId, isPending } = await Promise.race([connecting, deadline(session.msLeft)]);
    if (own === attempt && !isPending) await send("complete", { connectionId });
  } catch (error) {
    if (own !== attempt) return;
    if (error.type === "blocked_by_browser") {
      attempt += 1;
      return show("nango-blocked");
    }
    const isDenied = /access_denied/.test(error.message);
    await send("failed", { code: error.type ?? "", isDenied }).catch(() => {});
  }
  if (own === attempt) finish();
});
`;
