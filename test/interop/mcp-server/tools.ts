import { Client, StreamableHTTPClientTransport, type ClientCapabilities } from "@modelcontextprotocol/client";
import { McpServer, type McpServerFactory } from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";
import { type Eliciting, createEliciting, createElicitingHandler } from "../../../extras/mcp-server/index.ts";
import type { ElicitingOptions } from "../../../extras/mcp-server/elicitor/options.ts";
import { serve } from "../../../src/node/index.ts";
import { type Answer, BOTH, type Called, type Era, calledOf } from "./clients.ts";

/** An MCP server on the official SDK whose tools ask, with every revision on one URL. */
export async function serveTools(
  register: (server: McpServer, eliciting: Eliciting) => void,
  options: ElicitingOptions & { withoutHook?: boolean; maxSessions?: number } = {},
): Promise<{ url: string; errors: unknown[] }> {
  const errors: unknown[] = [];
  const eliciting = createEliciting(options);
  const build: McpServerFactory = () => {
    const server = new McpServer(
      { name: "tools", version: "1" },
      options.withoutHook === true ? {} : eliciting.serverOptions,
    );
    register(server, eliciting);
    return server;
  };
  const handler = createElicitingHandler(build, {
    maxSessions: options.maxSessions,
    onError: (error) => errors.push(error),
  });
  const { url, close } = await serve({
    fetch(request) {
      // The bearer token identifies the user.
      const token = request.headers.get("authorization") ?? "";
      return handler.fetch(request, { authInfo: { token, clientId: "client", scopes: [] } });
    },
  });
  onTestFinished(async () => {
    await handler.close();
    await close();
  });
  return { url: `${url}/mcp`, errors };
}

/** Calls a tool with the official SDK. */
export async function toolClient(
  url: string,
  era: Era,
  { answer, capabilities = BOTH }: { answer?: Answer; capabilities?: ClientCapabilities } = {},
): Promise<{
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<Called>;
  completed: string[];
  /** Ends the session, like a client that its user closes. */
  endSession(): Promise<void>;
}> {
  const client = new Client(
    { name: "client", version: "1" },
    {
      capabilities,
      ...(era === "2026-07-28"
        ? { versionNegotiation: { mode: { pin: "2026-07-28" } } }
        : { supportedProtocolVersions: [era] }),
    },
  );
  const completed: string[] = [];
  if (answer !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params }, ctx) =>
      answer(params, ctx.mcpReq.signal),
    );
  }
  client.setNotificationHandler("notifications/elicitation/complete", ({ params }) => {
    completed.push(params.elicitationId);
  });
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    completed,
    async endSession() {
      await transport.terminateSession();
      await client.close();
    },
    call: async (name, args = {}) =>
      calledOf(await client.callTool({ name, arguments: { ...args } }, { timeout: 600_000 })),
  };
}
