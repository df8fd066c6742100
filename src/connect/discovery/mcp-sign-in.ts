import * as oauth from "oauth4webapi";
import type { Credential, CredentialBinding, SignInTarget } from "../../runtime/index.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { isLoopbackHttp, isSecureOrigin } from "../../base/urls.ts";
import { SERVER_TTL_MS, type ServerMetadata, readServerMetadata } from "./authorization-server.ts";
import { scopesOf } from "./challenge.ts";
import { type ClientMethod, type PresetClient, chooseClient } from "./choose-client.ts";
import { createBoundClients } from "./bound-clients.ts";
import { clientAuthOf } from "./client-auth.ts";
import {
  type ClientRegistrations,
  type OAuthClientInfo,
  createMemoryRegistrations,
} from "./client-registrations.ts";
import { createMetadataCache } from "./metadata-cache.ts";
import { createOAuthHttp } from "./oauth-http.ts";
import {
  type ClientDescription,
  clientMetadata,
  isReplaceable,
  registrationKey,
} from "./registered-client.ts";
import { type ResourceMetadata, readResourceMetadata } from "./resource-metadata.ts";
import { CALLBACK_PATH, DOCUMENT_PATH, HASH, hashOf } from "./sign-in-paths.ts";
import { SignInError, exchangeError, oauthFault } from "./sign-in-error.ts";
import { credentialOf } from "./token-credential.ts";
import { KitError } from "../../contract/kit-error.ts";

/** What `createMcpSignIn` takes. */
export interface McpSignInOptions {
  /** Public origin of the hosted page, such as `https://auth.example.com`. */
  origin: string;
  /**
   * For everything that a server's metadata names: `createGuardedFetch()` of `elicit-kit/node`, or
   * `createListedFetch({ origins })` of `elicit-kit/runtime` on platforms that cannot check addresses.
   */
  fetch: typeof globalThis.fetch;
  /** How authorization servers show your app to people. */
  client: ClientDescription;
  /** Clients that you have registered by hand, for authorization servers that register none themselves. */
  clients?: readonly PresetClient[] | undefined;
  /** @default createMemoryRegistrations() */
  registrations?: ClientRegistrations | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
}

/** Where a person signs in to a server, according to its metadata. */
export interface SignInPlan {
  readonly serverUrl: string;
  readonly service: string;
  readonly server: ServerMetadata;
  readonly resource: string;
  readonly scopes: readonly string[];
}

/** One trip to an authorization server. Plain data with secrets: it must not be logged. */
export interface SignInTrip extends SignInPlan {
  readonly client: OAuthClientInfo;
  readonly redirectUri: string;
  readonly codeVerifier: string;
}

/** A start of a trip: where the browser goes, and what the callback needs. */
export interface SignInStart {
  readonly url: URL;
  readonly state: string;
  readonly method: ClientMethod;
  readonly trip: SignInTrip;
}

/**
 * Sign-in to MCP servers that are given by their URL alone (MCP authorization, 2026-07-28). Whatever fails rejects with
 * an error whose message tells the operator what to do.
 */
export interface McpSignIn {
  /** Reads where a person signs in. */
  discover(target: SignInTarget): Promise<SignInPlan>;
  /** `tried`: how the person has left before without coming back. */
  start(plan: SignInPlan, tried: ReadonlySet<ClientMethod>): Promise<SignInStart>;
  finish(trip: SignInTrip, state: string, parameters: URLSearchParams): Promise<Credential>;
  /** Rejects with a `code` when the authorization server refuses. */
  refresh(credential: Credential, binding: CredentialBinding): Promise<Credential>;
  /** Revokes a token that will not be used. */
  revoke(credential: Credential): Promise<void>;
  /** The client id metadata document for a path, or `undefined`. */
  clientDocument(path: string): Readonly<Record<string, unknown>> | undefined;
}

/** An MCP server may move to another authorization server at any time. */
const RESOURCE_TTL_MS = 10_000;

/** Creates the sign-in that the hosted page and `withRefresh` share. */
export function createMcpSignIn(options: McpSignInOptions): McpSignIn {
  const { origin, fetch, client: description, clock = systemClock } = options;
  if (!isSecureOrigin(origin)) {
    throw new KitError(
      `elicit-kit: the origin of createMcpSignIn must be the https origin of the hosted page, or http on a loopback address. This is not: ${origin}`,
    );
  }
  const presets = options.clients ?? [];
  const registrations = options.registrations ?? createMemoryRegistrations();
  const clients = createBoundClients({ origin, presets, registrations });
  const now = () => clock.now();
  // A developer's machine may sign in at itself; a public page never sends people to their own machines.
  const allowsLoopback = isLoopbackHttp(new URL(origin));
  const http = createOAuthHttp(fetch, { allowsLoopback, followsRedirects: true, readsIdToken: false });

  const servers = createMetadataCache<ServerMetadata>(clock, SERVER_TTL_MS);
  const resources = createMetadataCache<ResourceMetadata>(clock, RESOURCE_TTL_MS);

  async function serverMetadata(issuer: string, service: string): Promise<ServerMetadata> {
    // The operator has registered a client there by hand.
    const namedBy = presets.some((preset) => preset.issuer === issuer) ? "operator" : "server";
    const read = () => readServerMetadata(issuer, { http, allowsLoopback, namedBy });
    try {
      return await servers.get(issuer, hostOf(issuer), read);
    } catch (error) {
      throw new SignInError(
        `the authorization server of ${service}, ${issuer}, cannot be used: ${oauthFault(error)}.`,
      );
    }
  }

  function resourceMetadata(target: SignInTarget): Promise<ResourceMetadata> {
    const { url, resourceMetadata: place = url } = target;
    return resources.get(JSON.stringify([url, place]), hostOf(place), () =>
      readResourceMetadata(target, fetch),
    );
  }

  async function discover(target: SignInTarget): Promise<SignInPlan> {
    const { url: serverUrl, service } = target;
    const { resource, authorizationServers, scopes } = await resourceMetadata(target);
    const preset = authorizationServers.find((issuer) =>
      presets.some((one) => one.server === serverUrl && one.issuer === issuer),
    );
    const server = await serverMetadata(preset ?? authorizationServers[0] ?? "", service);
    const asked = scopesOf(target.scope);
    return { serverUrl, service, server, resource, scopes: asked.length > 0 ? asked : scopes };
  }

  async function start(plan: SignInPlan, tried: ReadonlySet<ClientMethod>): Promise<SignInStart> {
    const { server, serverUrl } = plan;
    if (tried.size > 0) servers.forget(server.issuer);
    const hash = await hashOf(server.issuer, serverUrl);
    const redirectUri = origin + CALLBACK_PATH + hash;
    const { method, client } = await chooseClient(
      { ...plan, redirectUri, documentUrl: allowsLoopback ? undefined : origin + DOCUMENT_PATH + hash },
      tried,
      { presets, registrations, description, http, now },
    );
    const state = oauth.generateRandomState();
    const codeVerifier = oauth.generateRandomCodeVerifier();
    const isOffline = plan.scopes.length > 0 && server.scopes_supported.includes("offline_access");
    const scopes = isOffline ? [...new Set([...plan.scopes, "offline_access"])] : plan.scopes;
    const parameters = {
      response_type: "code",
      client_id: client.clientId,
      redirect_uri: redirectUri,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: "S256",
      resource: plan.resource,
      ...(scopes.length > 0 && { scope: scopes.join(" ") }),
      ...(isOffline && { prompt: "consent" }),
    };
    const url = new URL(server.authorization_endpoint);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return { url, state, method, trip: { ...plan, scopes, client, redirectUri, codeVerifier } };
  }

  async function finish(trip: SignInTrip, state: string, parameters: URLSearchParams): Promise<Credential> {
    const { server, resource, redirectUri, codeVerifier, serverUrl, scopes } = trip;
    const client: oauth.Client = { client_id: trip.client.clientId };
    const exchange = async () => {
      const valid = oauth.validateAuthResponse(server, client, parameters, state);
      const auth = clientAuthOf(server, trip.client);
      const asked = { ...http, additionalParameters: { resource } };
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        auth,
        valid,
        redirectUri,
        codeVerifier,
        asked,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
      const binding = await clients.bind({ serverUrl, issuer: server.issuer, resource }, trip.client);
      return { ...credentialOf(tokens, scopes, clock.now()), binding };
    };
    try {
      return await told(trip, exchange);
    } catch (error) {
      // Perhaps it no longer knows the client, perhaps the person has sent something else than they were given.
      if (isUnknownClient(error) && isReplaceable(trip.client, now())) {
        await registrations.remove(registrationKey(trip), trip.client.clientId);
      }
      throw error;
    }
  }

  async function refresh(credential: Credential, binding: CredentialBinding): Promise<Credential> {
    const { refreshToken, scope = "" } = credential;
    const service = new URL(binding.serverUrl).host;
    const known = await clients.get(binding);
    if (refreshToken === undefined || known === undefined) {
      throw clientGone(service);
    }
    // Of the issuer that granted it, even if the server now names another.
    const server = await serverMetadata(binding.issuer, service);
    const client: oauth.Client = { client_id: known.clientId };
    const exchange = async () => {
      const asked = { ...http, additionalParameters: { resource: binding.resource } };
      const auth = clientAuthOf(server, known);
      const response = await oauth.refreshTokenGrantRequest(server, client, auth, refreshToken, asked);
      const tokens = await oauth.processRefreshTokenResponse(server, client, response);
      // A server that does not rotate leaves the old token valid (RFC 6749, section 6).
      return {
        refreshToken,
        ...credentialOf(tokens, scopesOf(scope), clock.now()),
        binding: await clients.bind(binding, known),
      };
    };
    try {
      return await told({ service, server }, exchange);
    } catch (error) {
      if (!isUnknownClient(error) || !(await clients.giveUp(binding))) throw error;
      throw clientGone(service);
    }
  }

  /** Runs an exchange with an authorization server. Its errors may contain tokens, so they are replaced by new ones. */
  async function told<T>(
    { service, server }: Pick<SignInPlan, "service" | "server">,
    exchange: () => Promise<T>,
  ): Promise<T> {
    try {
      return await exchange();
    } catch (error) {
      servers.forget(server.issuer);
      throw exchangeError(service, server.issuer, error);
    }
  }

  async function revoke({ accessToken, refreshToken, binding }: Credential): Promise<void> {
    const known = binding && (await clients.get(binding));
    if (binding === undefined || known === undefined) return;
    const server = await serverMetadata(binding.issuer, new URL(binding.serverUrl).host);
    if (server.revocation_endpoint === undefined) return;
    const client: oauth.Client = { client_id: known.clientId };
    const token = refreshToken ?? accessToken;
    const response = await oauth.revocationRequest(server, client, clientAuthOf(server, known), token, http);
    await oauth.processRevocationResponse(response);
  }

  return {
    discover,
    start,
    finish,
    refresh,
    revoke,
    clientDocument(path) {
      const hash = path.startsWith(DOCUMENT_PATH) ? path.slice(DOCUMENT_PATH.length) : "";
      if (!HASH.test(hash)) return undefined;
      const metadata = clientMetadata(origin + CALLBACK_PATH + hash, description);
      return { client_id: origin + path, ...metadata, token_endpoint_auth_method: "none" };
    },
  };
}

/** Whether an authorization server has said that it does not know the client (RFC 6749, section 5.2). */
function isUnknownClient(error: unknown): boolean {
  return error instanceof SignInError && error.code === "invalid_client";
}

/** What is no URL is not asked. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}

function clientGone(service: string): SignInError {
  return new SignInError(
    `the connection to ${service} cannot be refreshed: its client is not known any more.`,
    { code: "invalid_grant" },
  );
}
