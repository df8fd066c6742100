import * as oauth from "oauth4webapi";
import { isLoopbackHttp } from "../core/internal.ts";
import type { OAuthHttp } from "./oauth-http.ts";
import { KitError } from "../../protocol/kit-error.ts";

/** The cached metadata of an authorization server. Plain data, stored as JSON with each sign-in. */
export interface ServerMetadata extends oauth.AuthorizationServer {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly scopes_supported: string[];
  readonly client_id_metadata_document_supported: boolean;
}

const ENDPOINTS = [
  "authorization_endpoint",
  "token_endpoint",
  "registration_endpoint",
  "revocation_endpoint",
] as const;

/**
 * Reads the metadata of an authorization server (RFC 8414, OpenID Connect Discovery) and rejects what nobody should be
 * sent to: another issuer than the one asked, endpoints that are not https, no PKCE with S256.
 */
export async function readServerMetadata(
  issuer: string,
  { http, allowsLoopback }: { http: OAuthHttp; allowsLoopback: boolean },
): Promise<ServerMetadata> {
  const url = issuerUrl(issuer, allowsLoopback);
  const metadata = await firstOf(url, http);
  // The library compares parsed URLs, for which "https://a" and "https://a/" are one. Issuers are compared as text.
  if (metadata.issuer !== issuer && metadata.issuer !== issuer.replace(/\/$/, "")) {
    throw new KitError("elicit-kit: its metadata names another issuer");
  }
  return checked(metadata, isLoopbackHttp(url));
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

/** The three well-known URLs of MCP's authorization, in its order. */
async function firstOf(issuer: URL, http: OAuthHttp): Promise<oauth.AuthorizationServer> {
  const oauth2 = await oauth.discoveryRequest(issuer, { ...http, algorithm: "oauth2" });
  if (oauth2.ok) return oauth.processDiscoveryResponse(issuer, oauth2);
  await oauth2.body?.cancel();
  if (issuer.pathname !== "/") {
    const place = `${issuer.origin}/.well-known/openid-configuration${issuer.pathname.replace(/\/$/, "")}`;
    const headers = { accept: "application/json" };
    const inserted = await http[oauth.customFetch](place, { method: "GET", headers, redirect: "manual" });
    if (inserted.ok) return oauth.processDiscoveryResponse(issuer, inserted);
    await inserted.body?.cancel();
  }
  const oidc = await oauth.discoveryRequest(issuer, { ...http, algorithm: "oidc" });
  return oauth.processDiscoveryResponse(issuer, oidc);
}

function checked(metadata: oauth.AuthorizationServer, isLoopback: boolean): ServerMetadata {
  for (const name of ENDPOINTS) {
    const endpoint = metadata[name];
    if (endpoint !== undefined && !isSafeEndpoint(endpoint, isLoopback)) {
      throw new KitError(`elicit-kit: its ${name} is not an https URL without user name and fragment`);
    }
  }
  const { authorization_endpoint, token_endpoint, code_challenge_methods_supported: methods } = metadata;
  if (typeof authorization_endpoint !== "string" || typeof token_endpoint !== "string") {
    throw new KitError("elicit-kit: its metadata lacks the authorization or the token endpoint");
  }
  // The MCP specification also requires clients to refuse a server that does not list it.
  if (!textsOf(methods).includes("S256"))
    throw new KitError("elicit-kit: it does not support PKCE with S256");
  const {
    issuer,
    registration_endpoint,
    revocation_endpoint,
    scopes_supported,
    token_endpoint_auth_methods_supported: methodsOfClients,
    authorization_response_iss_parameter_supported: isNamed,
  } = metadata;
  return {
    issuer,
    authorization_endpoint,
    token_endpoint,
    ...(registration_endpoint !== undefined && { registration_endpoint }),
    ...(revocation_endpoint !== undefined && { revocation_endpoint }),
    scopes_supported: textsOf(scopes_supported),
    ...(methodsOfClients !== undefined && {
      token_endpoint_auth_methods_supported: textsOf(methodsOfClients),
    }),
    authorization_response_iss_parameter_supported: isNamed === true,
    client_id_metadata_document_supported: metadata["client_id_metadata_document_supported"] === true,
  };
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

/**
 * Whether people and secrets may be sent to `endpoint`. Plain http is for development: only to a loopback address, and
 * only by an issuer that is on one. Any other could send people to whatever listens on their own machine.
 */
export function isSafeEndpoint(endpoint: string, isLoopbackIssuer: boolean): boolean {
  if (!URL.canParse(endpoint)) return false;
  const url = new URL(endpoint);
  const isSecure = url.protocol === "https:" || (isLoopbackIssuer && isLoopbackHttp(url));
  return isSecure && url.username === "" && url.password === "" && url.hash === "";
}
