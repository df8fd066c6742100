/**
 * A server on an official SDK over standard input and output. Its argument is `v1` for version 1 of the SDK (2025-11-25),
 * or a revision for version 2.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport as TransportV1 } from "@modelcontextprotocol/sdk/server/stdio.js";
import { McpServer, inputRequired, inputResponse } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const FORM = {
  message: "Who?",
  requestedSchema: {
    type: "object" as const,
    properties: { name: { type: "string" as const } },
    required: ["name"],
  },
};
const said = (text: string) => ({ content: [{ type: "text" as const, text }] });
const about = () => said(JSON.stringify({ pid: process.pid, tenant: process.env["TENANT"] }));
const echoed = () =>
  said(`the key is ${process.env["API_KEY"]}, and secrets of the parent: ${process.env["PARENT"]}`);

const kind = process.argv[2] ?? "";
if (kind === "v1") {
  const server = new McpServerV1({ name: "v1-stdio", version: "1" });
  server.registerTool("ask", { inputSchema: { label: z.string() } }, async ({ label }, { requestId }) => {
    const { action, content } = await server.server.elicitInput(
      { ...FORM, message: `Who ${label}?` },
      { relatedRequestId: requestId },
    );
    return said(`${label}: ${action} ${JSON.stringify(content)}`);
  });
  server.registerTool("about", {}, async () => about());
  server.registerTool("echo_key", {}, async () => echoed());
  let heard: Promise<unknown> = Promise.resolve();
  server.registerTool("ask_late", {}, async () => {
    heard = sleep(100)
      .then(() => server.server.elicitInput(FORM))
      .then(JSON.stringify, String);
    return said("later");
  });
  server.registerTool("heard", {}, async () => said(String(await heard)));
  await server.connect(new TransportV1());
} else if (kind === "2026-07-28") {
  serveStdio(() => version2({}));
} else {
  await version2({ supportedProtocolVersions: [kind] }).connect(new StdioServerTransport());
}

function version2(options: { supportedProtocolVersions?: string[] }): McpServer {
  const server = new McpServer({ name: "v2-stdio", version: "2" }, options);
  const inputSchema = z.object({ label: z.string() });
  server.registerTool("ask", { inputSchema }, async ({ label }, ctx) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, "who");
    if (answer.kind === "elicit") return said(`${label}: ${answer.action} ${JSON.stringify(answer.content)}`);
    const who = inputRequired.elicit({ ...FORM, message: `Who ${label}?` });
    return inputRequired({ inputRequests: { who } });
  });
  server.registerTool("about", {}, async () => about());
  return server;
}
