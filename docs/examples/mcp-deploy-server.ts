import { McpServer } from "@modelcontextprotocol/server";
import { createEliciting, createElicitingHandler, elicitorFor } from "elicit-kit/mcp/server";
import { serve } from "elicit-kit/node";
import { z } from "zod";

// Made with `openssl rand -base64 32`. Without it, a restart ends the calls that wait.
const eliciting = createEliciting({ stateKey: process.env["MCP_STATE_KEY"] });

function buildServer(): McpServer {
  const server = new McpServer({ name: "deploys", version: "1.0.0" }, eliciting.serverOptions);
  server.registerTool(
    "deploy",
    { description: "Deploys an app. Asks where.", inputSchema: z.object({ app: z.string() }) },
    eliciting("deploy", async ({ app }, ctx) => {
      const elicitor = elicitorFor(ctx);
      const build = await elicitor.once("build", async () => ({ number: 41, app })); // runs once in a call
      const stage = await elicitor.choose(`Where to deploy build ${build.number}?`, [
        "staging",
        "production",
      ]);
      const text = stage.outcome === "accepted" ? `Deployed ${app} to ${stage.value}.` : stage.text;
      return { content: [{ type: "text", text }] };
    }),
  );
  return server;
}

const handler = createElicitingHandler(buildServer, { onError: console.error });

export const server = await serve({
  fetch: (request) => handler.fetch(request),
  port: Number(process.env["PORT"] ?? 3000),
});
console.log(`${server.url}/mcp`);
