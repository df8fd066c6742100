import { McpServer, type AuthInfo } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { OAuthServer } from "./oauth-server.ts";
import { personOf, type ProtectedMcp, startProtectedMcp } from "./protected-mcp.ts";

/** The wiki's icon, which it serves with its name. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#0f766e"/><g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"><path d="M20 14c-2.5-2-6-2.5-9-2v14c3-.5 6.5 0 9 2 2.5-2 6-2.5 9-2V12c-3-.5-6.5 0-9 2z"/><path d="M20 14v14"/></g></svg>',
)}`;

const READ = "wiki:read";
/** The scope to publish pages. */
export const WIKI_WRITE = "wiki:write";

const FIRST_PAGES: ReadonlyMap<string, string> = new Map([
  ["Travel policy", "Trains before planes. Book a week ahead."],
  ["Release checklist", "Read the changelog as a stranger would."],
]);

/**
 * A wiki as an MCP server that is not configured: the agent does not know it until a user adds its URL. Its metadata
 * names its authorization server. Reading needs one scope, publishing another.
 */
export async function startWiki({
  name = "wiki",
  title = "Demo wiki",
  ...options
}: {
  port: number;
  oauth: Pick<OAuthServer, "issuer" | "registerResource">;
  name?: string;
  title?: string;
}): Promise<ProtectedMcp> {
  const pages = new Map<string, Map<string, string>>();
  return startProtectedMcp({
    ...options,
    name,
    title,
    scopes: { find_page: READ, publish_page: WIKI_WRITE },
    create: (authInfo) => createServer(title, pages, authInfo),
  });
}

function createServer(
  serverTitle: string,
  pages: Map<string, Map<string, string>>,
  authInfo: AuthInfo | undefined,
): McpServer {
  const server = new McpServer({
    name: "demo-wiki",
    title: serverTitle,
    version: "1.0.0",
    icons: [{ src: ICON, mimeType: "image/svg+xml" }],
  });
  const page = z.object({ title: z.string(), text: z.string() });

  function own(): Map<string, string> {
    const person = personOf(authInfo);
    const known = pages.get(person) ?? new Map(FIRST_PAGES);
    pages.set(person, known);
    return known;
  }

  server.registerTool(
    "find_page",
    {
      title: "Find a page",
      description: "Finds a page of the user's wiki by words of its title.",
      inputSchema: z.object({ words: z.string().min(1).max(200) }),
      annotations: { readOnlyHint: true },
    },
    ({ words }) => {
      const wanted = words.toLowerCase();
      const found = [...own()].find(([title]) => title.toLowerCase().includes(wanted));
      return {
        content: [{ type: "text", text: found === undefined ? "There is no such page." : found.join(": ") }],
      };
    },
  );
  server.registerTool(
    "publish_page",
    {
      title: "Publish a page",
      description: "Writes a page of the user's wiki.",
      inputSchema: page,
      annotations: { readOnlyHint: false, destructiveHint: true },
    },
    ({ title, text }) => {
      own().set(title, text);
      return { content: [{ type: "text", text: `The page “${title}” is published.` }] };
    },
  );
  return server;
}
