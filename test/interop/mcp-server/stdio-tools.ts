/** An MCP server over standard input and output. Its only tool asks with the kit's elicitor. */
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { createEliciting, elicitorFor } from "../../../extras/mcp-server/index.ts";

const eliciting = createEliciting();
serveStdio(() => {
  const server = new McpServer({ name: "stdio-tools", version: "1" }, eliciting.serverOptions);
  server.registerTool(
    "ask",
    { inputSchema: z.object({}) },
    eliciting("ask", async (_, ctx) => {
      const elicitor = elicitorFor(ctx);
      const key = await elicitor.choose("Which key?", [{ value: "c", label: "C major" }, "a"]);
      const paid = await elicitor.url("Pay", {
        url: "https://pay.example.com/",
        service: "Pay",
        purpose: "pay",
      });
      return { content: [{ type: "text", text: JSON.stringify({ key, paid }) }] };
    }),
  );
  return server;
});
