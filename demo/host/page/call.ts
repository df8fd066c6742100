import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type AppBridge, getToolUiResourceUri } from "@modelcontextprotocol/ext-apps/app-bridge";
import { z } from "zod";

/** Differences between hosts. The server detects them, and needs no setting for them. */
export const WAYS = {
  held: "while the call runs",
  waits: "after the result, and the model waits",
  handed: "after the result, and the model does not wait",
};
export type Way = keyof typeof WAYS;

export interface Reply {
  text: string;
  /** How the answer reached the tool. */
  how: string;
}

/** The chat as a client of the MCP server. It declares MCP Apps, and no elicitation. */
export async function connect(): Promise<Client> {
  const mimeTypes = ["text/html;profile=mcp-app"];
  const client = new Client(
    { name: "another-host", version: "1.0.0" },
    {
      capabilities: { extensions: { "io.modelcontextprotocol/ui": { mimeTypes } } },
      versionNegotiation: { mode: { pin: "2026-07-28" } },
    },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", location.href)));
  return client;
}

/** Reads the HTML of a tool's view. */
export async function readView(client: Client, name: string): Promise<string> {
  const { tools } = await client.listTools();
  const tool = tools.find((one) => one.name === name);
  const uri = tool && getToolUiResourceUri(tool);
  if (uri === undefined) throw new Error(`${name} has no view`);
  const { contents } = await client.readResource({ uri });
  const [resource] = contents;
  if (resource === undefined || !("text" in resource)) throw new Error(`${uri} has no HTML`);
  return resource.text;
}

/**
 * Calls a tool, as the chat's model does. Resolves with the reply, which comes with the result. If the call has returned
 * before the answer, the reply comes with the message of the view, and is `undefined` until then.
 */
export async function callTool(
  client: Client,
  call: {
    name: string;
    arguments: Record<string, string>;
    way: Way;
    show: () => Promise<AppBridge>;
  },
): Promise<Reply | undefined> {
  const { name, arguments: args, way, show } = call;
  const called = client.callTool({ name, arguments: args }, { timeout: 600_000 });
  const early = way === "held" ? await show() : undefined;
  await early?.sendToolInput({ arguments: args });
  const result = await called;
  const view = early ?? (await show());
  if (early === undefined) await view.sendToolInput({ arguments: args });
  await view.sendToolResult(result);
  const id = callThatWaits(result);
  if (id === undefined) return { text: textOf(result), how: "The same call returned this." };
  if (way === "handed") return undefined;
  return wait(client, id);
}

/** The model calls the tool that the result names, until the answer is there. */
async function wait(client: Client, call: string): Promise<Reply> {
  for (;;) {
    const result = await client.callTool(
      { name: "elicitation_result", arguments: { call } },
      { timeout: 600_000 },
    );
    const text = textOf(result);
    if (!text.startsWith("The user has not answered yet."))
      return { text, how: "The model waited for this with elicitation_result, in the same turn." };
  }
}

function callThatWaits({ structuredContent }: CallToolResult): string | undefined {
  const waiting = z.object({ elicitation: z.object({ call: z.string() }) }).safeParse(structuredContent);
  return waiting.data?.elicitation.call;
}

function textOf({ content }: CallToolResult): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
