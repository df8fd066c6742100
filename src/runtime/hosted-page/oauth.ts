import * as oauth from "oauth4webapi";
import { isLoopbackHttp, isSendable, limitLength, reasonOf, timeout } from "../core/internal.ts";
import type { Clock, Credential } from "../core/index.ts";
import { createMetadata } from "./oauth-metadata.ts";

/** An OAuth 2.1 provider (authorization code, PKCE, discovery) behind the connection of one tool. */
export interface OAuthProvider {
  /** What people call it: "Linear". */
  service: string;
  /** Issuer URL; its metadata is read from the well-known places (OpenID Connect, RFC 8414). */
  issuer: string;
  clientId: string;
  /** Absent for a public client. */
  clientSecret?: string | undefined;
  scopes: readonly string[];
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

/** The OAuth side of one provider. Whatever fails rejects with an {@link OAuthFailure}. */
export interface OAuthClient {
  /** Where people sign in. Reads the provider's metadata, at most once an hour. */
  authorizationOrigin(): Promise<string>;
  start(redirectUri: string): Promise<AuthorizationStart>;
  finish(redirectUri: string, returned: AuthorizationReturn): Promise<Credential>;
  refresh(refreshToken: string): Promise<Credential>;
  /** Gives back a token that nobody will use. */
  revoke(credential: Credential): Promise<void>;
}

const PROVIDER_TIMEOUT_MS = 10_000;
const MAX_ANSWER_MIB = 1;
/** The last moment that a `Date` can name. */
const LAST_DATE_MS = 8.64e15;

/** A request as `oauth4webapi` makes it. */
interface OAuthRequest {
  method: string;
  headers: Record<string, string>;
  redirect: "manual";
  body?: URLSearchParams | undefined;
  signal?: AbortSignal | undefined;
}

export function createOAuthClient(
  provider: OAuthProvider,
  { clock, fetch = globalThis.fetch }: { clock: Clock; fetch?: typeof globalThis.fetch | undefined },
): OAuthClient {
  const issuer = new URL(provider.issuer);
  const client: oauth.Client = { client_id: provider.clientId };
  const clientAuth =
    provider.clientSecret === undefined ? oauth.None() : oauth.ClientSecretPost(provider.clientSecret);
  if (issuer.protocol !== "https:" && !isLoopbackHttp(issuer)) {
    throw new Error(
      `elicit-kit: an issuer must be https, or http on a loopback address. This is neither: ${issuer}`,
    );
  }
  const http = {
    [oauth.allowInsecureRequests]: isLoopbackHttp(issuer),
    [oauth.customFetch]: (url: string, { method, headers, redirect, body, signal }: OAuthRequest) =>
      fetch(url, {
        method,
        headers,
        redirect,
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      }).then((response) => limitLength(response, { service: provider.service, mib: MAX_ANSWER_MIB })),
    signal: () => timeout(clock, PROVIDER_TIMEOUT_MS),
  };
  const resource = provider.resource === undefined ? {} : { resource: provider.resource };
  const discover = createMetadata(issuer, { http, clock });

  async function authorizationEndpoint(): Promise<URL> {
    const { authorization_endpoint: endpoint, code_challenge_methods_supported: methods } = await discover();
    if (endpoint === undefined) throw new Error("elicit-kit: it names no place to sign in");
    // A provider that leaves the challenge unread would take a stolen code from anybody. Many that read it do not say so.
    if (methods !== undefined && !methods.includes("S256"))
      throw new Error("elicit-kit: it does not support PKCE with S256");
    return new URL(endpoint);
  }

  function toCredential(tokens: oauth.TokenEndpointResponse): Credential {
    if (!isSendable(tokens.access_token))
      throw new Error("elicit-kit: its access token is missing or malformed");
    return {
      accessToken: tokens.access_token,
      // Providers whose tokens do not expire leave it out, or say 0.
      ...(tokens.expires_in !== undefined &&
        tokens.expires_in > 0 && {
          expiresAt: Math.min(clock.now() + tokens.expires_in * 1000, LAST_DATE_MS),
        }),
      ...(tokens.refresh_token !== undefined && { refreshToken: tokens.refresh_token }),
      ...(tokens.scope !== undefined && { scope: tokens.scope }),
    };
  }

  async function start(redirectUri: string): Promise<AuthorizationStart> {
    const url = await authorizationEndpoint();
    const state = oauth.generateRandomState();
    const codeVerifier = oauth.generateRandomCodeVerifier();
    const parameters = {
      response_type: "code",
      client_id: provider.clientId,
      redirect_uri: redirectUri,
      scope: provider.scopes.join(" "),
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
      clientAuth,
      valid,
      redirectUri,
      codeVerifier,
      { ...http, additionalParameters: resource },
    );
    return toCredential(await oauth.processAuthorizationCodeResponse(server, client, response));
  }

  async function refresh(refreshToken: string): Promise<Credential> {
    const server = await discover();
    const options = { ...http, additionalParameters: resource };
    const response = await oauth.refreshTokenGrantRequest(server, client, clientAuth, refreshToken, options);
    const fresh = toCredential(await oauth.processRefreshTokenResponse(server, client, response));
    // A provider that does not rotate leaves the old one valid (RFC 6749, section 6).
    return { refreshToken, ...fresh };
  }

  async function revoke({ accessToken, refreshToken }: Credential): Promise<void> {
    const server = await discover();
    if (server.revocation_endpoint === undefined) return;
    const token = refreshToken ?? accessToken;
    const response = await oauth.revocationRequest(server, client, clientAuth, token, http);
    await oauth.processRevocationResponse(response);
  }

  async function guarded<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (cause) {
      throw new OAuthFailure(provider, cause);
    }
  }

  return {
    authorizationOrigin: async () => (await guarded(authorizationEndpoint())).origin,
    start: (redirectUri) => guarded(start(redirectUri)),
    finish: (redirectUri, returned) => guarded(finish(redirectUri, returned)),
    refresh: (refreshToken) => guarded(refresh(refreshToken)),
    revoke: (credential) => guarded(revoke(credential)),
  };
}

/**
 * What went wrong with a provider. Made anew from the cause, which may hold tokens, so that it can be logged: one line,
 * since that a person has refused access is no fault that a stack would help to find.
 */
export class OAuthFailure extends Error {
  override readonly name = "OAuthFailure";
  readonly #code: string | undefined;

  constructor(provider: OAuthProvider, cause: unknown) {
    const code =
      cause instanceof oauth.AuthorizationResponseError || cause instanceof oauth.ResponseBodyError
        ? cause.error
        : undefined;
    const known = code !== undefined && /^[a-z_]{1,40}$/.test(code) ? code : undefined;
    super(`elicit-kit: OAuth with ${provider.issuer} failed: ${known ?? faultOf(cause)}`);
    this.stack = `${this.name}: ${this.message}`;
    this.#code = known;
  }

  /** Error code of the provider (RFC 6749), when it gave one that looks like a code. */
  get code(): string | undefined {
    return this.#code;
  }
}

/** The library's words for what a provider does wrong quote nothing of its answer. */
function faultOf(cause: unknown): string {
  return cause instanceof oauth.OperationProcessingError || cause instanceof oauth.UnsupportedOperationError
    ? cause.message
    : reasonOf(cause);
}

/** What the person is told. */
export function describeOAuthFailure(failure: unknown, service: string): string {
  const code = failure instanceof OAuthFailure ? failure.code : undefined;
  if (code === "access_denied") return `Access to ${service} was not granted.`;
  if (code !== undefined) return `${service} answered with an error (${code}).`;
  return `${service} could not be reached, or its answer was not understood.`;
}
