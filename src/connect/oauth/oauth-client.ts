import * as oauth from "oauth4webapi";
import type { Clock } from "../../base/clock.ts";
import { KitError } from "../../contract/kit-error.ts";
import type { SignInTarget } from "../../runtime/internal.ts";
import { type Credential, isSendable } from "../ports/credentials.ts";
import type { OAuthClientInfo } from "../ports/client-registrations.ts";
import {
  type NamedBy,
  SERVER_TTL_MS,
  type ServerMetadata,
  readServerMetadata,
} from "./authorization-server.ts";
import type { ClientMethod } from "./choose-client.ts";
import { clientAuthOf } from "./registered-client.ts";
import { createMetadataCache } from "./metadata-cache.ts";
import type { OAuthHttp } from "./oauth-http.ts";
import { ApprovalNeeded, SignInError, UNKNOWN_CLIENT, exchangeError, oauthFault } from "./sign-in-error.ts";

/** The latest time that a `Date` can represent. */
const LAST_DATE_MS = 8.64e15;

/** Where a user signs in, and for which scopes. Plain data. */
export interface SignInPlan {
  readonly service: string;
  readonly server: ServerMetadata;
  readonly scopes: readonly string[];
  /** All scopes that the MCP server lists, if its metadata named the authorization server. */
  readonly listedScopes?: readonly string[] | undefined;
  /** The resource that the token is for (RFC 8707). */
  readonly resource?: string | undefined;
  /** Whether the user chooses an account there, even if they are signed in to one. */
  readonly choosesAccount?: boolean | undefined;
  /** The URL of its protected resource metadata, if a challenge named one. */
  readonly resourceMetadata?: string | undefined;
  /** The URL of the MCP server, if its metadata named the authorization server. */
  readonly serverUrl?: string | undefined;
}

/** A started sign-in at an authorization server. Plain data with secrets, so it must not be logged. */
export interface SignInTrip extends SignInPlan {
  readonly client: OAuthClientInfo;
  readonly redirectUri: string;
  readonly codeVerifier: string;
}

/** The start of a sign-in: the URL for the browser, and the data that the callback needs. */
export interface SignInStart {
  readonly url: URL;
  readonly state: string;
  /** How the client was obtained. */
  readonly method: ClientMethod;
  readonly trip: SignInTrip;
}

/**
 * The sign-in to one service, or to any service: the authorization server and the client are configured, or come from a
 * server's own metadata. Failures reject with an error that tells the operator what to do.
 */
export interface SignIn {
  /** Finds out where a user signs in. `target`: the server whose call was refused, and the scopes that it needs. */
  discover(target: SignInTarget | undefined): Promise<SignInPlan>;
  /**
   * @param tried the methods of earlier sign-ins from which the user did not return
   * @param origin the origin of the hosted page
   */
  start(plan: SignInPlan, tried: ReadonlySet<ClientMethod>, origin: string): Promise<SignInStart>;
  finish(trip: SignInTrip, state: string, parameters: URLSearchParams): Promise<Credential>;
  /**
   * Rejects with a `code` if the authorization server refuses.
   *
   * @param scope the granted scopes, for a server that wants them again
   */
  refresh(credential: Credential, scope?: string): Promise<Credential>;
  /** Revokes a token that is no longer needed. */
  revoke(credential: Credential): Promise<void>;
}

/** The issuer, client and resource of a token. */
interface Grant extends Pick<SignInPlan, "service" | "server" | "resource"> {
  readonly client: OAuthClientInfo;
}

/** The reply of a token endpoint, and the claims of the ID token if there is one. */
export interface Granted {
  readonly credential: Credential;
  readonly claims: Partial<oauth.IDToken>;
}

/** The OAuth 2.1 flow: authorization code with PKCE, refresh, revocation. Failures reject with a {@link SignInError}. */
export interface OAuthClient {
  /** Reads the metadata of an authorization server, at most once in five minutes. */
  metadata(issuer: string, service: string, namedBy: NamedBy): Promise<ServerMetadata>;
  /** Makes the next call read the metadata again. */
  forget(issuer: string): void;
  /** `more` are additional parameters of the authorization request. */
  start(
    plan: SignInPlan,
    leaving: {
      client: OAuthClientInfo;
      redirectUri: string;
      more?: Readonly<Record<string, string>> | undefined;
    },
  ): Promise<Omit<SignInStart, "method">>;
  finish(trip: SignInTrip, state: string, parameters: URLSearchParams): Promise<Granted>;
  refresh(grant: Grant, credential: Credential, scope: string | undefined): Promise<Credential>;
  revoke(grant: Grant, credential: Credential): Promise<void>;
}

export function createOAuthClient({
  http,
  allowsLoopback,
  clock,
}: {
  http: OAuthHttp;
  allowsLoopback: boolean;
  clock: Clock;
}): OAuthClient {
  const servers = createMetadataCache<ServerMetadata>(clock, SERVER_TTL_MS);

  /** Runs an exchange with an authorization server. Its errors may contain tokens, so they are replaced. */
  async function told<T>({ service, server }: Omit<Grant, "client">, exchange: () => Promise<T>): Promise<T> {
    try {
      return await exchange();
    } catch (error) {
      servers.forget(server.issuer);
      throw exchangeError(service, server.issuer, error);
    }
  }

  const forResource = ({ resource }: Pick<Grant, "resource">, scope?: string) => ({
    ...http,
    additionalParameters: {
      ...(resource !== undefined && { resource }),
      ...(scope !== undefined && { scope }),
    },
  });

  return {
    forget: servers.forget,
    async metadata(issuer, service, namedBy) {
      try {
        return await servers.get(issuer, hostOf(issuer), () =>
          readServerMetadata(issuer, { http, allowsLoopback, namedBy }),
        );
      } catch (error) {
        throw new SignInError(
          `the sign-in to ${service} at ${issuer} failed, because this authorization server cannot be used: ${oauthFault(error)}`,
        );
      }
    },
    async start(plan, { client, redirectUri, more }) {
      const state = oauth.generateRandomState();
      const codeVerifier = oauth.generateRandomCodeVerifier();
      const { server, scopes, resource } = plan;
      const parameters = {
        response_type: "code",
        client_id: client.clientId,
        redirect_uri: redirectUri,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: "S256",
        ...(resource !== undefined && { resource }),
        ...(scopes.length > 0 && { scope: scopes.join(" ") }),
        ...more,
      };
      const url = new URL(server.authorization_endpoint);
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return { url, state, trip: { ...plan, client, redirectUri, codeVerifier } };
    },
    finish: (trip, state, parameters) =>
      told(trip, async () => {
        const { server, redirectUri, codeVerifier, scopes } = trip;
        const client: oauth.Client = { client_id: trip.client.clientId };
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          clientAuthOf(server, trip.client),
          callbackOf(server, client, parameters, state),
          redirectUri,
          codeVerifier,
          forResource(trip),
        );
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
        return {
          credential: credentialOf(tokens, scopes.join(" "), clock.now()),
          claims: oauth.getValidatedIdTokenClaims(tokens) ?? {},
        };
      }),
    refresh: (grant, { refreshToken, scope: granted }, scope) =>
      told(grant, async () => {
        if (refreshToken === undefined) throw new KitError("elicit-kit: there is no refresh token");
        const { server } = grant;
        const client: oauth.Client = { client_id: grant.client.clientId };
        const auth = clientAuthOf(server, grant.client);
        const response = await oauth.refreshTokenGrantRequest(
          server,
          client,
          auth,
          refreshToken,
          forResource(grant, scope),
        );
        const tokens = await oauth.processRefreshTokenResponse(server, client, response);
        // A server that does not rotate refresh tokens keeps the old one valid (RFC 6749, section 6).
        return { refreshToken, ...credentialOf(tokens, granted, clock.now()) };
      }),
    revoke: (grant, { accessToken, refreshToken }) =>
      told(grant, async () => {
        const { server } = grant;
        if (server.revocation_endpoint === undefined) return;
        const client: oauth.Client = { client_id: grant.client.clientId };
        const auth = clientAuthOf(server, grant.client);
        const response = await oauth.revocationRequest(
          server,
          client,
          auth,
          refreshToken ?? accessToken,
          http,
        );
        // Some servers reply with status 204 instead of 200.
        if (!response.ok) await oauth.processRevocationResponse(response);
      }),
  };
}

/** The parameters of a valid callback. It has no code if an administrator must approve first. */
function callbackOf(
  server: ServerMetadata,
  client: oauth.Client,
  parameters: URLSearchParams,
  state: string,
): URLSearchParams {
  const hasCode = parameters.has("code");
  // Some servers leave `iss` out beside an error. It protects the code, and an error has none.
  const sender = hasCode ? server : { ...server, authorization_response_iss_parameter_supported: false };
  try {
    const callback = oauth.validateAuthResponse(sender, client, parameters, state);
    // GitHub, when a member of an organization has asked its owners to install an app.
    if (!hasCode && parameters.get("setup_action") === "request") throw new ApprovalNeeded();
    return callback;
  } catch (error) {
    const isRefused = error instanceof oauth.AuthorizationResponseError;
    throw isRefused && asksAdministrator(error) ? new ApprovalNeeded() : error;
  }
}

/** Google has codes of its own for it. Microsoft and others only say it in the description. */
function asksAdministrator({
  error,
  error_description: words = "",
}: oauth.AuthorizationResponseError): boolean {
  return (
    /^admin_|_admin_|approval_required|approval_pending|not_approved/.test(error) ||
    /\bAADSTS(?:65001|9009\d\d?)\b|(?:approv|consent|permission|allow).{0,80}\badmin|\badmin.{0,80}(?:approv|consent|permission|allow)/is.test(
      words,
    )
  );
}

/** The credential from a reply of a token endpoint. `asked`: the requested scopes, separated by spaces. */
export function credentialOf(
  {
    access_token: accessToken,
    expires_in: seconds = 0,
    refresh_token: refreshToken,
    scope,
    token_type: type,
  }: oauth.TokenEndpointResponse,
  asked: string | undefined,
  now: number,
): Credential {
  // The library also takes a DPoP token, which a service refuses without its key.
  if (type !== "bearer") throw new KitError("elicit-kit: its access token is no bearer token");
  if (!isSendable(accessToken)) throw new KitError("elicit-kit: its access token is missing or malformed");
  // A server may omit the scope if it grants exactly what was requested (RFC 6749, section 5.1).
  const granted = typeof scope === "string" ? scope : asked;
  return {
    accessToken,
    // Some servers send 0 for a token that does not expire. It is used until the service refuses it.
    ...(seconds > 0 && { expiresAt: Math.min(now + seconds * 1000, LAST_DATE_MS) }),
    ...(refreshToken !== undefined && { refreshToken }),
    ...(granted !== "" && { scope: granted }),
  };
}

/** The `prompt` with which a user chooses an account. Every OpenID provider supports `login`; others ignore unknown values. */
export function accountPromptOf(server: ServerMetadata): string {
  return server.id_token_signing_alg_values_supported === undefined ? "select_account" : "login";
}

/** Empty for a text that is not a URL. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}

/** Whether an authorization server has said that it does not know the client (RFC 6749, section 5.2). */
export function isUnknownClient(error: unknown): boolean {
  return error instanceof SignInError && UNKNOWN_CLIENT.has(error.code);
}
