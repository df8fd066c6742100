import { createHash, randomBytes } from "node:crypto";
import { Provider, errors, interactionPolicy, type Configuration, type ResourceServer } from "oidc-provider";
import { JWT_BEARER, PARAMETERS, redeemGrant } from "./company-grants.ts";
import { createInteractions } from "./oauth-interactions.ts";
import { errorPage } from "./oauth-pages.ts";
import { type OAuthContent, type OAuthStore, createOAuthStore } from "./oauth-store.ts";
import type { KeptFile } from "./kept-file.ts";
import { serve } from "./ports.ts";
import { pageHeaders } from "./site-page.ts";

export interface OAuthClient {
  clientId: string;
  clientSecret: string;
}

export interface RegisteredResource {
  /** The name for users. */
  title: string;
  /** The scopes of its tools, separated by spaces. */
  scope: string;
}

export interface OAuthServer {
  /** The base URL of the metadata, for OpenID and OAuth 2.0 clients. */
  issuer: string;
  /**
   * Registers an application: authorization code with PKCE (S256), refresh tokens, exactly one redirect URI. Registering
   * it again changes nothing.
   */
  registerClient: (options: { name: string; redirectUri: string }) => Promise<OAuthClient>;
  /** Registers a client that gets tokens for the grants of a company, without users. */
  registerCompanyClient: () => Promise<OAuthClient>;
  /** From then on, grants of this identity provider give access tokens (RFC 7523). */
  trustCompany: (issuer: string) => void;
  /** Registers `resource`: from then on, clients can ask for access tokens for it (RFC 8707) with these scopes. */
  registerResource: (resource: string, options: RegisteredResource) => void;
  close: () => Promise<void>;
}

/** The only signing algorithm in use. Generating a key takes a millisecond. */
const ALGORITHM = "ES256";
const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/**
 * An OAuth 2.1 authorization server with its own sign-in and consent pages, for the accounts of the demo's users. It asks for
 * sign-in and consent every time, because all users of the demo share one browser.
 */
export async function startOAuthServer({
  port,
  host = "127.0.0.1",
  signingKey,
  kept,
}: {
  port: number;
  host?: "127.0.0.1" | "localhost" | undefined;
  /** @default a new key, which makes all earlier tokens invalid */
  signingKey?: JsonWebKey | undefined;
  /**
   * Clients, grants and sign-ins.
   * @default in memory, lost when the process ends
   */
  kept?: KeptFile<OAuthContent> | undefined;
}): Promise<OAuthServer> {
  const store = createOAuthStore(kept);
  const resources = new Map<string, RegisteredResource>();
  const titleOf = (resource: string | undefined) => resources.get(resource ?? "")?.title ?? "Demo account";
  const configuration = configure(store, resources, signingKey ?? (await createSigningKey()));
  let company: string | undefined;
  function createProvider(issuer: string): Provider {
    const provider = new Provider(issuer, configuration);
    const redeem: Parameters<Provider["registerGrantType"]>[1] = async (context) => {
      if (company === undefined) throw new errors.InvalidGrant("no company is trusted");
      const { token, resource, scope } = await redeemGrant(context, { provider, trusted: company });
      const server = resourceServerOf(resources, resource);
      token.resourceServer = {
        ...server,
        audience: resource,
        scopes: new Set(server.scope.split(" ")),
        identifier: () => resource,
      };
      context.body = { access_token: await token.save(), token_type: "Bearer", expires_in: HOUR, scope };
    };
    provider.registerGrantType(JWT_BEARER, redeem, PARAMETERS[JWT_BEARER]);
    return provider;
  }
  const { origin, close } = await serve({
    name: "oauth",
    host,
    port,
    handle: (issuer) => createInteractions(createProvider(issuer), titleOf).fetch,
  });
  return {
    issuer: origin,
    async registerClient({ name, redirectUri }) {
      const clientId = createHash("sha256").update(`${name} ${redirectUri}`).digest("base64url");
      const known = await store.adapter("Client").find(clientId);
      const secret = known?.client_secret;
      const client = {
        clientId,
        clientSecret: typeof secret === "string" ? secret : randomBytes(32).toString("base64url"),
      };
      await store.adapter("Client").upsert(client.clientId, {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        client_name: name,
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "client_secret_basic",
      });
      return client;
    },
    async registerCompanyClient() {
      const client = { clientId: "company-grants", clientSecret: randomBytes(32).toString("base64url") };
      await store.adapter("Client").upsert(client.clientId, {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [],
        grant_types: [JWT_BEARER],
        response_types: [],
        token_endpoint_auth_method: "client_secret_basic",
      });
      return client;
    },
    trustCompany(issuer) {
      company = issuer;
    },
    registerResource(resource, options) {
      resources.set(resource, options);
    },
    close,
  };
}

/** Generates a key to sign the server's tokens. */
export async function createSigningKey(): Promise<JsonWebKey> {
  const { privateKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
  ]);
  // Without `key_ops`: the published key set would state that the key only signs, and verifiers would refuse it.
  const { key_ops: _operations, ...jwk } = await crypto.subtle.exportKey("jwk", privateKey);
  return { ...jwk, alg: ALGORITHM, use: "sig" };
}

function configure(
  { adapter, cookieKey }: OAuthStore,
  resources: ReadonlyMap<string, RegisteredResource>,
  signingKey: JsonWebKey,
): Configuration {
  return {
    adapter,
    clientDefaults: { id_token_signed_response_alg: ALGORITHM },
    jwks: { keys: [signingKey] },
    cookies: { keys: [cookieKey] },
    pkce: { required: () => true },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { policy: askEveryTime(), url: (_, { uid }) => `/interaction/${uid}` },
    // Only scopes that were allowed in this authorization count, not earlier ones.
    loadExistingGrant: ({ oidc }) => {
      const grantId = oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId);
    },
    issueRefreshToken: (_, client) => client.grantTypeAllowed("refresh_token"),
    expiresWithSession: () => false,
    features: {
      devInteractions: { enabled: false },
      // Any client may register itself, because the example MCP server is not configured and needs that.
      registration: { enabled: true, initialAccessToken: false },
      revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      resourceIndicators: {
        enabled: true,
        // A client that names no resource gets tokens for the only one.
        defaultResource: (_, __, oneOf) => oneOf ?? [...resources.keys()].slice(0, 1),
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => resourceServerOf(resources, resource),
      },
    },
    renderError: async (ctx, { error_description: description, error }) => {
      for (const [name, value] of pageHeaders()) ctx.set(name, value);
      ctx.type = "html";
      ctx.body = String(await errorPage(description ?? error));
    },
    ttl: {
      AccessToken: HOUR,
      Grant: DAY,
      IdToken: HOUR,
      Interaction: HOUR,
      RefreshToken: DAY,
      Session: HOUR,
    },
  };
}

function resourceServerOf(
  resources: ReadonlyMap<string, RegisteredResource>,
  resource: string,
): ResourceServer {
  const known = resources.get(resource);
  if (known === undefined) throw new errors.InvalidTarget();
  return { scope: known.scope, accessTokenFormat: "jwt", jwt: { sign: { alg: ALGORITHM } } };
}

/**
 * The default rules for when to ask for sign-in and for consent, each with one more rule: an earlier answer is never
 * reused.
 */
function askEveryTime(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  for (const name of ["login", "consent"]) {
    policy
      .get(name)
      ?.checks.add(
        new interactionPolicy.Check(
          `${name}_is_asked_every_time`,
          `${name} is asked every time`,
          ({ oidc }) => oidc.result?.[name] === undefined,
        ),
      );
  }
  return policy;
}
