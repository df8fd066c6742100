/** MCP servers whose language writes null, or an empty list, for what is absent. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { expect, onTestFinished } from "vitest";
import { z } from "zod";
import { type ElicitationItem, createElicitationClient } from "../../src/client/index.ts";
import type { ElicitationRequest } from "../../src/contract/contract.ts";
import { FakeBrowser } from "../../src/client/popup/testing/fake-browser.ts";
import { createMcpChannel } from "../../src/mcp/page/index.ts";
import { readElicitation } from "../../src/mcp/wire/translate.ts";
import { chatWith } from "../interop/mcp/chat.ts";
import { handleV2 } from "../interop/mcp/servers.ts";
import { fieldCase } from "./field-case.ts";

const message = "Where to?";
const city = { type: "object", properties: { city: { type: "string" } } };
const nothing = { type: "object", properties: {} };
const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
type Revision = (typeof REVISIONS)[number];
type Params = Readonly<Record<string, unknown>>;
type Content = Readonly<Record<string, string>>;

/** A server whose tool asks with these params, and returns the action that it gets. */
const asking = (params: Params) => (server: McpServer) => {
  server.registerTool("ask", { inputSchema: z.object({}) }, async (_, ctx) => {
    const request = { method: "elicitation/create", params };
    const given: unknown = ctx.mcpReq.inputResponses?.["asked"];
    if (given !== undefined) return told(given);
    if (ctx.mcpReq.envelope !== undefined) {
      return { resultType: "input_required", inputRequests: { asked: request } } as never;
    }
    return told(await ctx.mcpReq.send(request, z.looseObject({})));
  });
};

const told = (answer: unknown): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(answer) }],
});

/** The question of an agent with this server, which the user accepts. */
async function askedByAgent(params: Params, revision: Revision, content: Content) {
  const fetch = inMemory(params, revision);
  const chat = chatWith("https://planner.example.com/mcp", [{ srv_ask: {} }, "Done."], { fetch });
  const stream = await chat.send();
  const request = await stream.request();
  await chat.answer(stream, "accept", content);
  await stream.done;
  expect(chat.results()).toContain("accept");
  expect(chat.errors).toEqual([]);
  return shown(request);
}

/** The same for a page that is a client of the server. */
async function askedInPage(params: Params, revision: Revision, content: Content) {
  const client = new Client(
    { name: "page", version: "1" },
    revision === "2026-07-28"
      ? { versionNegotiation: { mode: { pin: revision } } }
      : { supportedProtocolVersions: [revision] },
  );
  const channel = createMcpChannel({ client, serverName: "Planner" });
  const elicitations = createElicitationClient({
    channel,
    storage: null,
    popupEnvironment: new FakeBrowser(),
  });
  const fetch = inMemory(params, revision);
  await client.connect(
    new StreamableHTTPClientTransport(new URL("https://planner.example.com/mcp"), { fetch }),
  );
  onTestFinished(async () => {
    elicitations.dispose();
    await client.close();
  });
  const result = channel.callTool({ name: "ask", arguments: {} });
  const item = await new Promise<ElicitationItem>((resolve, reject) => {
    result.then((ended) => reject(new Error(JSON.stringify(ended))), reject);
    onTestFinished(elicitations.subscribe(() => elicitations.getSnapshot().items.forEach(resolve)));
  });
  await elicitations.accept(item.id, content);
  expect(JSON.stringify(await result)).toContain("accept");
  return shown(item.request);
}

function shown(request: ElicitationRequest) {
  return { said: request.message, schema: request.mode === "form" ? request.requestedSchema : undefined };
}

function inMemory(params: Params, revision: Revision): typeof globalThis.fetch {
  const handle = handleV2(asking(params), revision);
  return (input, init) => handle(new Request(input, init));
}

async function expectAsked(params: Params, schema: unknown, content: Content): Promise<void> {
  for (const revision of REVISIONS) {
    expect(await askedByAgent(params, revision, content)).toEqual({ said: message, schema });
    expect(await askedInPage(params, revision, content)).toEqual({ said: message, schema });
  }
}

fieldCase(
  { sources: ["opencode-ai/opencode#278", "coder/coder#23538"], before: "failed" },
  "a question of an MCP server in Go whose mode or list of required fields is null is asked",
  async () => {
    await expectAsked({ message, requestedSchema: { ...city, required: null } }, city, { city: "Oslo" });
    await expectAsked({ mode: null, message, requestedSchema: city }, city, { city: "Oslo" });
    expect(readElicitation({ message, requestedSchema: { ...city, required: "city" } }).ok).toBe(false);
  },
);

fieldCase(
  { sources: ["modelcontextprotocol/php-sdk#405", "shopware/shopware#18713"], before: "failed" },
  "a question of an MCP server in PHP whose properties are an empty list is asked",
  async () => {
    await expectAsked({ message, requestedSchema: { type: "object", properties: [] } }, nothing, {});
    expect(readElicitation({ message, requestedSchema: { ...city, properties: ["city"] } }).ok).toBe(false);
  },
);
