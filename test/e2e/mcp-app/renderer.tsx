/** A host on the `AppRenderer` of @mcp-ui/client with the capabilities that it has by itself, and the SDK of MCP 2025. */
import { AppRenderer, UI_EXTENSION_CAPABILITIES } from "@mcp-ui/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type CallToolResult, CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const query = new URLSearchParams(location.search);
const sandbox = { url: new URL("/sandbox", location.href) };
const args = { to: "Lisbon" };
const client = new Client(
  { name: "renderer", version: "1" },
  { capabilities: { extensions: UI_EXTENSION_CAPABILITIES } },
);

function Host() {
  const [isCalled, setCalled] = useState(false);
  const [result, setResult] = useState<CallToolResult>();
  const [waited, setWaited] = useState<CallToolResult>();

  async function callTool(name: string, given: Record<string, unknown>): Promise<CallToolResult> {
    return CallToolResultSchema.parse(await client.callTool({ name, arguments: given }));
  }

  async function call(): Promise<void> {
    setCalled(true);
    setResult(await callTool("book", args));
  }

  /** The model waits for the result of a call that the card continues. */
  async function wait(): Promise<void> {
    const asked = /call \\*"([\w-]+)/.exec(JSON.stringify(result))?.[1];
    setWaited(await callTool("elicitation_result", { call: asked }));
  }

  return (
    <>
      <button onClick={() => void call()}>Call</button>
      <button onClick={() => void wait()}>Wait</button>
      {isCalled && (!query.has("after") || result) && (
        <AppRenderer
          client={client}
          toolName="book"
          toolInput={args}
          sandbox={sandbox}
          {...(result && { toolResult: result })}
        />
      )}
      <pre id="result">{result && JSON.stringify(result.content)}</pre>
      <pre id="waited">{waited && JSON.stringify(waited.content)}</pre>
    </>
  );
}

await client.connect(new StreamableHTTPClientTransport(new URL(query.get("server") ?? "")));
createRoot(document.body.appendChild(document.createElement("div"))).render(<Host />);
