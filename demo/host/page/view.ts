import type { Client } from "@modelcontextprotocol/client";
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
import { type Look, contextOf } from "./look.ts";

/** Events of a view that the chat handles. */
export interface ViewEvents {
  onHeight: (height: number) => void;
  /** `ui/message`: the view sends a message in the name of the user. */
  onMessage: (text: string) => void;
}

/** Shows a view in `frame`, inside the sandbox proxy. Resolves when the view is connected. */
export async function showView(
  frame: HTMLIFrameElement,
  { client, html, look, onHeight, onMessage }: { client: Client; html: string; look: Look } & ViewEvents,
): Promise<AppBridge> {
  const bridge = new AppBridge(
    client,
    { name: "another-host", version: "1.0.0" },
    { openLinks: {}, serverTools: {}, message: { text: {} }, updateModelContext: { text: {} } },
    { hostContext: contextOf(look) },
  );
  bridge.addEventListener("sizechange", ({ height }) => onHeight(height ?? 0));
  bridge.addEventListener("sandboxready", () => void bridge.sendSandboxResourceReady({ html }));
  const isReady = new Promise<void>((resolve) => {
    bridge.addEventListener("initialized", () => resolve());
  });
  const requests: Partial<AppBridge> = {
    async onopenlink({ url }) {
      window.open(url, "_blank", "noopener");
      return {};
    },
    async onmessage({ content }) {
      onMessage(content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n"));
      return {};
    },
    onupdatemodelcontext: async () => ({}),
  };
  Object.assign(bridge, requests);
  const { contentWindow } = frame;
  if (contentWindow === null) throw new Error("the frame of the view has no window");
  await bridge.connect(new PostMessageTransport(contentWindow, contentWindow));
  frame.src = sandboxUrl();
  await isReady;
  return bridge;
}

/** The origin of views: this machine under another host name. */
function sandboxUrl(): string {
  const url = new URL("/sandbox", location.href);
  url.hostname = "127.0.0.1";
  return url.href;
}
