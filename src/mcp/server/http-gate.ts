/** Tells a client without a valid token where to get one (RFC 9728). */
export interface McpProtectedResource {
  /** Public URL of the MCP endpoint, as clients configure it. */
  readonly url: string;
  /** Issuers of the authorization servers whose tokens `authenticate` accepts. */
  readonly authorizationServers: readonly string[];
  readonly scopes?: readonly string[] | undefined;
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** Path of the metadata document of a resource: the well-known prefix, then the path of the resource. */
export function metadataPath(path: string): string {
  return `${WELL_KNOWN}${path === "/" ? "" : path}`;
}

export function metadataResponse(resource: McpProtectedResource): Response {
  const { url, authorizationServers, scopes } = resource;
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
export function challengeResponse(request: Request, resource: McpProtectedResource | undefined): Response {
  const hasToken = request.headers.get("authorization") !== null;
  const parts = [
    ...(hasToken ? ['error="invalid_token"'] : []),
    ...(resource === undefined ? [] : [`resource_metadata="${metadataUrl(resource)}"`]),
    ...(resource?.scopes === undefined ? [] : [`scope="${resource.scopes.join(" ")}"`]),
  ];
  const challenge = parts.length === 0 ? "Bearer" : `Bearer ${parts.join(", ")}`;
  return Response.json(
    { error: hasToken ? "invalid_token" : "unauthorized" },
    { status: 401, headers: { "www-authenticate": challenge, "cache-control": "no-store" } },
  );
}

function metadataUrl({ url }: McpProtectedResource): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${metadataPath(pathname)}`;
}
