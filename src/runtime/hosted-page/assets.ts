/**
 * The page's script, served from /auth/connect.js. Plain text, because a bundler that rewrites functions would break
 * one that is turned into text at run time. It moves nothing forward: every step is a form or a check on the server.
 */
export const SCRIPT = `"use strict";
(() => {
  const { page, elicitationId, chatOrigin, challenge, notify, cutOpener, next } = document.body.dataset;

  function post(type, more) {
    if (!window.opener || !chatOrigin) return;
    window.opener.postMessage({ source: "elicit-kit", version: 1, type, elicitationId, ...more }, chatOrigin);
  }

  if (page === "asking") {
    const tell = () => {
      document.getElementById("asking").hidden = true;
      document.getElementById("unknown").hidden = false;
    };
    if (!window.opener) return tell();
    let isTaken = false;
    window.addEventListener("message", async ({ origin, source, data }) => {
      if (isTaken || origin !== chatOrigin || source !== window.opener || Object(data).source !== "elicit-kit") return;
      const { type, elicitationId: id, ticket } = data;
      if (type !== "elicitation-ticket" || id !== elicitationId || typeof ticket !== "string") return;
      isTaken = true;
      try {
        const response = await fetch("/auth/vouched", { method: "POST", body: new URLSearchParams({ elicitationId, ticket }) });
        if (response.ok) return location.replace(next);
      } catch {
        // Offline for a moment: the chat is asked again.
      }
      isTaken = false;
    });
    // The chat may not listen yet, or be offline for a moment.
    const waits = [50, 100, 200, 400];
    const start = Date.now();
    const ask = () => {
      if (!isTaken) post("elicitation-bind", { challenge });
      const waited = Date.now() - start;
      // Who has not answered for so long may not answer at all. The question stays.
      if (waited > 3000 && !isTaken) tell();
      if (waited < 60_000) setTimeout(ask, waits.shift() ?? 1000);
    };
    return ask();
  }

  // Loaded again later, the page asks the chat again who this is.
  const here = new URL(location.href);
  if (here.searchParams.has("step") && page !== "refused") {
    here.searchParams.delete("step");
    history.replaceState(null, "", here);
  }
  if (notify) post(notify);
  if (page === "ended") setTimeout(() => window.close(), 1500);
  document.addEventListener("submit", (event) => {
    // The provider's pages must not be able to navigate the chat.
    if (cutOpener && event.target.dataset.leaves) window.opener = null;
    for (const button of document.querySelectorAll("button")) button.disabled = true;
  });
  // Back from the provider by the browser's history: the page is shown as it was left.
  window.addEventListener("pageshow", () => {
    for (const button of document.querySelectorAll("button[type=submit]")) button.disabled = false;
  });
})();
`;

/** The page's style, served from /auth/connect.css. */
export const STYLE = `:root {
  color-scheme: light dark;
  --page: light-dark(#f2f4f6, #14171a);
  --card: light-dark(#ffffff, #1e2226);
  --line: light-dark(#d8dde2, #363c43);
  --text: light-dark(#1b2126, #eef1f4);
  --quiet: light-dark(#545d66, #a9b2bb);
  --action: light-dark(#1f5f8b, #8cc4ec);
  --on-action: light-dark(#ffffff, #0e1a24);
  --alert: light-dark(#8a2c12, #ffb59e);
  --alert-page: light-dark(#fdf0eb, #33211b);
}
* {
  box-sizing: border-box;
}
[hidden] {
  display: none !important;
}
body {
  margin: 0;
  min-height: 100dvh;
  display: grid;
  place-items: center;
  padding: 1rem;
  background: var(--page);
  color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
main {
  width: 100%;
  max-width: 27rem;
  padding: clamp(1.25rem, 6vw, 2rem);
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 1rem;
  box-shadow: 0 1px 2px rgb(0 0 0 / 6%), 0 12px 32px rgb(0 0 0 / 8%);
}
h1 {
  margin: 0 0 0.5rem;
  font-size: 1.375rem;
  line-height: 1.25;
  text-wrap: balance;
}
p {
  margin: 0 0 1rem;
}
dl {
  margin: 1.25rem 0;
  padding: 0.75rem 1rem;
  border: 1px solid var(--line);
  border-radius: 0.75rem;
}
dl div + div {
  margin-top: 0.625rem;
}
dt {
  font-size: 0.8125rem;
  color: var(--quiet);
}
dd {
  margin: 0;
  font-weight: 600;
}
.quiet {
  margin: 1.25rem 0 0;
  font-size: 0.875rem;
  color: var(--quiet);
}
[role="alert"] {
  padding: 0.75rem 1rem;
  border-radius: 0.75rem;
  background: var(--alert-page);
  color: var(--alert);
}
.actions {
  display: flex;
  flex-wrap: wrap;
  gap: 0.75rem;
}
.actions form,
.actions .button {
  flex: 1 1 auto;
}
.actions .button {
  width: auto;
}
button,
.button {
  display: block;
  width: 100%;
  min-height: 2.75rem;
  padding: 0.5rem 1rem;
  border: 1px solid var(--line);
  border-radius: 0.625rem;
  background: transparent;
  color: inherit;
  font: inherit;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
button.main,
.button {
  border-color: transparent;
  background: var(--action);
  color: var(--on-action);
}
button.plain {
  width: auto;
  min-height: 0;
  padding: 0;
  border: 0;
  color: inherit;
  font-weight: 400;
  text-decoration: underline;
}
button:disabled {
  opacity: 0.55;
  cursor: default;
}
:focus-visible {
  outline: 3px solid var(--action);
  outline-offset: 2px;
}
@media (forced-colors: active) {
  button.main {
    border-color: ButtonText;
  }
}
`;
