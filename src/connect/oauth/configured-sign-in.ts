import { timeout, within } from "../../base/deadlines.ts";
import { limitLength } from "../../base/length-limit.ts";
import type { Clock } from "../../base/clock.ts";
import { KitError } from "../../contract/kit-error.ts";
import type { SignInTarget } from "../../runtime/internal.ts";
import type { Credential } from "../ports/credentials.ts";
import { isLoopbackHttp } from "../../base/urls.ts";
import type { ProviderBase } from "../ports/provider-base.ts";
import { scopesOf } from "./challenge.ts";
import { type SignIn, createOAuthClient } from "./oauth-client.ts";
import { createOAuthHttp } from "./oauth-http.ts";
import { redirectPathOf } from "./redirect-paths.ts";
import { SignInError } from "./sign-in-error.ts";

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

const PROVIDER_TIMEOUT_MS = 10_000;
const MAX_ANSWER_MIB = 1;
const MAX_ACCOUNT_LENGTH = 200;

/** The sign-in at a provider whose issuer and client the operator has configured. */
export function createConfiguredSignIn(
  provider: OAuthProvider,
  {
    clock,
    fetch = globalThis.fetch,
    onError,
  }: {
    clock: Clock;
    fetch?: typeof globalThis.fetch | undefined;
    /** Gets the error of an `accountName` that rejects. */
    onError?: ((error: unknown) => void) | undefined;
  },
): SignIn {
  const { issuer, service, clientId, clientSecret, tokenEndpointAuthMethod, resource } = provider;
  const issuerUrl = new URL(issuer);
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
  const oauth = createOAuthClient({ http, allowsLoopback, clock });
  const client = { clientId, clientSecret, authMethod: tokenEndpointAuthMethod };

  async function grant() {
    return { service, resource, client, server: await oauth.metadata(issuer, service, "operator") };
  }

  async function accountOf(
    credential: Credential,
    claims: Readonly<Record<string, unknown>>,
  ): Promise<Pick<Credential, "account">> {
    const inToken = accountIn(claims);
    const { accountName } = provider;
    if (accountName === undefined) return inToken;
    try {
      const read = await within(clock, PROVIDER_TIMEOUT_MS, (signal) => accountName(credential, { signal }));
      return { ...inToken, ...accountField(read) };
    } catch (error) {
      onError?.(error);
      return inToken;
    }
  }

  return {
    async discover(target) {
      const { server } = await grant();
      return { service, server, resource, scopes: scopesAt(provider, target) };
    },
    async start(plan, _tried, origin) {
      const redirectUri = origin + redirectPathOf(provider);
      // The stored trip does not have the secret.
      return { ...(await oauth.start(plan, { client: { clientId }, redirectUri })), method: "preset" };
    },
    async finish(trip, state, parameters) {
      const isOurs = trip.serverUrl === undefined && new URL(trip.server.issuer).href === issuerUrl.href;
      if (!isOurs || trip.client.clientId !== clientId) {
        throw new SignInError(`the sign-in to ${service} began at another provider than ${issuer}`);
      }
      const { credential, claims } = await oauth.finish({ ...trip, client }, state, parameters);
      return { ...credential, ...(await accountOf(credential, claims)) };
    },
    refresh: async (credential) => oauth.refresh(await grant(), credential),
    revoke: async (credential) => oauth.revoke(await grant(), credential),
  };
}

/**
 * What is asked for at a provider. A server chooses what it asks for, so only what the operator knows is asked for at their
 * provider.
 */
export function scopesAt(
  { scopes, scopeWords = {} }: OAuthProvider,
  target: SignInTarget | undefined,
): readonly string[] {
  const more = scopesOf(target?.scope).filter((scope) => Object.hasOwn(scopeWords, scope));
  return [...new Set([...scopes, ...more])];
}

/** What an ID token (OpenID Connect Core, 5.1) says of the account. */
function accountIn(claims: Readonly<Record<string, unknown>>): Pick<Credential, "account"> {
  const known = [claims["email"], claims["preferred_username"], claims["name"]];
  return accountField(known.find((claim) => typeof claim === "string" && claim !== ""));
}

function accountField(name: unknown): Pick<Credential, "account"> {
  return typeof name === "string" && name !== "" ? { account: name.slice(0, MAX_ACCOUNT_LENGTH) } : {};
}
