import { McpServer, type AuthInfo } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { OAuthServer } from "./oauth-server.ts";
import { personOf, type ProtectedMcp, startProtectedMcp } from "./protected-mcp.ts";

export const TRACKER_ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#4f46e5"/><g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"><path d="M12 13h9"/><path d="M12 20h16" opacity=".75"/><path d="M12 27h5" opacity=".5"/><path d="M24.5 13l2 2 3.5-4.2"/></g></svg>',
)}`;

/** The scope that a token needs before a tool runs. */
export const TRACKER_SCOPE = "issues:write";

interface Issue {
  number: number;
  title: string;
  body?: string | undefined;
}

/** An issue tracker as an MCP server. Every call sees only the issues of the token's user. */
export async function startTracker(options: {
  port: number;
  oauth: Pick<OAuthServer, "issuer" | "registerResource">;
}): Promise<ProtectedMcp> {
  const issues = new Map<string, Issue[]>();
  return startProtectedMcp({
    ...options,
    name: "tracker",
    title: "Demo tracker",
    scopes: { create_issue: TRACKER_SCOPE, list_issues: TRACKER_SCOPE },
    create: (authInfo) => createServer(issues, authInfo),
  });
}

/** A server for one request, for the user of the request's token. */
function createServer(issues: Map<string, Issue[]>, authInfo: AuthInfo | undefined): McpServer {
  const server = new McpServer({ name: "demo-tracker", title: "Demo tracker", version: "1.0.0" });
  const issue = z.object({ number: z.int(), title: z.string(), body: z.string().optional() });

  /** Tools run only with a token, so this never throws. If it did, no data would have been read yet. */
  function own(): Issue[] {
    const person = personOf(authInfo);
    const list = issues.get(person) ?? [];
    issues.set(person, list);
    return list;
  }

  server.registerTool(
    "create_issue",
    {
      title: "Create an issue",
      description: "Creates an issue in the user's tracker.",
      inputSchema: z.object({ title: z.string().min(1).max(200), body: z.string().max(10_000).optional() }),
      outputSchema: issue,
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    ({ title, body }) => {
      const list = own();
      const created = { number: list.length + 1, title, ...(body === undefined ? {} : { body }) };
      list.push(created);
      return {
        content: [{ type: "text", text: `Created issue #${created.number}: ${title}` }],
        structuredContent: created,
      };
    },
  );
  server.registerTool(
    "list_issues",
    {
      title: "List issues",
      description: "Lists the issues in the user's tracker.",
      inputSchema: z.object({}),
      outputSchema: z.object({ issues: z.array(issue) }),
      annotations: { readOnlyHint: true },
    },
    () => {
      const list = own();
      const lines = list.map(({ number, title }) => `#${number}: ${title}`);
      return {
        content: [{ type: "text", text: lines.length === 0 ? "There are no issues." : lines.join("\n") }],
        structuredContent: { issues: list },
      };
    },
  );
  return server;
}
