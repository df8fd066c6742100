import { html } from "hono/html";
import { type Html, sitePage } from "../server/site-page.ts";

/** The page where the user pays. The parcel server belongs to another company. */
export function payPage(): Html {
  return sitePage({
    title: "Pay",
    site: "Parcel",
    body: html`<h1>Pay the courier</h1>
      <p>18 € for a parcel to Lisbon. This is a demo: nothing is paid.</p>`,
    bar: html`<form method="post"><button type="submit">Pay 18 €</button></form>`,
  });
}

export function paidPage(): Html {
  return sitePage({
    title: "Paid",
    site: "Parcel",
    body: html`<h1>Paid</h1>
      <p>Close this tab and go back to the chat.</p>`,
  });
}

/**
 * The sandbox proxy that MCP Apps requires of a host in a browser. It has its own origin, renders the view in a frame
 * without an origin, and forwards messages in both directions.
 */
export function sandboxPage(hostOrigin: string): string {
  return `<!doctype html><html lang="en"><title>Sandbox</title>
<style>:root { color-scheme: light dark } html, body, iframe { margin: 0; inline-size: 100%; block-size: 100%; border: 0; background: transparent }
/* The view names no scheme for its root. A frame with another scheme than its place gets an opaque ground. */
iframe { color-scheme: light }</style>
<body><script>
const host = ${JSON.stringify(hostOrigin)};
let view;
addEventListener("message", ({ data, origin, source }) => {
  if (source === parent && origin === host) {
    if (data.method !== "ui/notifications/sandbox-resource-ready") return view?.contentWindow.postMessage(data, "*");
    view = document.createElement("iframe");
    view.title = "Question";
    view.sandbox = "allow-scripts";
    view.srcdoc = data.params.html;
    document.body.append(view);
  } else if (view && source === view.contentWindow) parent.postMessage(data, host);
});
parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/sandbox-proxy-ready", params: {} }, host);
</script></body></html>`;
}
