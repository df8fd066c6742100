import { isObject } from "../../protocol/json.ts";
import type { SignInTarget } from "../core/index.ts";
import { looksLikeUrl, scopesOf } from "./challenge.ts";
import { SignInError, oauthFault } from "./sign-in-error.ts";
import { KitError } from "../../protocol/kit-error.ts";

/** A server's metadata on how to sign in to it (RFC 9728). */
export interface ResourceMetadata {
  /** The resource as the server writes it. It goes into requests exactly like this. */
  readonly resource: string;
  readonly authorizationServers: readonly string[];
  readonly scopes: readonly string[];
}

const MAX_SERVERS = 10;

/**
 * Reads the protected resource metadata of a server: from the place that its challenge names, else from the well-known
 * place of its path, else of its origin.
 */
export async function readResourceMetadata(
  target: SignInTarget,
  fetch: typeof globalThis.fetch,
): Promise<ResourceMetadata> {
  const places =
    target.resourceMetadata === undefined ? wellKnownPlaces(new URL(target.url)) : [target.resourceMetadata];
  let fault = "";
  for (const place of places) {
    try {
      return checked(await readJson(place, fetch), target);
    } catch (error) {
      // The URL of the path takes precedence over that of the origin, so its error is the one to report.
      fault ||= oauthFault(error);
    }
  }
  throw new SignInError(
    `${target.service} (${target.url}) asks for a sign-in, but its protected resource metadata (RFC 9728) cannot be used: ${fault}. Asked: ${places.join(" and ")}. If the server needs a token that you give out yourself, configure a provider for it instead.`,
  );
}

function wellKnownPlaces({ origin, pathname }: URL): readonly string[] {
  const root = `${origin}/.well-known/oauth-protected-resource`;
  return pathname === "/" ? [root] : [root + pathname, root];
}

async function readJson(place: string, fetch: typeof globalThis.fetch): Promise<unknown> {
  if (!URL.canParse(place)) throw new KitError("elicit-kit: the address of its metadata is not a URL");
  const response = await fetch(place, { headers: { accept: "application/json" } });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new KitError(`elicit-kit: it answered with status ${response.status}`);
  }
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new KitError("elicit-kit: it is not JSON");
  }
}

function checked(metadata: unknown, { url }: SignInTarget): ResourceMetadata {
  const {
    resource,
    authorization_servers: servers,
    scopes_supported: scopes,
  } = isObject(metadata) ? metadata : {};
  if (typeof resource !== "string" || !looksLikeUrl(resource) || !isResourceOf(resource, new URL(url))) {
    throw new KitError("elicit-kit: it is for another resource than the server that was called");
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

/** Whether a server may speak for a resource: the same origin, and the URL of the server or a path above it. */
function isResourceOf(resource: string, server: URL): boolean {
  if (!URL.canParse(resource)) return false;
  const { origin, pathname, hash } = new URL(resource);
  if (origin !== server.origin || hash !== "") return false;
  const above = pathname.endsWith("/") ? pathname : `${pathname}/`;
  return server.pathname === pathname || `${server.pathname}/`.startsWith(above);
}
