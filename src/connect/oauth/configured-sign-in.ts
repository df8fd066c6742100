import { within } from "../../base/deadlines.ts";
import { limitLength } from "../../base/read-body.ts";
import type { Clock } from "../../base/clock.ts";
import { KitError } from "../../contract/kit-error.ts";
import type { SignInTarget } from "../../runtime/internal.ts";
import type { Credential } from "../ports/credentials.ts";
import { isLoopbackHttp } from "../../base/urls.ts";
import { scopesOf } from "./challenge.ts";
import { type SignIn, accountPromptOf, createOAuthClient } from "./oauth-client.ts";
import { isSameIssuer } from "./authorization-server.ts";
import { createOAuthHttp } from "./oauth-http.ts";
import { redirectPathOf } from "./redirect-paths.ts";
import type { OAuthProvider } from "./oauth-provider.ts";
import { SignInError } from "./sign-in-error.ts";

const ACCOUNT_TIMEOUT_MS = 10_000;
const MAX_ANSWER_MIB = 1;
const MAX_ACCOUNT_LENGTH = 200;

/** The parameters of an authorization request that the kit sets, and those that would change where the code goes. */
const OWN_PARAMETERS: ReadonlySet<string> = new Set([
  "response_type",
  "response_mode",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "nonce",
  "code_challenge",
  "code_challenge_method",
  "resource",
  "request",
  "request_uri",
]);

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
    /** Called with the error of an `accountName` that rejects. */
    onError?: ((error: unknown) => void) | undefined;
  },
): SignIn {
  const { issuer, service, clientId, clientSecret, tokenEndpointAuthMethod, resource } = provider;
  const { authorizationParams = {} } = provider;
  const own = Object.keys(authorizationParams).find((name) => OWN_PARAMETERS.has(name.toLowerCase()));
  if (own !== undefined) {
    throw new KitError(
      `elicit-kit: authorizationParams of ${service} has "${own}", which the kit sets itself. Remove it; for scopes and the resource, use "scopes" and "resource" of the provider`,
    );
  }
  const issuerUrl = new URL(issuer);
  const allowsLoopback = isLoopbackHttp(issuerUrl);
  if (issuerUrl.protocol !== "https:" && !allowsLoopback) {
    throw new KitError(
      `elicit-kit: an issuer must be https, or http on a loopback address. This is neither: ${issuerUrl}`,
    );
  }
  const http = createOAuthHttp(
    async (input, init) => limitLength(await fetch(input, init), { service, mib: MAX_ANSWER_MIB }),
    { allowsLoopback, followsRedirects: false, readsIdToken: true, clock },
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
      const read = await within(clock, ACCOUNT_TIMEOUT_MS, (signal) => accountName(credential, { signal }));
      return { ...inToken, ...accountField(read) };
    } catch (error) {
      onError?.(error);
      return inToken;
    }
  }

  return {
    async discover(target) {
      const { server } = await grant();
      const choosesAccount = target?.another === true;
      return { service, server, resource, scopes: scopesAt(provider, target), choosesAccount };
    },
    async start(plan, _tried, origin) {
      const redirectUri = origin + redirectPathOf(provider);
      const accountPrompt =
        plan.choosesAccount === true ? (provider.accountPrompt ?? accountPromptOf(plan.server)) : undefined;
      const prompts = [accountPrompt, authorizationParams["prompt"]].filter((each) => each !== undefined);
      const prompt = [...new Set(prompts.flatMap((each) => each.split(" ")))].join(" ");
      const more = { ...authorizationParams, ...(prompt !== "" && { prompt }) };
      // The stored sign-in does not contain the secret.
      return { ...(await oauth.start(plan, { client: { clientId }, redirectUri, more })), method: "preset" };
    },
    async finish(trip, state, parameters) {
      const isOurs = trip.serverUrl === undefined && isSameIssuer(trip.server.issuer, issuer);
      if (!isOurs || trip.client.clientId !== clientId) {
        throw new SignInError(`the sign-in to ${service} began at another provider than ${issuer}`);
      }
      const { credential, claims } = await oauth.finish({ ...trip, client }, state, parameters);
      const { sub } = claims;
      const accountId = typeof sub === "string" && { accountId: sub };
      return { ...credential, ...accountId, ...(await accountOf(credential, claims)) };
    },
    refresh: async (credential, scope) => oauth.refresh(await grant(), credential, scope),
    revoke: async (credential) => oauth.revoke(await grant(), credential),
  };
}

/**
 * The scopes to request at a provider. A server chooses the scopes of its challenge, so only those that the operator
 * knows are requested at the operator's provider.
 */
export function scopesAt(
  { scopes, scopeWords = {} }: OAuthProvider,
  target: SignInTarget | undefined,
): readonly string[] {
  const more = scopesOf(target?.scope).filter((scope) => Object.hasOwn(scopeWords, scope));
  return [...new Set([...scopes, ...more])];
}

/** The claims about the account in an ID token (OpenID Connect Core, 5.1). */
function accountIn(claims: Readonly<Record<string, unknown>>): Pick<Credential, "account"> {
  const known = [claims["email"], claims["preferred_username"], claims["name"]];
  return accountField(known.find((claim) => typeof claim === "string" && claim !== ""));
}

function accountField(name: unknown): Pick<Credential, "account"> {
  return typeof name === "string" && name !== "" ? { account: name.slice(0, MAX_ACCOUNT_LENGTH) } : {};
}
