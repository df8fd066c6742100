import { withoutSlash } from "../../base/urls.ts";
import { isObject } from "../../contract/json.ts";
import type { SignInTarget } from "../../runtime/internal.ts";
import { looksLikeUrl, scopesOf } from "./challenge.ts";
import { NoDocument, type OAuthHttp, askFor, readJson } from "./oauth-http.ts";
import { SignInError, oauthFault } from "./sign-in-error.ts";
import { KitError } from "../../contract/kit-error.ts";

/** A server's metadata on how to sign in to it (RFC 9728). */
export interface ResourceMetadata {
  /** The resource exactly as the server writes it. It is copied unchanged into requests. */
  readonly resource: string;
  readonly authorizationServers: readonly string[];
  readonly scopes: readonly string[];
}

const MAX_SERVERS = 10;

class OtherResource extends KitError {}

/**
 * Reads the protected resource metadata of a server: from the URL in its challenge, else from the well-known URL of its
 * path and query, else from that of its origin. A dead URL in the challenge is no end: some servers name two.
 *
 * @param readIssuer rejects if an issuer cannot be used
 */
export async function readResourceMetadata(
  target: SignInTarget,
  http: OAuthHttp,
  readIssuer: (issuer: string) => Promise<unknown>,
): Promise<ResourceMetadata> {
  const named = target.resourceMetadata === undefined ? [] : [target.resourceMetadata];
  const places = [...new Set([...named, ...wellKnownPlaces(new URL(target.url))])];
  let fault = "";
  let isOld = named.length === 0;
  for (const place of places) {
    try {
      return checked(await readJson(await askFor(place, http)), target, place);
    } catch (error) {
      // The first place takes precedence, so its error is reported.
      fault ||= oauthFault(error);
      isOld &&= error instanceof NoDocument;
      // A document that names another server is an attempt to mislead, and ends the search.
      if (place === target.resourceMetadata && error instanceof OtherResource) break;
    }
  }
  let ownFault = "";
  if (isOld) {
    // In MCP 2025-03-26, which had no such metadata, the origin of a server is its authorization server. The resource is
    // sent all the same, as later revisions require, so that a token is for this server alone where that is supported.
    const { origin, pathname } = new URL(target.url);
    try {
      await readIssuer(origin);
      // A query may have a key, and browsers get the resource in an address.
      return { resource: origin + pathname, authorizationServers: [origin], scopes: [] };
    } catch (error) {
      ownFault = ` Nor can its own origin sign users in, as in MCP 2025-03-26: ${oauthFault(error)}.`;
    }
  }
  throw new SignInError(
    `${target.service} (${target.url}) asks for a sign-in, but its protected resource metadata (RFC 9728) cannot be used: ${fault}. Asked: ${places.join(" and ")}.${ownFault} If the server needs a token that you give out yourself, configure a provider for it instead.`,
  );
}

function wellKnownPlaces({ origin, pathname, search }: URL): readonly string[] {
  const root = `${origin}/.well-known/oauth-protected-resource`;
  const path = pathname === "/" ? "" : pathname;
  return [...new Set([root + path + search, root + path, root])];
}

/** The well-known URL for the metadata of a resource (RFC 9728, 3.1). */
function wellKnownPlaceOf({ origin, pathname }: URL): string {
  return `${origin}/.well-known/oauth-protected-resource${withoutSlash(pathname)}`;
}

function checked(metadata: unknown, { url }: SignInTarget, place: string): ResourceMetadata {
  const {
    resource,
    authorization_servers: servers,
    scopes_supported: scopes,
  } = isObject(metadata) ? metadata : {};
  const called = new URL(url);
  if (typeof resource !== "string" || !isResourceOf(resource, { server: called, place })) {
    throw new OtherResource("elicit-kit: it is for another resource than the server that was called");
  }
  const authorizationServers = (Array.isArray(servers) ? servers : []).filter(
    (server: unknown): server is string => typeof server === "string" && looksLikeUrl(server),
  );
  if (authorizationServers.length === 0) throw new KitError("elicit-kit: it names no authorization server");
  return {
    resource,
    authorizationServers: authorizationServers.slice(0, MAX_SERVERS),
    scopes: scopesOf(scopes),
  };
}

/**
 * Whether the metadata at `place` may describe a resource. It may describe the server's own URL (RFC 9728, 3.3). A parent
 * path, or the whole host, may include other servers, so only the document at the well-known URL of that path may
 * describe it.
 */
function isResourceOf(resource: string, { server, place }: { server: URL; place: string }): boolean {
  const claimed = URL.canParse(resource) ? new URL(resource) : undefined;
  if (claimed === undefined || !isCanonical(resource, claimed)) return false;
  if (withoutSlash(claimed.href) === withoutSlash(server.href)) return true;
  const above = claimed.pathname.endsWith("/") ? claimed.pathname : `${claimed.pathname}/`;
  const isAbove = claimed.origin === server.origin && `${server.pathname}/`.startsWith(above);
  return isAbove && claimed.search === "" && wellKnownPlaceOf(claimed) === place;
}

/**
 * The text is sent unchanged to the authorization server, which may parse "https://bank@x" or "https://x\\@bank" in
 * another way.
 */
function isCanonical(text: string, { href, username, password, hash }: URL): boolean {
  return username === "" && password === "" && hash === "" && (text === href || `${text}/` === href);
}
