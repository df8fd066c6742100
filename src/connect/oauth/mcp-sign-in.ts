import type { SignInTarget } from "../../runtime/internal.ts";
import type { Credential, CredentialBinding, Obtained } from "../ports/credentials.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { isLoopbackHttp, isSecureOrigin } from "../../base/urls.ts";
import { type ClientRegistrations, createMemoryRegistrations } from "../ports/client-registrations.ts";
import { type ServerMetadata, isSameIssuer } from "./authorization-server.ts";
import { scopesOf } from "./challenge.ts";
import { type ClientMethod, type PresetClient, chooseClient } from "./choose-client.ts";
import { createBoundClients, CALLBACK_PATH, DOCUMENT_PATH, HASH, hashOf } from "./bound-clients.ts";
import { type Enterprise, type EnterpriseSignIn, JWT_BEARER, createEnterpriseSignIn } from "./enterprise.ts";
import { createMetadataCache } from "./metadata-cache.ts";
import {
  type SignIn,
  type SignInPlan,
  type SignInStart,
  type SignInTrip,
  accountPromptOf,
  createOAuthClient,
  hostOf,
  isUnknownClient,
} from "./oauth-client.ts";
import { createOAuthHttp } from "./oauth-http.ts";
import {
  type ClientDescription,
  clientMetadata,
  isReplaceable,
  registrationKey,
} from "./registered-client.ts";
import { type ResourceMetadata, readResourceMetadata } from "./resource-metadata.ts";
import { SignInError } from "./sign-in-error.ts";
import { KitError } from "../../contract/kit-error.ts";

/** The options of `createMcpSignIn`. */
export interface McpSignInOptions {
  /** Public origin of the hosted page, such as `https://auth.example.com`. */
  origin: string;
  /**
   * The `fetch` for URLs from server metadata: `createGuardedFetch()` of `elicit-kit/node`, or `createListedFetch({
   * origins })` of `elicit-kit/runtime` on platforms that cannot check addresses.
   */
  fetch: typeof globalThis.fetch;
  /** The description of your app, which authorization servers show to users. */
  client: ClientDescription;
  /** Manually registered clients, for authorization servers without dynamic registration. */
  clients?: readonly PresetClient[] | undefined;
  /**
   * Users of a company are not asked to connect: its identity provider decides (MCP Enterprise-Managed Authorization). It is
   * tried at servers with an entry in `clients`, if their authorization server takes such grants.
   */
  enterprise?: Enterprise | undefined;
  /** @default createMemoryRegistrations() */
  registrations?: ClientRegistrations | undefined;
  /** @default systemClock */
  clock?: Clock | undefined;
}

/** Sign-in to MCP servers that are known only by their URL (MCP authorization, 2026-07-28). */
export interface McpSignIn extends SignIn {
  discover(target: SignInTarget): Promise<SignInPlan>;
  start(plan: SignInPlan, tried: ReadonlySet<ClientMethod>): Promise<SignInStart>;
  /** Signs a user of the company in without asking them. `undefined`: ask. */
  obtain?(target: SignInTarget, userId: string): Promise<Obtained>;
  /** The client id metadata document for a path, or `undefined`. */
  clientDocument(path: string): Readonly<Record<string, unknown>> | undefined;
}

/** An MCP server may switch to another authorization server at any time. */
const RESOURCE_TTL_MS = 10_000;

const OFFLINE = "offline_access";

/** Creates the sign-in that the hosted page and `withConnectors` share. */
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
  // A page on a developer's machine may sign in there. A public page never sends users to their own machines.
  const allowsLoopback = isLoopbackHttp(new URL(origin));
  const http = createOAuthHttp(fetch, { allowsLoopback, followsRedirects: true, readsIdToken: false, clock });

  const oauth = createOAuthClient({ http, allowsLoopback, clock });
  const enterprise = options.enterprise && createEnterpriseSignIn(options.enterprise, clock);
  const resources = createMetadataCache<ResourceMetadata>(clock, RESOURCE_TTL_MS);

  function serverMetadata(issuer: string, service: string): Promise<ServerMetadata> {
    // If the operator has registered a client at this issuer, they have approved the issuer.
    const namedBy = presets.some((preset) => isSameIssuer(preset.issuer, issuer)) ? "operator" : "server";
    return oauth.metadata(issuer, service, namedBy);
  }

  function resourceMetadata(target: SignInTarget): Promise<ResourceMetadata> {
    const { url, service, resourceMetadata: place = url } = target;
    const readIssuer = (issuer: string) => serverMetadata(issuer, service);
    return resources.get(resourceKey(target), hostOf(place), () =>
      readResourceMetadata(target, http, readIssuer),
    );
  }

  async function planOf(target: SignInTarget): Promise<SignInPlan> {
    const { url: serverUrl, service } = target;
    const { resource, authorizationServers, scopes } = await resourceMetadata(target);
    const preset = authorizationServers.find((issuer) =>
      presets.some((one) => one.server === serverUrl && isSameIssuer(one.issuer, issuer)),
    );
    const server = await serverMetadata(preset ?? authorizationServers[0] ?? "", service);
    const asked = scopesOf(target.scope);
    const choosesAccount = target.another === true;
    return {
      serverUrl,
      service,
      server,
      resource,
      scopes: asked.length > 0 ? asked : scopes,
      listedScopes: scopes,
      choosesAccount,
      resourceMetadata: target.resourceMetadata,
    };
  }

  /** With the scopes that a user is asked for. */
  async function discover(target: SignInTarget): Promise<SignInPlan> {
    const plan = await planOf(target);
    const isOffline = plan.scopes.length > 0 && plan.server.scopes_supported.includes(OFFLINE);
    return isOffline ? { ...plan, scopes: [...new Set([...plan.scopes, OFFLINE])] } : plan;
  }

  async function start(plan: SignInPlan, tried: ReadonlySet<ClientMethod>): Promise<SignInStart> {
    const { server, serverUrl } = discovered(plan);
    if (tried.size > 0) oauth.forget(server.issuer);
    const hash = await hashOf(server.issuer, serverUrl);
    const redirectUri = origin + CALLBACK_PATH + hash;
    const { method, client } = await chooseClient(
      {
        ...plan,
        serverUrl,
        redirectUri,
        documentUrl: allowsLoopback ? undefined : origin + DOCUMENT_PATH + hash,
      },
      tried,
      { presets, registrations, description, http, now },
    );
    // Offline access needs this prompt, unless other conditions permit it (OpenID Connect Core, 11). For a client that the
    // operator has registered, an administrator may have consented for all users. Microsoft then still asks, and refuses
    // users who may not consent.
    const asksConsent = plan.scopes.includes(OFFLINE) && method !== "preset";
    const prompts = [
      ...(plan.choosesAccount === true ? [accountPromptOf(server)] : []),
      ...(asksConsent ? ["consent"] : []),
    ];
    const more = prompts.length > 0 ? { prompt: prompts.join(" ") } : undefined;
    const started = await oauth.start(plan, { client, redirectUri, more });
    return { ...started, method };
  }

  async function finish(trip: SignInTrip, state: string, parameters: URLSearchParams): Promise<Credential> {
    const { server, serverUrl, resource } = discovered(trip);
    // The next sign-in follows another refusal, after which the server may name another authorization server.
    resources.forget(resourceKey({ ...trip, url: serverUrl }));
    try {
      const { credential } = await oauth.finish(trip, state, parameters);
      const binding = await clients.bind({ serverUrl, issuer: server.issuer, resource }, trip.client);
      return { ...credential, binding };
    } catch (error) {
      // The server may no longer know the client, or not with these scopes, or the user may have sent a forged callback.
      const isUseless =
        isUnknownClient(error) || (error instanceof SignInError && error.code === "invalid_scope");
      if (isUseless && isReplaceable(trip.client, now())) {
        await registrations.remove(registrationKey({ ...trip, serverUrl }), trip.client.clientId);
      }
      throw error;
    }
  }

  /**
   * The grant belongs to the issuer that granted it, even if the server now names another. `undefined`: its client is no
   * longer known.
   */
  async function grantOf(binding: CredentialBinding) {
    const client = await clients.get(binding);
    if (client === undefined) return undefined;
    const service = new URL(binding.serverUrl).host;
    const server = await serverMetadata(binding.issuer, service);
    return { client, service, server, resource: binding.resource };
  }

  async function refresh(credential: Credential, scope?: string): Promise<Credential> {
    const { binding } = credential;
    const grant = binding && (await grantOf(binding));
    if (binding === undefined || grant === undefined) throw clientGone(binding);
    try {
      const fresh = await oauth.refresh(grant, credential, scope);
      return { ...fresh, binding: await clients.bind(binding, grant.client) };
    } catch (error) {
      if (!isUnknownClient(error) || !(await clients.giveUp(binding))) throw error;
      throw clientGone(binding);
    }
  }

  async function revoke(credential: Credential): Promise<void> {
    const grant = credential.binding && (await grantOf(credential.binding));
    if (grant !== undefined) await oauth.revoke(grant, credential);
  }

  async function obtain(company: EnterpriseSignIn, target: SignInTarget, userId: string): Promise<Obtained> {
    // Only a client that the operator has registered there: the grant and its secret go to no other server.
    if (!presets.some((one) => one.server === target.url)) return undefined;
    const plan = discovered(await planOf(target));
    const { server, serverUrl, resource } = plan;
    const client = presets.find((one) => one.server === serverUrl && isSameIssuer(one.issuer, server.issuer));
    if (client === undefined || server.grant_types_supported?.includes(JWT_BEARER) !== true) return undefined;
    const obtained = await company.signIn(plan, { userId, client, http });
    if (obtained === undefined || "refusedBy" in obtained) return obtained;
    const binding = await clients.bind({ serverUrl, issuer: server.issuer, resource }, client);
    return { ...obtained, binding };
  }

  return {
    discover,
    start,
    ...(enterprise && { obtain: (target, userId) => obtain(enterprise, target, userId) }),
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

/** Ensures that a sign-in was discovered: only these have the URL of a server and a resource. */
function discovered<P extends SignInPlan>(plan: P): P & { serverUrl: string; resource: string } {
  const { serverUrl, resource } = plan;
  if (serverUrl === undefined || resource === undefined) {
    throw new SignInError(`the sign-in to ${plan.service} began at a provider that was configured then`);
  }
  return { ...plan, serverUrl, resource };
}

function resourceKey({ url, resourceMetadata }: Pick<SignInTarget, "url" | "resourceMetadata">): string {
  return JSON.stringify([url, resourceMetadata]);
}

function clientGone(binding: CredentialBinding | undefined): SignInError {
  const service = binding === undefined ? "a server" : new URL(binding.serverUrl).host;
  return new SignInError(
    `the connection to ${service} cannot be refreshed: its client is not known any more.`,
    { code: "invalid_grant" },
  );
}
