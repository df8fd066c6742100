import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";

/** The reply of a server to a refused call. */
export type Refuse = (refused: { id: unknown }) => Response;

export interface SignInServer {
  fetch: typeof globalThis.fetch;
  /** Tool calls that reached the server, including refused ones, with their tokens. */
  readonly calls: readonly { tool: string; token: string | undefined }[];
}

/**
 * A real MCP server in this process. Any client may list its tools; `read_issue` needs the scope `issues:read`,
 * `create_issue` needs `issues:write`. It serves its protected resource metadata.
 */
export function createSignInServer({
  url,
  authorizationServers,
  scopesOf,
  resource = url,
  supported,
  refuse,
}: {
  url: string;
  authorizationServers: readonly string[];
  /** The scopes of a token. `undefined` if it is not valid here. */
  scopesOf: (token: string) => Promise<readonly string[] | undefined>;
  resource?: string;
  /** The scopes in its metadata. With them, its challenges name none. */
  supported?: readonly string[] | undefined;
  refuse?: Refuse | undefined;
}): SignInServer {
  const calls: { tool: string; token: string | undefined }[] = [];
  const { origin, pathname } = new URL(url);
  const metadataUrl = `${origin}/.well-known/oauth-protected-resource${pathname}`;
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "issues", version: "1" });
    for (const name of ["read_issue", "create_issue"]) {
      server.registerTool(name, {}, async () => ({ content: [{ type: "text", text: `${name} done` }] }));
    }
    return server;
  });

  function challenge(status: number, parameters: string): Response {
    const header = `Bearer ${parameters}, resource_metadata="${metadataUrl}"`;
    return Response.json({}, { status, headers: { "www-authenticate": header } });
  }

  return {
    calls,
    async fetch(input, init) {
      const request = new Request(input, init);
      if (request.url === metadataUrl) {
        return Response.json({
          resource,
          authorization_servers: authorizationServers,
          scopes_supported: supported,
        });
      }
      const text = await request.clone().text();
      const { id, method, params }: { id?: unknown; method?: string; params?: { name?: string } } =
        text === "" ? {} : JSON.parse(text);
      if (method !== "tools/call") return handler.fetch(request);
      const tool = params?.name ?? "";
      const token = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
      calls.push({ tool, token });
      const needed = tool === "create_issue" ? "issues:write" : "issues:read";
      const granted = token === undefined ? undefined : await scopesOf(token);
      if (granted?.includes(needed) === true) return handler.fetch(request);
      if (refuse !== undefined) return refuse({ id });
      return granted === undefined
        ? challenge(401, supported === undefined ? `scope="${needed}"` : 'realm="issues"')
        : challenge(403, `error="insufficient_scope", scope="${needed}"`);
    },
  };
}
