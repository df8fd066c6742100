import * as oauth from "oauth4webapi";
import { isLoopbackHttp } from "../../base/urls.ts";
import type { ServerMetadata } from "./authorization-server.ts";
import type { ClientRegistrations, OAuthClientInfo } from "../ports/client-registrations.ts";
import type { OAuthHttp } from "./oauth-http.ts";
import { SignInError, oauthFault } from "./sign-in-error.ts";
import { KitError } from "../../contract/kit-error.ts";

/** The description of this client, which authorization servers show to users. */
export interface ClientDescription {
  readonly name: string;
  /** Https. */
  readonly uri?: string | undefined;
  /** Https. */
  readonly logoUri?: string | undefined;
}

/** The authorization server, MCP server and redirect URI of a registered client. It is used nowhere else. */
export interface RegistrationPlace {
  readonly service: string;
  /** The URL of the MCP server. */
  readonly serverUrl: string;
  readonly server: ServerMetadata;
  readonly redirectUri: string;
  /** The scopes that the user is asked for. */
  readonly scopes: readonly string[];
  /** The scopes that the MCP server lists. */
  readonly listedScopes?: readonly string[] | undefined;
}

export interface RegistrationOptions {
  readonly registrations: ClientRegistrations;
  readonly description: ClientDescription;
  readonly http: OAuthHttp;
  readonly now: () => number;
}

/**
 * A client is registered again at most this often, but for one time to get more scopes: all users share it, and any user
 * could start sign-ins without finishing them, or use a server that asks for another scope each time.
 */
const MIN_AGE_MS = 10 * 60_000;
/** A server chooses the scopes of its challenges. A registration names at most this many. */
const MAX_SCOPES = 100;
/** A client knows at most so many clients that it has replaced. */
const MAX_REPLACED = 20;

/**
 * Returns the client that is registered for a place, or a new one. `isDoubted`: a user did not return from a sign-in with
 * it, so the authorization server may no longer know it. A client that was registered with fewer scopes than are asked for
 * is replaced, too, because many servers refuse it. Accounts of a replaced client stay connected, because their
 * credentials contain everything that a refresh needs.
 */
export async function registeredClient(
  place: RegistrationPlace,
  isDoubted: boolean,
  options: RegistrationOptions,
): Promise<OAuthClientInfo> {
  const { registrations, now } = options;
  const key = registrationKey(place);
  const known = await registrations.get(key);
  const isUsable =
    known !== undefined &&
    !(known.expiresAt !== undefined && now() >= known.expiresAt) &&
    !(isDoubted && isReplaceable(known, now()));
  const { scopes, listedScopes = [] } = place;
  if (isUsable && hasScopes(known, scopes)) return known;
  if (isUsable && known.replaces !== undefined && !isReplaceable(known, now())) return known;
  const named = [...new Set([...scopes, ...listedScopes, ...(known?.scopes ?? [])])].slice(0, MAX_SCOPES);
  let made: OAuthClientInfo;
  try {
    made = await register(place, named, options);
  } catch (error) {
    // The server may still give the scopes to the known client.
    if (isUsable) return known;
    throw error;
  }
  if (known !== undefined) await registrations.remove(key, known.clientId);
  // The authorization server still knows the client, and users are connected with it.
  const replaces = isUsable ? [...(known.replaces ?? []), known.clientId].slice(-MAX_REPLACED) : undefined;
  // Two users may connect at the same time. The first registration is used.
  return registrations.add(key, { ...made, replaces });
}

function hasScopes(client: OAuthClientInfo, scopes: readonly string[]): boolean {
  return scopes.every((scope) => client.scopes?.includes(scope) !== false);
}

/** Whether the client is old enough for one user to cause its replacement. All users of the server share it. */
export function isReplaceable({ registeredAt = 0 }: OAuthClientInfo, now: number): boolean {
  return now >= registeredAt + MIN_AGE_MS;
}

/** A client belongs to one authorization server, one MCP server and one redirect URI. */
export function registrationKey({
  server,
  serverUrl,
  redirectUri,
}: Pick<RegistrationPlace, "serverUrl" | "redirectUri"> & {
  server: Pick<ServerMetadata, "issuer">;
}): string {
  return JSON.stringify([server.issuer, serverUrl, redirectUri]);
}

/** The client's metadata, for a registration and for its metadata document. */
export function clientMetadata(redirectUri: string, { name, uri, logoUri }: ClientDescription) {
  return {
    client_name: name,
    client_uri: uri,
    logo_uri: logoUri,
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    application_type: isLoopbackHttp(new URL(redirectUri)) ? "native" : "web",
  };
}

async function register(
  { server, redirectUri, service }: RegistrationPlace,
  scopes: readonly string[],
  { description, http, now }: RegistrationOptions,
): Promise<OAuthClientInfo> {
  const asked = listedMethod(server, FOR_REGISTRATION);
  const metadata = { ...clientMetadata(redirectUri, description), token_endpoint_auth_method: asked };
  const request = (scope?: string) =>
    oauth.dynamicClientRegistrationRequest(server, { ...metadata, scope }, http);
  try {
    let response = await request(scopes.length > 0 ? scopes.join(" ") : undefined);
    // Some servers list scopes that they do not register.
    const areRefused = scopes.length > 0 && (response.status === 400 || response.status === 422);
    if (areRefused) {
      await response.body?.cancel();
      response = await request();
    }
    if (response.status === 429) {
      throw new KitError("elicit-kit: it takes no more registrations at the moment (status 429)");
    }
    const made = await oauth.processDynamicClientRegistrationResponse(response);
    const { client_id: clientId, client_secret: secret, client_secret_expires_at: end } = made;
    const named = KNOWN_METHODS.find((method) => method === made["token_endpoint_auth_method"]);
    return {
      clientId,
      registeredAt: now(),
      scopes: areRefused ? undefined : scopes,
      ...(typeof secret === "string" && { clientSecret: secret, authMethod: named ?? asked }),
      ...(typeof end === "number" && end > 0 && { expiresAt: Math.max(end * 1000, now()) }),
    };
  } catch (error) {
    throw new SignInError(
      `${server.issuer}, which signs people in to ${service}, refused to register a client: ${oauthFault(error)}. Try again later, or register a client there by hand.`,
    );
  }
}

const KNOWN_METHODS = ["client_secret_basic", "client_secret_post", "none"] as const;
type Method = (typeof KNOWN_METHODS)[number];

/** The form comes first: servers of the MCP Python SDK list both, but read the client's id only from the form. */
const FOR_REGISTRATION: readonly Method[] = ["client_secret_post", "client_secret_basic", "none"];

type Listed = Pick<ServerMetadata, "token_endpoint_auth_methods_supported">;

/** The first that the server lists. Without a list, the default is Basic (RFC 8414, section 2). */
function listedMethod(server: Listed, methods: readonly Method[]): Method {
  const supported = server.token_endpoint_auth_methods_supported;
  return methods.find((method) => supported?.includes(method)) ?? "client_secret_basic";
}

/**
 * How the client authenticates at the token endpoint: with its registered method, if the server supports that. A client
 * without one was registered by hand, for which Basic is the default (RFC 7591, section 2).
 */
export function clientAuthOf(server: Listed, client: OAuthClientInfo): oauth.ClientAuth {
  const { clientSecret: secret, authMethod } = client;
  if (secret === undefined) return oauth.None();
  const supported = server.token_endpoint_auth_methods_supported;
  const isSupported = authMethod !== undefined && supported?.includes(authMethod) !== false;
  const method = isSupported ? authMethod : listedMethod(server, KNOWN_METHODS);
  if (method === "client_secret_post") return oauth.ClientSecretPost(secret);
  return method === "none" ? oauth.None() : basic(secret);
}

/** The library also encodes "-" and the like, as RFC 6749 requires. Servers that do not decode these refuse them. */
function basic(secret: string): oauth.ClientAuth {
  return (_server, client, _body, headers) => {
    const pair = [client.client_id, secret].map((part) => encodeURIComponent(part)).join(":");
    headers.set("authorization", `Basic ${btoa(pair)}`);
  };
}
