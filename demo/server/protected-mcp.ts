import {
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  hostHeaderValidationResponse,
  type McpServer,
  oauthMetadataResponse,
  originValidationResponse,
  requireBearerAuth,
  type AuthInfo,
} from "@modelcontextprotocol/server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import { type AuthorizationServer, discover, verify } from "./access-tokens.ts";
import type { OAuthServer } from "./oauth-server.ts";
import { serve } from "./ports.ts";

/** Counts of tool calls, for tests: an agent that waits for a credential must not call without one. */
export interface CallStats {
  withCredential: number;
  /** Calls with a token that was expired, forged, issued for another server, or without the scope. */
  withBadCredential: number;
  withoutCredential: number;
}

export interface ProtectedMcp {
  /** The MCP endpoint, which is also the resource of its tokens. `/stats` beside it returns the counts. */
  url: string;
  close: () => Promise<void>;
}

export interface ProtectedMcpOptions {
  /** The name in messages about its port. */
  name: string;
  port: number;
  oauth: Pick<OAuthServer, "issuer" | "registerResource">;
  /** The name for users. */
  title: string;
  /** The scope that each tool needs. */
  scopes: Readonly<Record<string, string>>;
  /** Creates the server for one request of a user. */
  create: (authInfo: AuthInfo | undefined) => McpServer;
}

/**
 * An MCP server (Streamable HTTP, every revision of the SDK). Anyone may list its tools; a call needs an access token of
 * `oauth` for this server, with the scope of the tool.
 */
export async function startProtectedMcp({
  name,
  port,
  oauth,
  title,
  scopes,
  create,
}: ProtectedMcpOptions): Promise<ProtectedMcp> {
  const authorizationServer = await discover(oauth.issuer);
  const mcp = createMcpHandler(({ authInfo }) => create(authInfo));
  const { origin, close } = await serve({
    name,
    host: "127.0.0.1",
    port,
    handle: (own) => createApp(new URL("/mcp", own), mcp, { authorizationServer, title, scopes }).fetch,
  });
  const url = `${origin}/mcp`;
  oauth.registerResource(url, { title, scope: [...new Set(Object.values(scopes))].join(" ") });
  return {
    url,
    async close() {
      await mcp.close();
      await close();
    },
  };
}

/** The user of a token. Tools run only with a token, so this never throws for them. */
export function personOf(authInfo: AuthInfo | undefined): string {
  const person = authInfo?.extra?.["sub"];
  if (typeof person !== "string") throw new Error("elicit-kit: a tool was called for nobody");
  return person;
}

function createApp(
  resource: URL,
  mcp: ReturnType<typeof createMcpHandler>,
  {
    authorizationServer,
    title,
    scopes,
  }: { authorizationServer: AuthorizationServer; title: string; scopes: Readonly<Record<string, string>> },
): Hono {
  const stats: CallStats = { withCredential: 0, withBadCredential: 0, withoutCredential: 0 };
  const requireScopes = (requiredScopes: string[]) =>
    requireBearerAuth({
      verifier: { verifyAccessToken: (token) => verify(token, resource, authorizationServer) },
      requiredScopes,
      resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resource),
      expectedResource: resource,
    });

  return (
    new Hono()
      .use(async (c, next) => {
        // Prevents DNS rebinding: refuses a foreign host name that resolves to this machine.
        const refused = hostHeaderValidationResponse(c.req.raw, [resource.hostname]);
        if (refused !== undefined) return refused;
        const document = oauthMetadataResponse(c.req.raw, {
          oauthMetadata: authorizationServer,
          resourceServerUrl: resource,
          scopesSupported: [...new Set(Object.values(scopes))],
          resourceName: title,
        });
        return document ?? next();
      })
      .get("/stats", (c) => c.json(stats))
      // Other methods have no body, and the limit fails on a DELETE without a length.
      .post("/mcp", bodyLimit({ maxSize: 64 * 1024 }))
      .all("/mcp", async (c) => {
        const request = c.req.raw;
        // No web page uses this endpoint: only the agent's server calls it.
        const refused = originValidationResponse(request, []);
        if (refused !== undefined) return refused;
        if (request.method !== "POST") return mcp.fetch(request);
        const parsedBody: unknown = await request
          .clone()
          .json()
          .catch(() => undefined);
        if (parsedBody === undefined) return mcp.fetch(request);
        // Passes the parsed body on, so that the server runs exactly what was checked.
        const called = toolsCalled(parsedBody);
        if (called.length === 0) return mcp.fetch(request, { parsedBody });
        const authInfo = await requireScopes(called.flatMap((tool) => scopes[tool] ?? []))(request);
        if (authInfo instanceof Response) {
          if (request.headers.has("authorization")) stats.withBadCredential += 1;
          else stats.withoutCredential += 1;
          return authInfo;
        }
        stats.withCredential += 1;
        return mcp.fetch(request, { authInfo, parsedBody });
      })
  );
}

/** The tools that a JSON-RPC message, or a batch of them, calls. */
function toolsCalled(body: unknown): readonly string[] {
  return [body].flat().flatMap((message) => {
    const call = toolCall.safeParse(message);
    return call.success ? [call.data.params.name] : [];
  });
}

const toolCall = z.object({
  method: z.literal("tools/call"),
  // A call without a tool name needs a token too. It fails later.
  params: z.object({ name: z.string().catch("") }).catch({ name: "" }),
});
