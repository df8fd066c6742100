import { within } from "../../base/deadlines.ts";
import type { Clock } from "../../base/clock.ts";
import { KitError } from "../../contract/kit-error.ts";
import type { SignInTarget } from "../../runtime/internal.ts";
import type { Credential } from "../ports/credentials.ts";
import { scopesOf } from "./challenge.ts";
import { type Granted, type SignIn, accountPromptOf } from "./oauth-client.ts";
import { isSameIssuer } from "./authorization-server.ts";
import { connectToIssuer } from "./operator-issuer.ts";
import { redirectPathOf } from "./redirect-paths.ts";
import type { OAuthProvider } from "./oauth-provider.ts";
import { SignInError } from "./sign-in-error.ts";

const ACCOUNT_TIMEOUT_MS = 10_000;
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
    fetch,
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
  const { oauth } = connectToIssuer(issuer, { fetch, readsIdToken: true, clock });
  const client = { clientId, clientSecret, authMethod: tokenEndpointAuthMethod };

  async function grant() {
    return { service, resource, client, server: await oauth.metadata(issuer, service, "operator") };
  }

  /** The name of the account: what `accountName` returns, or else a claim (OpenID Connect Core, 5.1). */
  async function accountOf(
    credential: Credential,
    { email, preferred_username: username, name }: Granted["claims"],
  ): Promise<string | undefined> {
    const { accountName } = provider;
    const inToken = nameIn([email, username, name]);
    if (accountName === undefined) return inToken;
    try {
      const read = await within(clock, ACCOUNT_TIMEOUT_MS, (signal) => accountName(credential, { signal }));
      return nameIn([read, inToken]);
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
      return { ...credential, accountId: claims.sub, account: await accountOf(credential, claims) };
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

function nameIn(values: readonly unknown[]): string | undefined {
  const found = values.find((value): value is string => typeof value === "string" && value !== "");
  return found?.slice(0, MAX_ACCOUNT_LENGTH);
}
