/** Tells a client without a valid token where to get one (RFC 9728). */
export interface McpProtectedResource {
  /** Issuers of the authorization servers whose tokens `authenticate` accepts. */
  readonly authorizationServers: readonly string[];
  readonly scopes?: readonly string[] | undefined;
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** Path of the metadata document of an endpoint: the well-known prefix, then the path of the endpoint. */
export function metadataPath({ pathname }: URL): string {
  return `${WELL_KNOWN}${pathname === "/" ? "" : pathname}`;
}

export function metadataResponse(url: string, resource: McpProtectedResource): Response {
  const { authorizationServers, scopes } = resource;
  const metadata = {
    resource: url,
    authorization_servers: authorizationServers,
    ...(scopes !== undefined && { scopes_supported: scopes }),
    bearer_methods_supported: ["header"],
  };
  return Response.json(metadata, {
    headers: { "access-control-allow-origin": "*", "cache-control": "max-age=3600" },
  });
}

/** 401, with the URL of the metadata if there is any. */
export function challengeResponse(
  request: Request,
  url: URL,
  resource: McpProtectedResource | undefined,
): Response {
  const hasToken = request.headers.get("authorization") !== null;
  const parts = [
    ...(hasToken ? ['error="invalid_token"'] : []),
    ...(resource === undefined ? [] : [`resource_metadata="${url.origin}${metadataPath(url)}"`]),
    ...(resource?.scopes === undefined ? [] : [`scope="${resource.scopes.join(" ")}"`]),
  ];
  const challenge = parts.length === 0 ? "Bearer" : `Bearer ${parts.join(", ")}`;
  return Response.json(
    { error: hasToken ? "invalid_token" : "unauthorized" },
    { status: 401, headers: { "www-authenticate": challenge, "cache-control": "no-store" } },
  );
}

/** What pages of allowed origins may send to an MCP endpoint, and read of its replies. */
export const MCP_HEADERS = {
  methods: "GET, POST, DELETE",
  sent: "authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id",
  read: "mcp-session-id, www-authenticate",
};
