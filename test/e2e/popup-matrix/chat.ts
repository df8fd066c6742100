import { createPopup } from "../../../src/client/popup/popup.ts";

/**
 * A minimal chat with one request: messages of the popup are written into the page, where the spec reads them.
 * `?id&url&trusted` are the request; `&auto` opens without a click; `&keep` continues watching after the end.
 */
const query = new URLSearchParams(location.search);
const id = query.get("id") ?? "";
const href = query.get("url") ?? "";
const trustedOrigin = query.get("trusted") ?? undefined;

const element = (name: string): HTMLElement => {
  const found = document.getElementById(name);
  if (found === null) throw new Error(`The page has no #${name}.`);
  return found;
};
const link = document.createElement("a");
const popup = createPopup();
let stop: ReturnType<typeof popup.watch> | undefined;

/** `idle`, `open`, `blocked`, `elsewhere`; `closed` offers a retry; `completed` comes from the server. */
function show(state: string): void {
  element("state").textContent = state;
  link.hidden = state !== "blocked";
}

function note(what: string): void {
  element("signs").append(what, " ");
}

async function check(): Promise<void> {
  const response = await fetch(`/status?id=${encodeURIComponent(id)}`);
  if ((await response.text()) !== "completed") return;
  show("completed");
  if (!query.has("keep")) stop?.({ closeWindow: true });
}

function watch(): void {
  stop ??= popup.watch({
    id,
    trustedOrigin,
    onHint(kind) {
      note(kind);
      void check();
    },
    onBind: (challenge) => note(`bind:${challenge}`),
    onClosed: () => show("closed"),
  });
}

function connect(): void {
  show(popup.open({ id, href, trustedOrigin }));
  watch();
}

link.id = "link";
link.href = href;
link.target = "_blank";
link.rel = "noopener noreferrer";
link.textContent = "Open in a new tab";
element("connect").after(link);
element("connect").addEventListener("click", connect);
show("idle");
if (query.has("auto")) connect();
