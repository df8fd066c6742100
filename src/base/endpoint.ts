import { type BodyRules, readJson } from "./read-body.ts";
import { type OriginCheck, hostCheck, hostOf, originCheck } from "./urls.ts";

/** Which pages of other origins may call an endpoint, and with what. */
export interface CrossOriginRules {
  /** Origins of web pages, besides the endpoint's own. Requests of other pages get 403; programs send no origin. */
  readonly allowedOrigins: readonly string[] | OriginCheck;
  /**
   * Host names that the endpoint is reached by, besides those of this machine. A request for another host gets 403: a page
   * of that host has made its name point here (DNS rebinding). Absent: every host.
   */
  readonly hosts?: readonly string[] | undefined;
  readonly methods: string;
  /** Headers that a page may send. */
  readonly sent: string;
  /** Headers that a page may read. */
  readonly read: string;
}

/** Tells a client without a valid token where to get one (RFC 9728). */
export interface ProtectedResource {
  /** Issuers of the authorization servers whose tokens `authenticate` accepts. */
  readonly authorizationServers: readonly string[];
  readonly scopes?: readonly string[] | undefined;
}

/** A resource, with the URL that clients configure. */
interface ResourceAt extends ProtectedResource {
  readonly url: string;
}

/** How a protocol is served at one address. */
export interface EndpointOptions<Caller> extends CrossOriginRules {
  /** `undefined`: the client gets 401. */
  readonly authenticate: (request: Request) => Promise<Caller | undefined>;
  /** Serves what needs no identity, before anything else is looked at. */
  readonly open?: ((request: Request) => Promise<Response | undefined> | Response | undefined) | undefined;
  /** What the address says about its tokens. */
  readonly resource?: ResourceAt | undefined;
  /** The JSON that a POST carries. It is read once the caller is known. Absent: `serve` reads it. */
  readonly body?: BodyRules | undefined;
  /** Gets what `serve` throws. The client gets 500, and no details. */
  readonly onError: (error: unknown) => void;
}

/**
 * The shell of every protocol that programs speak: it checks host, origin, identity and size, in this order, and answers
 * when something inside fails.
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
      return refuseCall(500, "The agent failed to handle the request.");
    }
  });
  return async (request) =>
    resource !== undefined && new URL(request.url).pathname === metadataPath
      ? describe(resource)
      : endpoint(request);
}

/** A refusal, for programs. */
export function refuseCall(
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ error }, { status, headers });
}

/** Wraps an endpoint that authenticates by tokens: only pages of allowed origins may call it and read its replies. */
export function crossOrigin<More extends readonly unknown[]>(
  { allowedOrigins, hosts, methods, sent, read }: CrossOriginRules,
  serve: (request: Request, ...more: More) => Promise<Response>,
): (request: Request, ...more: More) => Promise<Response> {
  const isAllowed = originCheck(allowedOrigins);
  const isAllowedHost = hosts && hostCheck(hosts);
  return async (request, ...more) => {
    if (isAllowedHost?.(hostOf(request) ?? "") === false)
      return refuseCall(403, "This host name is not allowed. The operator can add it to allowedHosts.");
    const origin = request.headers.get("origin");
    const isPreflight = request.method === "OPTIONS";
    if (origin === null) return isPreflight ? new Response(null, { status: 204 }) : serve(request, ...more);
    // Browsers write this header, and no page can change it. The endpoint does not know its own origin: a proxy may hide it.
    const isOwn = request.headers.get("sec-fetch-site") === "same-origin";
    if (!isOwn && !isAllowed(origin)) return new Response(null, { status: 403 });
    const response = isPreflight ? new Response(null, { status: 204 }) : await serve(request, ...more);
    const headers = new Headers(response.headers);
    headers.set("access-control-allow-origin", origin);
    headers.set("access-control-allow-methods", methods);
    headers.set("access-control-allow-headers", sent);
    headers.set("access-control-expose-headers", read);
    headers.append("vary", "origin");
    return new Response(response.body, { status: response.status, headers });
  };
}

/** Where the metadata of an endpoint is: at the well-known prefix, then the path of the endpoint. */
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

/** 401, with the URL of the metadata if there is any. */
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
