import {
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  hostHeaderValidationResponse,
  McpServer,
  OAuthError,
  OAuthErrorCode,
  oauthMetadataResponse,
  originValidationResponse,
  requireBearerAuth,
  type AuthInfo,
  type AuthMetadataOptions,
} from "@modelcontextprotocol/server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import * as oauth4webapi from "oauth4webapi";
import { z } from "zod";
import type { OAuthServer } from "./oauth-server.ts";
import { serve } from "./ports.ts";

/** The tracker's sign. */
export const TRACKER_ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#4f46e5"/><g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"><path d="M12 13h9"/><path d="M12 20h16" opacity=".75"/><path d="M12 27h5" opacity=".5"/><path d="M24.5 13l2 2 3.5-4.2"/></g></svg>',
)}`;

/** What a token must be good for before a tool runs. */
export const TRACKER_SCOPE = "issues:write";

/** How often tools were called, for tests: an agent that waits for a credential makes no call without one. */
export interface TrackerStats {
  withCredential: number;
  /** A token came, and it was expired, forged, for another server, or not good for this. */
  withBadCredential: number;
  withoutCredential: number;
}

export interface Tracker {
  /** The MCP endpoint, which is also the resource that tokens are for. Counts are at `/stats` beside it. */
  url: string;
  close: () => Promise<void>;
}

interface Issue {
  number: number;
  title: string;
  body?: string | undefined;
}

/**
 * An issue tracker as an MCP server (Streamable HTTP, every revision that the SDK speaks). Anybody may list its tools;
 * a call needs an access token of `oauth` for this very server, and sees only the issues of the token's person.
 */
export async function startTracker({
  port,
  oauth,
}: {
  port: number;
  oauth: Pick<OAuthServer, "issuer" | "registerResource">;
}): Promise<Tracker> {
  const authorizationServer = await discover(oauth.issuer);
  const issues = new Map<string, Issue[]>();
  const mcp = createMcpHandler(({ authInfo }) => createServer(issues, authInfo));
  const { origin, close } = await serve({
    name: "tracker",
    host: "127.0.0.1",
    port,
    handle: (own) => createApp(new URL("/mcp", own), mcp, authorizationServer).fetch,
  });
  const url = `${origin}/mcp`;
  oauth.registerResource(url, { scope: TRACKER_SCOPE });
  return {
    url,
    async close() {
      await mcp.close();
      await close();
    },
  };
}

type AuthorizationServer = AuthMetadataOptions["oauthMetadata"] & oauth4webapi.AuthorizationServer;

async function discover(issuer: string): Promise<AuthorizationServer> {
  const url = new URL(issuer);
  const response = await oauth4webapi.discoveryRequest(url, {
    algorithm: "oauth2",
    [oauth4webapi.allowInsecureRequests]: true,
  });
  const metadata = await oauth4webapi.processDiscoveryResponse(url, response);
  const { authorization_endpoint, token_endpoint, response_types_supported } = metadata;
  if (authorization_endpoint === undefined || token_endpoint === undefined || !response_types_supported) {
    throw new Error(
      `elicit-kit: ${issuer} is no OAuth server that people can sign in to; its metadata is incomplete`,
    );
  }
  return { ...metadata, authorization_endpoint, token_endpoint, response_types_supported };
}

function createApp(
  resource: URL,
  mcp: ReturnType<typeof createMcpHandler>,
  oauthMetadata: AuthorizationServer,
): Hono {
  const stats: TrackerStats = { withCredential: 0, withBadCredential: 0, withoutCredential: 0 };
  const requireToken = requireBearerAuth({
    verifier: { verifyAccessToken: (token) => verify(token, resource, oauthMetadata) },
    requiredScopes: [TRACKER_SCOPE],
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resource),
    expectedResource: resource,
  });

  return new Hono()
    .use(async (c, next) => {
      // Whoever makes a browser resolve their own name to this machine gets no further.
      const refused = hostHeaderValidationResponse(c.req.raw, [resource.hostname]);
      if (refused !== undefined) return refused;
      const metadata = { oauthMetadata, resourceServerUrl: resource, scopesSupported: [TRACKER_SCOPE] };
      const document = oauthMetadataResponse(c.req.raw, { ...metadata, resourceName: "Demo tracker" });
      return document ?? next();
    })
    .get("/stats", (c) => c.json(stats))
    .all("/mcp", bodyLimit({ maxSize: 64 * 1024 }), async (c) => {
      const request = c.req.raw;
      // Pages have no business here: the agent's server does the calling.
      const refused = originValidationResponse(request, []);
      if (refused !== undefined) return refused;
      if (request.method !== "POST") return mcp.fetch(request);
      const parsedBody: unknown = await request
        .clone()
        .json()
        .catch(() => undefined);
      if (parsedBody === undefined) return mcp.fetch(request);
      // From here on, what was looked at is what is run: the body is not read a second time.
      if (!callsTool(parsedBody)) return mcp.fetch(request, { parsedBody });
      const authInfo = await requireToken(request);
      if (authInfo instanceof Response) {
        if (request.headers.has("authorization")) stats.withBadCredential += 1;
        else stats.withoutCredential += 1;
        return authInfo;
      }
      stats.withCredential += 1;
      return mcp.fetch(request, { authInfo, parsedBody });
    });
}

/** Whether a JSON-RPC message, or one of a batch, calls a tool. */
function callsTool(body: unknown): boolean {
  return [body]
    .flat()
    .some(
      (message) =>
        typeof message === "object" &&
        message !== null &&
        "method" in message &&
        message.method === "tools/call",
    );
}

/** Checks signature, issuer, audience and lifetime (RFC 9068). The scope is checked by the caller. */
async function verify(
  token: string,
  resource: URL,
  server: oauth4webapi.AuthorizationServer,
): Promise<AuthInfo> {
  const request = new Request(resource, { headers: { authorization: `Bearer ${token}` } });
  try {
    const { sub, client_id, exp, scope } = await oauth4webapi.validateJwtAccessToken(
      server,
      request,
      resource.href,
      {
        signingAlgorithms: ["ES256"],
        [oauth4webapi.clockTolerance]: 0,
        [oauth4webapi.allowInsecureRequests]: true,
      },
    );
    return {
      token,
      clientId: client_id,
      scopes: scope?.split(" ") ?? [],
      expiresAt: exp,
      resource,
      extra: { sub },
    };
  } catch (error) {
    if (
      error instanceof oauth4webapi.OperationProcessingError ||
      error instanceof oauth4webapi.UnsupportedOperationError
    ) {
      throw new OAuthError(OAuthErrorCode.InvalidToken, "The access token is not valid for this server");
    }
    throw error;
  }
}

/** A server for one request, on behalf of the person the request's token is about. */
function createServer(issues: Map<string, Issue[]>, authInfo: AuthInfo | undefined): McpServer {
  const server = new McpServer({ name: "demo-tracker", title: "Demo tracker", version: "1.0.0" });
  const issue = z.object({ number: z.int(), title: z.string(), body: z.string().optional() });

  /** Tools run only with a token, so this never throws; if it did, it would be before anything is read. */
  function own(): Issue[] {
    const person = authInfo?.extra?.["sub"];
    if (typeof person !== "string") throw new Error("elicit-kit: a tool was called for nobody");
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
