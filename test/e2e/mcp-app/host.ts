/**
 * The host of test/stages/bridge-host.ts as a page: it shows views in a sandbox with an opaque origin. Its query has the
 * switches and the host's context.
 */
import { Client, StreamableHTTPClientTransport, specTypeSchemas } from "@modelcontextprotocol/client";
import { PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
import { createBridgeHost } from "../../stages/bridge-host.ts";

const query = new URLSearchParams(location.search);
const has = (name: string): boolean => query.has(name);
const era = query.get("era") ?? "2026-07-28";
const styles = query.get("variables");

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

const refusals = ["no-capability", "throws", "is-error"] as const;

const host = createBridgeHost({
  client,
  switches: {
    late: has("late"),
    after: has("after"),
    serial: has("serial"),
    mute: has("mute"),
    refuses: refusals.find((how) => how === query.get("refuses")),
    ...(has("timeout") && { timeout: 5000 }),
  },
  ...(has("own-forms") && { capabilities: { elicitation: {} } }),
  context: {
    theme: query.get("theme") === "dark" ? "dark" : "light",
    locale: query.get("locale") ?? "en-GB",
    ...(styles !== null && { styles: { variables: JSON.parse(styles) } }),
  },
  async place(uri) {
    const html = await read(uri);
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
    return {
      transport: new PostMessageTransport(contentWindow, contentWindow),
      resize(height) {
        frame.style.blockSize = `${height}px`;
      },
    };
  },
  said: {
    link: (url) => write("links", url),
    message: (content) => write("messages", content),
    context: (content) => write("context", content),
  },
});

async function read(uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  const [resource] = contents;
  if (resource === undefined || !("text" in resource)) throw new Error("no view");
  return resource.text;
}

async function call(): Promise<void> {
  const tool = query.get("tool") ?? "book";
  const args = tool === "book" ? { to: "Lisbon" } : {};
  try {
    const { content } = has("own-forms")
      ? await client.callTool({ name: tool, arguments: args })
      : await host.call(tool, args);
    write("result", content);
  } catch (error) {
    write("result", String(error));
  }
}

/** The model waits for the result of a call that the card continues. */
async function waitForResult(): Promise<void> {
  const asked = /call \\*"([\w-]+)/.exec(element("result").textContent)?.[1];
  const { content } = await client.callTool({ name: "elicitation_result", arguments: { call: asked } });
  write("waited", content);
}

/** SEP-3118: the host supports elicitation, and shows the server's view for the form. Each question has its own view. */
if (has("own-forms")) {
  client.setRequestHandler("elicitation/create", async (request) => {
    const { _meta: meta } = request.params;
    const { resourceUri } = Object.assign({ resourceUri: undefined }, meta?.["ui"]);
    const bridge = await host.show(resourceUri);
    const answer = await bridge.request({ ...request }, specTypeSchemas.ElicitResult, { timeout: 600_000 });
    await bridge.teardownResource({});
    element("view").replaceChildren();
    return answer;
  });
}

await client.connect(new StreamableHTTPClientTransport(new URL(query.get("server") ?? "")));
element("call").addEventListener("click", () => void call());
element("wait").addEventListener("click", () => void waitForResult());
element("call").removeAttribute("disabled");
