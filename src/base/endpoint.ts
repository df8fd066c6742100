import { type CrossOriginRules, crossOrigin } from "./cross-origin.ts";
import { type BodyRules, readJson } from "./read-body.ts";
import { failureOf, refuseCall, retryHeader } from "./reply.ts";

/** Metadata that tells a client without a valid token where to get one (RFC 9728). */
export interface ProtectedResource {
  /** Issuers of the authorization servers whose tokens `authenticate` accepts. */
  readonly authorizationServers: readonly string[];
  readonly scopes?: readonly string[] | undefined;
}

/** A resource, with the URL that clients configure. */
interface ResourceAt extends ProtectedResource {
  readonly url: string;
}

/** The options for serving a protocol at one address. */
export interface EndpointOptions<Caller> extends CrossOriginRules {
  /** `undefined`: the client gets 401. */
  readonly authenticate: (request: Request) => Promise<Caller | undefined>;
  /** Serves requests that need no identity, before all other checks. */
  readonly open?: ((request: Request) => Promise<Response | undefined> | Response | undefined) | undefined;
  /** The metadata about the tokens of this address. */
  readonly resource?: ResourceAt | undefined;
  /** Options for the JSON body of a POST. It is read after authentication. Absent: `serve` reads the body. */
  readonly body?: BodyRules | undefined;
  /** Called with errors of `serve`. The client gets 500 without details. */
  readonly onError: (error: unknown) => void;
}

/**
 * The common part of every endpoint for programs: it checks host, origin, identity and size, in this order, and replies
 * when an internal error occurs.
 */
export function createEndpoint<Caller>(
  options: EndpointOptions<Caller>,
  serve: (request: Request, caller: Caller, body: unknown) => Promise<Response>,
): (request: Request) => Promise<Response> {
  const { resource, body: rules } = options;
  const metadataPath = resource && new URL(metadataUrl(resource)).pathname;

  async function admitted(request: Request): Promise<Response> {
    const open = await options.open?.(request);
    if (open !== undefined) return open;
    const caller = await options.authenticate(request);
    if (caller === undefined) return challenge(request, resource);
    if (rules === undefined || request.method !== "POST" || request.body === null)
      return serve(request, caller, undefined);
    const body = await readJson(request, rules);
    return body.ok ? serve(request, caller, body.value) : refuseCall(body.status, body.reason);
  }

  const endpoint = crossOrigin(options, async (request) => {
    try {
      return await admitted(request);
    } catch (error) {
      options.onError(error);
      const { status, detail = "The agent failed to handle the request.", retryAfter } = failureOf(error);
      return refuseCall(status, detail, retryHeader(retryAfter));
    }
  });
  return async (request) =>
    resource !== undefined && new URL(request.url).pathname === metadataPath
      ? describe(resource)
      : endpoint(request);
}

/** The URL path of an endpoint's metadata: the well-known prefix, then the path of the endpoint. */
function metadataUrl({ url }: ResourceAt): string {
  const { origin, pathname } = new URL(url);
  return `${origin}/.well-known/oauth-protected-resource${pathname === "/" ? "" : pathname}`;
}

function describe({ url, authorizationServers, scopes }: ResourceAt): Response {
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

/** A 401 reply, with the URL of the metadata if there is any. */
function challenge(request: Request, resource: ResourceAt | undefined): Response {
  const hasToken = request.headers.get("authorization") !== null;
  const parts = [
    ...(hasToken ? ['error="invalid_token"'] : []),
    ...(resource === undefined ? [] : [`resource_metadata="${metadataUrl(resource)}"`]),
    ...(resource?.scopes === undefined ? [] : [`scope="${resource.scopes.join(" ")}"`]),
  ];
  return refuseCall(401, hasToken ? "invalid_token" : "unauthorized", {
    "www-authenticate": parts.length === 0 ? "Bearer" : `Bearer ${parts.join(", ")}`,
    "cache-control": "no-store",
  });
}
