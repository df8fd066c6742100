import { createElicitationClient, createHttpChannel } from "../../../src/client/index.ts";

/**
 * A chat with the kit's client and one button. The server's `setting` has the trusted origin, and whether there is a
 * service worker. `?token` signs in with a header instead of the cookie.
 */
const setting = new URLSearchParams(
  document.querySelector<HTMLMetaElement>("meta[name=setting]")?.content ?? "",
);
const isByToken = new URLSearchParams(location.search).has("token");
const channel = createHttpChannel({ headers: isByToken ? { authorization: "Bearer ada" } : {} });
const client = createElicitationClient({ channel, trustedOrigin: setting.get("hosted") ?? "" });

const show = (id: string, text: string): void => {
  const element = document.getElementById(id);
  if (element !== null) element.textContent = text;
};
const link = document.createElement("a");
link.textContent = "Open in a new tab";
link.target = "_blank";
client.subscribe(() => {
  const { items } = client.getSnapshot();
  show("state", items.map((item) => item.status).join(" "));
  for (const { id, request, window, opener } of items) {
    if (window !== "blocked" || request.mode !== "url") continue;
    // The same link as in the kit's card.
    link.href = request.url;
    link.rel = opener === undefined ? "noopener" : "opener";
    link.addEventListener("click", () => client.markOpened(id), { once: true });
    document.body.append(link);
  }
});
addEventListener("message", ({ data }: MessageEvent<{ type?: string }>) => {
  show("heard", `${document.getElementById("heard")?.textContent ?? ""}${String(data.type)} `);
});
document.getElementById("connect")?.addEventListener("click", () => {
  for (const { id } of client.getSnapshot().items) void client.connect(id);
});

if (setting.has("worker")) {
  await navigator.serviceWorker.register("/worker.js");
  await navigator.serviceWorker.ready;
}
await client.refresh("c1");
