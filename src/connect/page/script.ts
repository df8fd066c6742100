/**
 * The inline script at the end of every page. It is kept as text, because a bundler that rewrites functions would break a
 * function that is converted to text at run time. No security depends on it: each step is a form, a link, or a check on
 * the server.
 */
export const SCRIPT = `"use strict";
(() => {
  const { page, elicitationId, chatOrigin, challenge, notify, cutOpener, next, endsInMs } = document.body.dataset;
  const chatOrigins = (document.body.dataset.chatOrigins ?? "").split(" ");

  function post(type, origin, more) {
    if (!window.opener || !origin) return;
    window.opener.postMessage({ source: "elicit-kit", version: 1, type, elicitationId, ...more }, origin);
  }

  // In a window that the chat has opened, going back means to close it: the chat is still open behind it.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-back]");
    if (!link || !window.opener || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    window.close();
    // Browsers may refuse to close it.
    setTimeout(() => location.assign(link.href), 300);
  });

  if (page === "asking") {
    const showUnknown = () => {
      document.getElementById("asking").hidden = true;
      document.getElementById("unknown").hidden = false;
    };
    if (!window.opener) return showUnknown();
    let isTaken = false;
    window.addEventListener("message", async ({ origin, source, data }) => {
      if (isTaken || !chatOrigins.includes(origin) || source !== window.opener || Object(data).source !== "elicit-kit") return;
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
      // Only the chat that has opened this window gets it.
      if (!isTaken) for (const origin of chatOrigins) post("elicitation-bind", origin, { challenge });
      const waited = Date.now() - start;
      // The chat may never answer. Show what else the person can do, and keep asking.
      if (waited > 3000 && !isTaken) showUnknown();
      if (waited < 60_000) setTimeout(ask, waits.shift() ?? 1000);
    };
    return ask();
  }

  // When this page is loaded again later, it asks the chat again who this is.
  const here = new URL(location.href);
  if (here.searchParams.has("step") && page !== "refused") {
    here.searchParams.delete("step");
    history.replaceState(null, "", here);
  }
  if (notify) post(notify, chatOrigin);

  // On its way to the server, a form may first have to lead through the chat, which says again who this is. What is typed
  // stays in this tab until then, except in a form with secrets.
  const place = "elicit-kit:" + elicitationId;
  const typed = document.getElementById("secrets") ? [] : [...document.querySelectorAll("select, textarea, input:not([type=hidden], [type=password])")];
  const isBox = ({ type }) => type === "radio" || type === "checkbox";
  function keep() {
    try {
      if (typed.length > 0) sessionStorage.setItem(place, JSON.stringify(typed.map(({ name, value, checked }) => [name, value, checked])));
    } catch {
      // The browser forbids storage to the page.
    }
  }
  function restore() {
    const kept = JSON.parse(sessionStorage.getItem(place));
    sessionStorage.removeItem(place);
    for (const [name, value, checked] of kept ?? []) {
      const control = typed.find((one) => one.name === name && (!isBox(one) || one.value === value));
      if (!control) continue;
      if (isBox(control)) control.checked = checked;
      else control.value = value;
      if (name === "note" && value) control.closest("details").open = true;
    }
  }
  if (page === "consent" || page === "ended") {
    try {
      restore();
    } catch {
      // There is no storage, or another page has written something else into it.
    }
  }

  // Not a reload: this page may be the reply to a form, which a reload sends again.
  const showNow = () => location.replace("/auth/connect?elicitationId=" + encodeURIComponent(elicitationId));

  // An ended request must offer no button. Looks at its expiry, and when the user returns to a page that was left open.
  if (endsInMs) {
    const look = async () => {
      try {
        const response = await fetch("/auth/connect/status?elicitationId=" + encodeURIComponent(elicitationId), { cache: "no-store" });
        if (response.ok && (await response.json()).ended) showNow();
      } catch {
        // Offline for a moment. Each button asks the server anyway.
      }
    };
    const ends = document.getElementById("ends");
    let timers = [];
    const watch = (leftMs) => {
      timers.forEach(clearTimeout);
      // A longer time would overflow.
      if (leftMs >= 2 ** 31) return;
      timers = [setTimeout(look, leftMs + 250)];
      if (ends?.dataset.soon && leftMs > 120_000) timers.push(setTimeout(warn, leftMs - 120_000));
    };
    const warn = () => {
      ends.textContent = ends.dataset.soon;
      ends.closest("details")?.setAttribute("open", "");
    };
    watch(Number(endsInMs));
    // More time without a new page, which would lose what is typed.
    const more = document.getElementById("more-time");
    more?.addEventListener("click", async (event) => {
      event.preventDefault();
      const { elicitationId, csrf } = Object.fromEntries(new FormData(more.form));
      try {
        const response = await fetch("/auth/extend", { method: "POST", body: new URLSearchParams({ elicitationId, csrf }) });
        const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
        const line = fresh.getElementById("ends");
        if (!line) {
          keep();
          return showNow();
        }
        ends.textContent = line.textContent;
        if (!fresh.getElementById("more-time")) more.remove();
        watch(Number(fresh.body.dataset.endsInMs));
      } catch {
        // Offline for a moment. The button stays.
      }
    });
    window.addEventListener("focus", look);
    window.addEventListener("pageshow", (event) => event.persisted && look());
  }

  // Only beside this window does the chat go on by itself.
  const goesOn = document.getElementById("goes-on");
  if (goesOn && window.opener) {
    goesOn.hidden = false;
    document.getElementById("go-back").hidden = true;
    document.querySelector("[data-back]")?.classList.remove("primary");
  }

  // A window that the chat has opened closes by itself, unless the person does something in it.
  const closing = document.getElementById("closing");
  if (page === "ended" && closing && window.opener) {
    closing.hidden = false;
    const timer = setTimeout(() => window.close(), document.forms.length > 0 ? 3000 : 1500);
    const stay = (event) => {
      // Browsers report a move without movement when a page appears under the pointer.
      if (event.type === "pointermove" && event.movementX === 0 && event.movementY === 0) return;
      clearTimeout(timer);
      closing.hidden = true;
    };
    for (const type of ["pointerdown", "pointermove", "keydown"]) window.addEventListener(type, stay);
  }

  // A typed key can be looked at, and is hidden again before it is sent, so that browsers do not keep it as text.
  for (const button of document.querySelectorAll("[data-show]")) {
    const input = document.getElementById(button.dataset.show);
    const words = [button.textContent, button.dataset.hide];
    const show = (isShown) => {
      input.type = isShown ? "text" : "password";
      button.textContent = words[Number(isShown)];
    };
    button.hidden = false;
    button.addEventListener("click", () => show(input.type === "password"));
    input.form.addEventListener("submit", () => show(false));
  }

  // A double click sends a form once. Buttons stay as they are: the person may stop the loading and press again.
  let lastSubmit = -Infinity;
  document.addEventListener("submit", (event) => {
    if (event.timeStamp - lastSubmit < 1000) return event.preventDefault();
    lastSubmit = event.timeStamp;
    keep();
    // The provider's pages must not be able to navigate the chat.
    if (cutOpener && event.target.dataset.leaves) window.opener = null;
  });
})();
`;
