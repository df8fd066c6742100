import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  AppBridge,
  PostMessageTransport,
  getToolUiResourceUri,
} from "@modelcontextprotocol/ext-apps/app-bridge";
import type { Catalogue } from "elicit-kit";
import { useEffect, useRef, useState } from "react";
import { contextOf } from "../demo/host/page/look.ts";
import { type Frame, TO, createParcels } from "./host-card-server.ts";

export interface HostCardProps {
  /** The heading. */
  name: string;
  frame: Frame;
  theme: "light" | "dark";
  catalogue?: Catalogue | undefined;
}

/** The text in the conversation below the call. */
interface Said {
  by: "model" | "user";
  text: string;
}

/**
 * Another company's chat with MCP Apps and without elicitation, showing the card of one of our servers. Both are real
 * code, not mocks.
 */
export function HostCard({ name, frame: kind, theme, catalogue }: HostCardProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(0);
  const [said, setSaid] = useState<readonly Said[]>([]);
  const locale = catalogue?.locale ?? "en";
  useEffect(() => {
    const { current } = frame;
    if (current === null) return undefined;
    const ending = new AbortController();
    const say = (one: Said) => {
      if (!ending.signal.aborted) setSaid((before) => [...before, one]);
    };
    const isShown = showCard({
      frame: current,
      kind,
      look: { theme, locale },
      onHeight: setHeight,
      say,
      ending,
    });
    isShown.catch((error: unknown) => say({ by: "model", text: String(error) }));
    return () => {
      ending.abort();
      setSaid([]);
    };
  }, [kind, theme, locale]);

  return (
    <section className="book-host" data-theme={theme} aria-label={name}>
      <h3>{name}</h3>
      <p data-by="user">Send the parcel to {TO}</p>
      <p className="book-host-call">parcel · book_courier</p>
      {/* Without a sandbox, so that the tests can access the frame. Its page is the kit's own. */}
      {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
      <iframe ref={frame} title={`Card: ${name}`} style={{ blockSize: height }} />
      <div role="log" aria-label={`Answers: ${name}`}>
        {said.map(({ by, text }) => (
          <p key={text} data-by={by}>
            {text}
          </p>
        ))}
      </div>
    </section>
  );
}

interface Shown {
  frame: HTMLIFrameElement;
  kind: Frame;
  look: { theme: "light" | "dark"; locale: string };
  onHeight: (height: number) => void;
  say: (said: Said) => void;
  ending: AbortController;
}

/** Calls the tool as a host does, and shows its view: while the call runs, or after it has returned. */
async function showCard({ frame, kind, look, onHeight, say, ending: { signal } }: Shown): Promise<void> {
  const parcels = createParcels(kind);
  const client = new Client(
    { name: "another-host", version: "1.0.0" },
    {
      capabilities: {
        extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } },
      },
      versionNegotiation: { mode: { pin: "2026-07-28" } },
    },
  );
  signal.addEventListener(
    "abort",
    () =>
      void client
        .close()
        .then(() => parcels.close())
        .catch(() => {}),
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL("/mcp", location.href), {
      fetch: (url, init) => parcels.fetch(new Request(url, init)),
    }),
  );
  const html = await readView(client);
  const call = { name: "book_courier", arguments: { to: TO } };
  const called = client.callTool(call, { timeout: 600_000, signal });
  // The story may end before its view is ready, and nobody has waited for the call then.
  called.catch(() => {});
  // The card of an old conversation, or of a host that shows views late.
  const isLate = kind === "handed" || kind === "ended";
  if (isLate) await called;
  if (signal.aborted) return;
  const bridge = await showView({ frame, client, html, look, onHeight, say, signal });
  await bridge.sendToolInput({ arguments: call.arguments });
  if (kind === "answered") pressSend(frame, signal);
  const result = await called;
  await bridge.sendToolResult(result);
  if (isLate) return;
  say({
    by: "model",
    text: result.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(),
  });
}

async function readView(client: Client): Promise<string> {
  const { tools } = await client.listTools();
  const uri = getToolUiResourceUri(tools.find(({ name }) => name === "book_courier") ?? {});
  const { contents } = await client.readResource({ uri: uri ?? "" });
  const [view] = contents;
  if (view === undefined || !("text" in view)) throw new Error("the tool has no view");
  return view.text;
}

async function showView({
  frame,
  client,
  html,
  look,
  onHeight,
  say,
  signal,
}: Omit<Shown, "kind" | "ending"> & {
  client: Client;
  html: string;
  signal: AbortSignal;
}): Promise<AppBridge> {
  const bridge = new AppBridge(
    client,
    { name: "another-host", version: "1.0.0" },
    { openLinks: {}, serverTools: {}, message: { text: {} }, updateModelContext: { text: {} } },
    { hostContext: contextOf(look) },
  );
  signal.addEventListener("abort", () => void bridge.close().catch(() => {}));
  bridge.addEventListener("sizechange", (size) => onHeight(size.height ?? 0));
  const requests: Partial<AppBridge> = {
    async onopenlink({ url }) {
      window.open(url, "_blank", "noopener");
      return {};
    },
    async onmessage({ content }) {
      for (const block of content) if (block.type === "text") say({ by: "user", text: block.text });
      return {};
    },
    onupdatemodelcontext: async () => ({}),
  };
  Object.assign(bridge, requests);
  const isReady = new Promise<void>((resolve) => {
    bridge.addEventListener("initialized", () => resolve());
  });
  const { contentWindow } = frame;
  if (contentWindow === null) throw new Error("the frame has no window");
  await bridge.connect(new PostMessageTransport(contentWindow, contentWindow));
  frame.srcdoc = html;
  await isReady;
  return bridge;
}

/** The user presses Send with the default answers. The card is in a frame of this origin, without a sandbox. */
function pressSend({ contentDocument }: HTMLIFrameElement, signal: AbortSignal): void {
  if (contentDocument === null) return;
  const press = () => {
    const button = contentDocument.querySelector<HTMLElement>("button[type=submit]");
    if (button === null) return;
    observer.disconnect();
    button.click();
  };
  const observer = new MutationObserver(press);
  observer.observe(contentDocument, { childList: true, subtree: true });
  signal.addEventListener("abort", () => observer.disconnect());
  press();
}
