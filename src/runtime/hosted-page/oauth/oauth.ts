import * as oauth from "oauth4webapi";
import { isLoopbackHttp, isSendable, limitLength, timeout, within } from "../../core/internal.ts";
import type { Clock, Credential } from "../../core/index.ts";
import { createMetadata } from "./oauth-metadata.ts";
import { SignInError, oauthCode, oauthFault } from "../../sign-in/sign-in-error.ts";
import type { ProviderBase } from "../provider-base.ts";
import type { PageWords } from "../words/page-words.ts";
import { KitError } from "../../../protocol/kit-error.ts";

/** An OAuth 2.1 provider (authorization code, PKCE, discovery) behind the connection of one tool. */
export interface OAuthProvider extends ProviderBase {
  /** Issuer URL; its metadata is read from the well-known places (OpenID Connect, RFC 8414). */
  issuer: string;
  clientId: string;
  /** Absent for a public client. */
  clientSecret?: string | undefined;
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

/** The OAuth calls to one provider. Failed calls reject with an {@link OAuthFailure}. */
export interface OAuthClient {
  /** Where people sign in. Reads the provider's metadata, at most once an hour. */
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
    throw new KitError(
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
    if (endpoint === undefined) throw new KitError("elicit-kit: its metadata has no authorization_endpoint");
    // A provider that ignores the challenge would accept a stolen code. Many that check it do not say so, hence no list is fine.
    if (methods !== undefined && !methods.includes("S256"))
      throw new KitError("elicit-kit: it does not support PKCE with S256");
    return new URL(endpoint);
  }

  function toCredential(tokens: oauth.TokenEndpointResponse): Credential {
    if (!isSendable(tokens.access_token))
      throw new KitError("elicit-kit: its access token is missing or malformed");
    return {
      accessToken: tokens.access_token,
      // Providers whose tokens do not expire leave it out, or send 0.
      ...(tokens.expires_in !== undefined &&
        tokens.expires_in > 0 && {
          expiresAt: Math.min(clock.now() + tokens.expires_in * 1000, LAST_DATE_MS),
        }),
      ...(tokens.refresh_token !== undefined && { refreshToken: tokens.refresh_token }),
      ...(tokens.scope !== undefined && { scope: tokens.scope }),
    };
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
      clientAuth,
      valid,
      redirectUri,
      codeVerifier,
      { ...http, additionalParameters: resource },
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
    return { ...toCredential(tokens), ...accountIn(oauth.getValidatedIdTokenClaims(tokens)) };
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
    start: (redirectUri, scopes) => guarded(start(redirectUri, scopes)),
    finish: (redirectUri, returned) => guarded(finish(redirectUri, returned)),
    withAccountName,
    refresh: (refreshToken) => guarded(refresh(refreshToken)),
    revoke: (credential) => guarded(revoke(credential)),
  };
}

/**
 * An error of a provider, safe to log: it has the code or a reason, and not the cause, which may hold tokens. Its stack is one
 * line, because the most frequent one, a person who refuses access, is not a fault in the code.
 */
export class OAuthFailure extends KitError {
  override readonly name = "OAuthFailure";
  readonly #code: string | undefined;

  constructor(provider: OAuthProvider, cause: unknown) {
    super(`elicit-kit: OAuth with ${provider.issuer} failed: ${oauthFault(cause)}`);
    this.stack = `${this.name}: ${this.message}`;
    this.#code = oauthCode(cause);
  }

  /** Error code of the provider (RFC 6749), when it gave one that looks like a code. */
  get code(): string | undefined {
    return this.#code;
  }
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
  const code = failure instanceof OAuthFailure || failure instanceof SignInError ? failure.code : undefined;
  if (code === "access_denied") return failures.denied(service);
  if (code !== undefined) return failures.code(service, code);
  return failures.unreachable(service);
}
