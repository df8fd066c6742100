import * as oauth from "oauth4webapi";
import { isLoopbackHttp } from "../../base/urls.ts";
import { limitLength } from "../../base/length-limit.ts";
import { timeout, within } from "../../base/deadlines.ts";
import type { Credential } from "../../runtime/index.ts";
import type { Clock } from "../../base/clock.ts";
import { SERVER_TTL_MS, type ServerMetadata, readServerMetadata } from "../discovery/authorization-server.ts";
import { clientAuthOf } from "../discovery/client-auth.ts";
import { createMetadataCache } from "../discovery/metadata-cache.ts";
import { createOAuthHttp } from "../discovery/oauth-http.ts";
import { SignInError, exchangeError } from "../discovery/sign-in-error.ts";
import { credentialOf } from "../discovery/token-credential.ts";
import type { ProviderBase } from "../page/provider-base.ts";
import type { PageWords } from "../../words/page/page-words.ts";
import { KitError } from "../../contract/kit-error.ts";

/** An OAuth 2.1 provider (authorization code, PKCE, discovery) behind the connection of one tool. */
export interface OAuthProvider extends ProviderBase {
  /** Issuer URL; its metadata is read from the well-known places (OpenID Connect, RFC 8414). */
  issuer: string;
  clientId: string;
  /** Absent for a public client. */
  clientSecret?: string | undefined;
  /**
   * How the secret is sent to the token endpoint. Set it for a provider whose metadata does not say what it takes.
   * @default what its metadata lists, Basic before the form; Basic if it lists nothing (RFC 8414)
   */
  tokenEndpointAuthMethod?: "client_secret_basic" | "client_secret_post" | undefined;
  /** What is asked for at each sign-in. A call that needs more gets it if `scopeWords` has words for it. */
  scopes: readonly string[];
  /**
   * Asks the provider for the name of the account that was connected, such as its e-mail address. Called once, with the new
   * credential; the page shows the result. Rejecting, or more than ten seconds, means that the name is not known.
   * @default the e-mail address or name in the ID token, when `scopes` has `openid`
   */
  accountName?:
    | ((credential: Credential, options: { signal: AbortSignal }) => Promise<string | undefined>)
    | undefined;
  /** The resource the token is for (RFC 8707), such as the URL of the MCP server. */
  resource?: string | undefined;
  /**
   * Path of the redirect URI, as registered with the provider. Two providers with different issuers need a path each:
   * otherwise one could collect the codes of the other (mix-up; RFC 9700, 4.4), and the page is not made.
   * @default "/auth/callback"
   */
  redirectPath?: string | undefined;
}

export interface AuthorizationStart {
  url: URL;
  state: string;
  /** Never leaves the server. */
  codeVerifier: string;
}

export interface AuthorizationReturn {
  state: string;
  codeVerifier: string;
  /** Query of the callback. */
  parameters: URLSearchParams;
}

/** The OAuth calls to one provider. Failed calls reject with a {@link SignInError}. */
export interface OAuthClient {
  /** Where people sign in. Reads the provider's metadata, at most once in five minutes. */
  authorizationOrigin(): Promise<string>;
  start(redirectUri: string, scopes: readonly string[]): Promise<AuthorizationStart>;
  finish(redirectUri: string, returned: AuthorizationReturn): Promise<Credential>;
  /** The credential with the name of its account, if the operator's `accountName` knows it. */
  withAccountName(credential: Credential): Promise<Credential>;
  refresh(refreshToken: string): Promise<Credential>;
  /** Revokes a token that nobody will use. */
  revoke(credential: Credential): Promise<void>;
}

const PROVIDER_TIMEOUT_MS = 10_000;
const MAX_ANSWER_MIB = 1;
const MAX_ACCOUNT_LENGTH = 200;

/** Makes the OAuth calls to a provider that the operator has configured. */
export function createOAuthClient(
  provider: OAuthProvider,
  { clock, fetch = globalThis.fetch }: { clock: Clock; fetch?: typeof globalThis.fetch | undefined },
): OAuthClient {
  const { issuer, service, clientId, clientSecret, tokenEndpointAuthMethod: authMethod } = provider;
  const issuerUrl = new URL(issuer);
  const client: oauth.Client = { client_id: clientId };
  const allowsLoopback = isLoopbackHttp(issuerUrl);
  if (issuerUrl.protocol !== "https:" && !allowsLoopback) {
    throw new KitError(
      `elicit-kit: an issuer must be https, or http on a loopback address. This is neither: ${issuerUrl}`,
    );
  }
  const http = createOAuthHttp(
    async (input, init) => limitLength(await fetch(input, init), { service, mib: MAX_ANSWER_MIB }),
    {
      allowsLoopback,
      followsRedirects: false,
      readsIdToken: true,
      signal: () => timeout(clock, PROVIDER_TIMEOUT_MS),
    },
  );
  const resource = provider.resource === undefined ? {} : { resource: provider.resource };
  const servers = createMetadataCache<ServerMetadata>(clock, SERVER_TTL_MS);
  const read = () => readServerMetadata(issuer, { http, allowsLoopback, namedBy: "operator" });
  const clientAuth = (server: ServerMetadata) => clientAuthOf(server, { clientId, clientSecret, authMethod });

  async function discover(): Promise<ServerMetadata> {
    try {
      return await servers.get(issuer, issuerUrl.host, read);
    } catch (cause) {
      throw exchangeError(service, issuer, cause);
    }
  }

  async function authorizationEndpoint(): Promise<URL> {
    return new URL((await discover()).authorization_endpoint);
  }

  async function start(redirectUri: string, scopes: readonly string[]): Promise<AuthorizationStart> {
    const url = await authorizationEndpoint();
    const state = oauth.generateRandomState();
    const codeVerifier = oauth.generateRandomCodeVerifier();
    const parameters = {
      response_type: "code",
      client_id: provider.clientId,
      redirect_uri: redirectUri,
      scope: scopes.join(" "),
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: "S256",
      ...resource,
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return { url, state, codeVerifier };
  }

  async function finish(
    redirectUri: string,
    { state, codeVerifier, parameters }: AuthorizationReturn,
  ): Promise<Credential> {
    const server = await discover();
    const valid = oauth.validateAuthResponse(server, client, parameters, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      clientAuth(server),
      valid,
      redirectUri,
      codeVerifier,
      { ...http, additionalParameters: resource },
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
    return {
      ...credentialOf(tokens, [], clock.now()),
      ...accountIn(oauth.getValidatedIdTokenClaims(tokens)),
    };
  }

  async function withAccountName(credential: Credential): Promise<Credential> {
    const { accountName } = provider;
    if (accountName === undefined) return credential;
    const account = await within(clock, PROVIDER_TIMEOUT_MS, (signal) => accountName(credential, { signal }));
    return { ...credential, ...accountField(account) };
  }

  async function refresh(refreshToken: string): Promise<Credential> {
    const server = await discover();
    const options = { ...http, additionalParameters: resource };
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      clientAuth(server),
      refreshToken,
      options,
    );
    const tokens = await oauth.processRefreshTokenResponse(server, client, response);
    // A provider that does not rotate leaves the old one valid (RFC 6749, section 6).
    return { refreshToken, ...credentialOf(tokens, [], clock.now()) };
  }

  async function revoke({ accessToken, refreshToken }: Credential): Promise<void> {
    const server = await discover();
    if (server.revocation_endpoint === undefined) return;
    const token = refreshToken ?? accessToken;
    const response = await oauth.revocationRequest(server, client, clientAuth(server), token, http);
    await oauth.processRevocationResponse(response);
  }

  async function guarded<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (cause) {
      if (cause instanceof SignInError) throw cause;
      servers.forget(issuer);
      throw exchangeError(service, issuer, cause);
    }
  }

  return {
    authorizationOrigin: async () => (await authorizationEndpoint()).origin,
    start: (redirectUri, scopes) => guarded(start(redirectUri, scopes)),
    finish: (redirectUri, returned) => guarded(finish(redirectUri, returned)),
    withAccountName,
    refresh: (refreshToken) => guarded(refresh(refreshToken)),
    revoke: (credential) => guarded(revoke(credential)),
  };
}

/** What an ID token (OpenID Connect Core, 5.1) says of the account. */
function accountIn(claims: Readonly<Record<string, unknown>> = {}): Pick<Credential, "account"> {
  const known = [claims["email"], claims["preferred_username"], claims["name"]];
  return accountField(known.find((claim) => typeof claim === "string" && claim !== ""));
}

function accountField(name: unknown): Pick<Credential, "account"> {
  return typeof name === "string" && name !== "" ? { account: name.slice(0, MAX_ACCOUNT_LENGTH) } : {};
}

/** The error for the person, in their language. */
export function describeOAuthFailure(failure: unknown, service: string, { failures }: PageWords): string {
  if (failure instanceof SignInError && failure.isNotSetUp) return failures.notSetUp(service);
  const code = failure instanceof SignInError ? failure.code : undefined;
  if (code === "access_denied") return failures.denied(service);
  if (code !== undefined) return failures.code(service, code);
  return failures.unreachable(service);
}
