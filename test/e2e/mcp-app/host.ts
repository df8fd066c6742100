/**
 * A small host with MCP Apps, as the basic-host of ext-apps is: it calls a tool, shows the tool's view in a sandbox of an
 * opaque origin, and connects both with the AppBridge. Its query turns on what other hosts do differently.
 */
import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
  specTypeSchemas,
} from "@modelcontextprotocol/client";
import {
  AppBridge,
  PostMessageTransport,
  getToolUiResourceUri,
} from "@modelcontextprotocol/ext-apps/app-bridge";

const query = new URLSearchParams(location.search);
const has = (name: string): boolean => query.has(name);
const era = query.get("era") ?? "2026-07-28";

/** The policy of the specification for views that name no domains. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'none'";

const client = new Client(
  { name: "test-host", version: "1" },
  {
    capabilities: {
      ...(has("own-forms") && { elicitation: { form: {}, url: {} } }),
      extensions: {
        "io.modelcontextprotocol/ui": {
          mimeTypes: ["text/html;profile=mcp-app"],
          ...(has("own-forms") && { elicitation: {} }),
        },
      },
    },
    ...(era === "2026-07-28"
      ? { versionNegotiation: { mode: { pin: "2026-07-28" } } }
      : { supportedProtocolVersions: [era] }),
  },
);

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`no #${id}`);
  return found;
}

function write(id: string, value: unknown): void {
  element(id).append(`${JSON.stringify(value)}\n`);
}

/** Shows the view. Resolves when it is connected. */
async function mount(html: string): Promise<AppBridge> {
  const frame = document.createElement("iframe");
  frame.title = "View";
  frame.sandbox.add("allow-scripts");
  frame.style.cssText = "inline-size: 100%; block-size: 0; border: 0";
  frame.srcdoc = html.replace(
    "<head>",
    `<head><meta http-equiv="content-security-policy" content="${POLICY}">`,
  );
  element("view").append(frame);
  const { contentWindow } = frame;
  if (contentWindow === null) throw new Error("no window");
  const styles = query.get("variables");
  const bridge = new AppBridge(
    client,
    { name: "test-host", version: "1" },
    Object.assign(
      { openLinks: {}, serverTools: {}, message: { text: {} }, updateModelContext: { text: {} } },
      has("own-forms") && { elicitation: {} },
    ),
    {
      hostContext: {
        theme: query.get("theme") === "dark" ? "dark" : "light",
        locale: query.get("locale") ?? "en-GB",
        ...(styles !== null && { styles: { variables: JSON.parse(styles) } }),
      },
    },
  );
  bridge.addEventListener("sizechange", ({ height }) => {
    frame.style.blockSize = `${height ?? 0}px`;
  });
  // These are requests with a reply, not events.
  Object.assign(bridge, {
    onopenlink: async ({ url }: { url: string }) => {
      write("links", url);
      return {};
    },
    onmessage: async ({ content }: { content: unknown }) => {
      write("messages", content);
      return {};
    },
    onupdatemodelcontext: async ({ content }: { content?: unknown }) => {
      write("context", content);
      return {};
    },
  });
  const ready = new Promise<void>((resolve) => {
    bridge.addEventListener("initialized", () => resolve());
  });
  await bridge.connect(new PostMessageTransport(contentWindow, contentWindow));
  if (has("serial")) {
    bridge.oncalltool = async (params) => {
      await running;
      return client.callTool(params);
    };
  }
  await ready;
  return bridge;
}

let running: Promise<unknown> = Promise.resolve();

async function call(): Promise<void> {
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name === "book");
  if (has("own-forms")) {
    const { content } = await client.callTool({ name: "book", arguments: { to: "Lisbon" } });
    write("result", content);
    return;
  }
  const html = await read(getToolUiResourceUri(tool ?? {}));
  const args = { to: "Lisbon" };
  const timeout = has("timeout") ? 5000 : 600_000;
  const called: Promise<CallToolResult> = client.callTool({ name: "book", arguments: args }, { timeout });
  running = called.catch(() => {});
  const early = has("after") ? undefined : await mount(html);
  if (!has("late") && !has("mute")) await early?.sendToolInput({ arguments: args });
  try {
    const result = await called;
    write("result", result.content);
    const bridge = early ?? (await mount(html));
    if (has("mute")) return;
    if (has("late") || has("after")) await bridge.sendToolInput({ arguments: args });
    await bridge.sendToolResult(result);
  } catch (error) {
    write("result", String(error));
    await early?.sendToolCancelled({ reason: "The host has ended the call." });
  }
}

async function read(uri: string | undefined): Promise<string> {
  if (uri === undefined) throw new Error("there is no view");
  const { contents } = await client.readResource({ uri });
  const [resource] = contents;
  if (resource === undefined || !("text" in resource)) throw new Error("no view");
  return resource.text;
}

/** SEP-3118: the host asks by itself, and shows the server's view for the form. Each question has a view of its own. */
if (has("own-forms")) {
  client.setRequestHandler("elicitation/create", async (request) => {
    const { _meta: meta } = request.params;
    const { resourceUri } = Object.assign({ resourceUri: undefined }, meta?.["ui"]);
    const bridge = await mount(await read(resourceUri));
    const answer = await bridge.request({ ...request }, specTypeSchemas.ElicitResult, { timeout: 600_000 });
    await bridge.teardownResource({});
    element("view").replaceChildren();
    return answer;
  });
}

await client.connect(new StreamableHTTPClientTransport(new URL(query.get("server") ?? "")));
element("call").addEventListener("click", () => void call());
element("call").removeAttribute("disabled");
