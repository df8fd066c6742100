import type * as oauth from "oauth4webapi";
import { isObject } from "../../contract/json.ts";
import { isLoopbackHttp, withoutSlash } from "../../base/urls.ts";
import { NoDocument, type OAuthHttp, askFor, readJson } from "./oauth-http.ts";
import { KitError } from "../../contract/kit-error.ts";

/** The cached metadata of an authorization server. Plain data, stored as JSON with each sign-in. */
export interface ServerMetadata extends oauth.AuthorizationServer {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly scopes_supported: string[];
  readonly client_id_metadata_document_supported: boolean;
  readonly grant_types_supported?: string[];
}

/** A view of the page, the following start and a refresh need the same metadata within minutes. */
export const SERVER_TTL_MS = 5 * 60_000;

const ENDPOINTS = [
  "authorization_endpoint",
  "token_endpoint",
  "registration_endpoint",
  "revocation_endpoint",
] as const;

/** The source of an authorization server's address. */
export type NamedBy =
  /** The metadata of an untrusted server. */
  | "server"
  /** The operator. */
  | "operator";

interface ReadOptions {
  http: OAuthHttp;
  allowsLoopback: boolean;
  namedBy: NamedBy;
}

/**
 * Reads the metadata of an authorization server (RFC 8414, OpenID Connect Discovery) and rejects unsafe servers: another
 * issuer than the requested one, endpoints that are not https, no PKCE with S256. The rules for a server from untrusted
 * metadata are stricter.
 */
export async function readServerMetadata(issuer: string, options: ReadOptions): Promise<ServerMetadata> {
  const { http, allowsLoopback, namedBy } = options;
  const url = issuerUrl(issuer, allowsLoopback);
  const server = checked(await firstOf(issuer, url, http), { namedBy, isLoopback: isLoopbackHttp(url) });
  if (namedBy === "server") {
    refuseMixUp(server);
    refuseOwnParameters(server.authorization_endpoint);
  }
  return server;
}

/** Whether two texts name one issuer. Servers write it with and without a slash at the end. */
export function isSameIssuer(one: string, other: string): boolean {
  return withoutSlash(one) === withoutSlash(other);
}

function issuerUrl(issuer: string, allowsLoopback: boolean): URL {
  if (!URL.canParse(issuer)) throw new KitError("elicit-kit: it is not a URL");
  const url = new URL(issuer);
  const isSecure = url.protocol === "https:" || (allowsLoopback && isLoopbackHttp(url));
  if (!isSecure || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new KitError("elicit-kit: an issuer must be an https URL without user name, query and fragment");
  }
  return url;
}

type Metadata = Readonly<Record<string, unknown>> & { readonly issuer: string };

/** Reads the first that exists of the three well-known URLs of the MCP authorization specification, in its order. */
async function firstOf(issuer: string, { origin, pathname }: URL, http: OAuthHttp): Promise<Metadata> {
  const path = withoutSlash(pathname);
  const places = new Set([
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]);
  let fault: unknown;
  for (const place of places) {
    const response = await askFor(place, http);
    try {
      return metadataOf(issuer, await readJson(response));
    } catch (error) {
      // Some sites reply to every URL with a web page. A document that is wrong says more than one that is missing.
      if (fault === undefined || fault instanceof NoDocument) fault = error;
    }
  }
  throw fault;
}

function metadataOf(issuer: string, document: unknown): Metadata {
  const { issuer: named, ...metadata } = isObject(document) ? document : {};
  // As text, because URLs that differ may be parsed into equal ones.
  if (typeof named !== "string" || !isSameIssuer(named, issuer)) {
    throw new KitError("elicit-kit: its metadata names another issuer");
  }
  // Servers in Go and .NET write null for what they do not have.
  const present = Object.entries(metadata).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(present), issuer: named };
}

function checked(
  metadata: Metadata,
  { namedBy, isLoopback }: { namedBy: NamedBy; isLoopback: boolean },
): ServerMetadata {
  const endpoint = (name: (typeof ENDPOINTS)[number]): string | undefined => {
    const url = metadata[name];
    if (url === undefined) return undefined;
    if (typeof url === "string" && isSafeEndpoint(url, isLoopback)) return url;
    throw new KitError(`elicit-kit: its ${name} is not an https URL without user name and fragment`);
  };
  const authorization_endpoint = endpoint("authorization_endpoint");
  const token_endpoint = endpoint("token_endpoint");
  const registration_endpoint = endpoint("registration_endpoint");
  const revocation_endpoint = endpoint("revocation_endpoint");
  if (authorization_endpoint === undefined || token_endpoint === undefined) {
    throw new KitError("elicit-kit: its metadata lacks the authorization or the token endpoint");
  }
  const {
    issuer,
    code_challenge_methods_supported: methods,
    id_token_signing_alg_values_supported: algorithms,
    token_endpoint_auth_methods_supported: methodsOfClients,
    grant_types_supported: grantTypes,
  } = metadata;
  // A server that ignores the PKCE challenge would accept a stolen code. The MCP specification requires clients to refuse
  // a server that does not list S256. Many providers check the challenge without listing it, so providers that the
  // operator has configured are accepted.
  const isUnlisted = methods === undefined && namedBy === "operator";
  if (!isUnlisted && !textsOf(methods).includes("S256")) {
    throw new KitError("elicit-kit: it does not support PKCE with S256");
  }
  return {
    issuer,
    authorization_endpoint,
    token_endpoint,
    ...(registration_endpoint !== undefined && { registration_endpoint }),
    ...(revocation_endpoint !== undefined && { revocation_endpoint }),
    scopes_supported: textsOf(metadata["scopes_supported"]),
    ...(algorithms !== undefined && { id_token_signing_alg_values_supported: textsOf(algorithms) }),
    ...(methodsOfClients !== undefined && {
      token_endpoint_auth_methods_supported: textsOf(methodsOfClients),
    }),
    ...(grantTypes !== undefined && { grant_types_supported: textsOf(grantTypes) }),
    authorization_response_iss_parameter_supported:
      metadata["authorization_response_iss_parameter_supported"] === true,
    client_id_metadata_document_supported: metadata["client_id_metadata_document_supported"] === true,
  };
}

/**
 * A malicious issuer may name the authorization endpoint of an honest one. Users then sign in there, and the code is sent
 * to the token endpoint of the malicious issuer (mix-up attack; RFC 9700, 4.4). So either all endpoints must be on the
 * issuer's origin, or the issuer must declare that it names itself in the callback, which is checked there.
 */
function refuseMixUp(server: ServerMetadata): void {
  if (server.authorization_response_iss_parameter_supported === true) return;
  const { origin } = new URL(server.issuer);
  for (const name of ENDPOINTS) {
    const endpoint = server[name];
    if (endpoint === undefined || new URL(endpoint).origin === origin) continue;
    throw new KitError(
      `elicit-kit: its ${name} is on another origin, and it does not send the iss parameter (RFC 9207), so a code could be meant for another server. If you trust it, register a client there by hand and add it to the clients of createMcpSignIn`,
    );
  }
}

/** The parameters of an authorization request: those that we send, and those that would change its meaning. */
const REQUEST_PARAMETERS: ReadonlySet<string> = new Set([
  "response_type",
  "response_mode",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
  "resource",
  "audience",
  "authorization_details",
  "claims",
  "request",
  "request_uri",
  "registration",
  "prompt",
  "nonce",
  "id_token_hint",
  "login_hint",
]);

/** The query of the endpoint is sent too (RFC 6749, 3.1). It must not request more than the page has shown. */
function refuseOwnParameters(endpoint: string): void {
  for (const name of new URL(endpoint).searchParams.keys()) {
    // Some servers ignore case, read `scope[]` as `scope`, or have other kinds of scopes, such as `user_scope`.
    const plain = name.toLowerCase().replace(/\[.*/s, "");
    if (!REQUEST_PARAMETERS.has(plain) && !plain.includes("scope")) continue;
    throw new KitError(`elicit-kit: its authorization_endpoint has the parameter "${name}" in its query`);
  }
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

/**
 * Whether users and secrets may be sent to `endpoint`. Plain http is for development: only to a loopback address, and
 * only by an issuer on a loopback address. Any other issuer could send users to a service on their own machine.
 */
function isSafeEndpoint(endpoint: string, isLoopbackIssuer: boolean): boolean {
  if (!URL.canParse(endpoint)) return false;
  const url = new URL(endpoint);
  const isSecure = url.protocol === "https:" || (isLoopbackIssuer && isLoopbackHttp(url));
  return isSecure && url.username === "" && url.password === "" && url.hash === "";
}
