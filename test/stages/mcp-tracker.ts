import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { z } from "zod";

export interface McpTracker {
  fetch: typeof globalThis.fetch;
  /** Every call of a tool that reached the server, with the token it came with. */
  readonly calls: readonly { tool: string; token: string | undefined }[];
  /** Requests by JSON-RPC method. */
  readonly requests: readonly string[];
  /** The tokens that the server accepts. */
  readonly accepted: Set<string>;
  /** Tokens that are valid for everything except calls. */
  readonly readOnly: Set<string>;
}

/**
 * A real MCP server in this process: any client may list its tools (unless `listing` is closed), and a call needs an
 * accepted bearer token and gets 401 without.
 */
export function createMcpTracker({
  listing = "open",
  toolTitle = "Create issue",
}: { listing?: "open" | "closed"; toolTitle?: string } = {}): McpTracker {
  const calls: { tool: string; token: string | undefined }[] = [];
  const requests: string[] = [];
  const accepted = new Set<string>();
  const readOnly = new Set<string>();
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "tracker", version: "1" });
    server.registerTool(
      "create_issue",
      { title: toolTitle, description: "Creates an issue", inputSchema: z.object({ title: z.string() }) },
      async ({ title }) => {
        if (title === "broken")
          return { isError: true, content: [{ type: "text", text: "The tracker is read-only." }] };
        return { content: [{ type: "text", text: `Created "${title}"` }] };
      },
    );
    server.registerTool("list_issues", { outputSchema: z.object({ count: z.number() }) }, async () => ({
      content: [{ type: "text", text: "2 issues" }],
      structuredContent: { count: 2 },
    }));
    return server;
  });

  return {
    calls,
    requests,
    accepted,
    readOnly,
    async fetch(input, init) {
      const request = new Request(input, init);
      const token = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
      const text = await request.clone().text();
      const { method, params }: { method?: string; params?: { name?: string } } =
        text === "" ? {} : JSON.parse(text);
      if (method !== undefined) requests.push(method);
      const isCall = method === "tools/call";
      if (isCall) calls.push({ tool: params?.name ?? "", token });
      const isOpen = listing === "open" && token === undefined && !isCall;
      const isGood = token !== undefined && (accepted.has(token) || (!isCall && readOnly.has(token)));
      if (!isOpen && !isGood) {
        return new Response("unauthorized", { status: 401, headers: { "www-authenticate": "Bearer" } });
      }
      return handler.fetch(request);
    },
  };
}
