import { base64url, newSecret, sha256 } from "../../base/ids.ts";
import { isObject } from "../../contract/json.ts";
import { KitError } from "../../contract/kit-error.ts";
import { providerOf } from "../ports/credentials.ts";
import type { AccountFault, Connector, ProviderBase } from "../ports/connector.ts";

/** The options of `auth0TokenVault`. */
export interface Auth0TokenVaultOptions extends ProviderBase {
  /** The domain of the tenant, such as `"example.eu.auth0.com"`. */
  domain: string;
  clientId: string;
  clientSecret: string;
  /** The name of the connection at Auth0, such as `"google-oauth2"`. */
  connection: string;
  scopes?: readonly string[] | undefined;
  /** Returns the Auth0 refresh token of a user, from their session with your app. */
  refreshToken: (userId: string) => Promise<string | undefined>;
  /** @default globalThis.fetch */
  fetch?: typeof globalThis.fetch | undefined;
}

type Answer = { ok: true; body: Readonly<Record<string, unknown>> } | AccountFault;
const GRANT = "urn:auth0:params:oauth:grant-type:token-exchange:federated-connection-access-token";
const TOKEN_TYPE = "http://auth0.com/oauth/token-type/federated-connection-access-token";
const TIMEOUT_MS = 10_000;

/**
 * Accounts that Auth0 keeps in its Token Vault ("Connected Accounts"). Requires an application with the Token Vault grant
 * and the My Account API. A sign-in ends with a code that only this server can redeem, for the user who started it.
 */
export function auth0TokenVault(options: Auth0TokenVaultOptions): Connector {
  const { domain, clientId, clientSecret, connection, scopes, refreshToken, fetch, ...shown } = options;
  const client = { client_id: clientId, client_secret: clientSecret };

  async function call(method: string, path: string, body?: object, token?: string): Promise<Answer> {
    const response = await (fetch ?? globalThis.fetch)(`https://${domain}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    const answer: unknown = text === "" ? {} : JSON.parse(text);
    if (response.ok && isObject(answer)) return { ok: true, body: answer };
    const code = isObject(answer) && typeof answer["error"] === "string" ? answer["error"] : undefined;
    const error = new KitError(`elicit-kit: Auth0 answered ${path} with status ${response.status}`);
    // For example `federated_connection_refresh_token_not_found`.
    const isGone = response.status === 404 || code?.startsWith("federated_connection_") === true;
    return { ok: false, reason: isGone ? "not-connected" : "unavailable", code, error };
  }

  /** Calls the My Account API for a user. */
  async function callAs(userId: string, method: string, path: string, body?: object): Promise<Answer> {
    const granted = await call("POST", "/oauth/token", {
      grant_type: "refresh_token",
      ...client,
      refresh_token: await refreshToken(userId),
      audience: `https://${domain}/me/`,
      scope: "create:me:connected_accounts delete:me:connected_accounts",
    });
    if (!granted.ok) return granted;
    return call(method, `/me/v1/connected-accounts/${path}`, body, String(granted.body["access_token"]));
  }

  return {
    ...shown,
    async token({ userId }, { refused }) {
      const answer = await call("POST", "/oauth/token", {
        grant_type: GRANT,
        ...client,
        connection,
        subject_token: await refreshToken(userId),
        subject_token_type: "urn:ietf:params:oauth:token-type:refresh_token",
        requested_token_type: TOKEN_TYPE,
      });
      if (!answer.ok) return answer;
      const { access_token: accessToken, scope } = answer.body;
      if (typeof accessToken !== "string" || accessToken === refused)
        return { ok: false, reason: "not-connected" };
      return { ok: true, credential: { accessToken, ...(typeof scope === "string" && { scope }) } };
    },
    async start({ account: { toolId, userId }, state, redirectUri }) {
      const provider = providerOf(toolId);
      if (provider !== toolId) return { ok: false, reason: "not-set-up", error: oneAccountOf(provider) };
      const verifier = newSecret();
      const answer = await callAs(userId, "POST", "connect", {
        connection,
        redirect_uri: redirectUri,
        state,
        code_challenge: base64url(await sha256(verifier)),
        code_challenge_method: "S256",
        ...(scopes !== undefined && { scopes }),
      });
      if (!answer.ok) return answer;
      const { connect_uri: uri, connect_params: params, auth_session: session } = answer.body;
      const url = new URL(String(uri));
      if (isObject(params)) url.searchParams.set("ticket", String(params["ticket"]));
      return { ok: true, url: url.href, data: { session, verifier } };
    },
    async finish({ account: { userId }, parameters, data, redirectUri }) {
      if (parameters.get("error") === "access_denied") return { ok: false, reason: "denied" };
      const { session, verifier } = isObject(data) ? data : {};
      const answer = await callAs(userId, "POST", "complete", {
        auth_session: session,
        connect_code: parameters.get("connect_code"),
        redirect_uri: redirectUri,
        code_verifier: verifier,
      });
      return answer.ok ? { ok: true, reference: String(answer.body["id"]) } : answer;
    },
    async revoke({ userId, reference }) {
      const answer = await callAs(userId, "DELETE", `accounts/${encodeURIComponent(reference)}`);
      return answer.ok || answer.reason === "not-connected" ? { ok: true } : answer;
    },
    place: async () => ({ scopes: scopes ?? [], host: domain, origin: `https://${domain}` }),
  };
}

/** Otherwise a call with the first account would get the token of the last one. */
function oneAccountOf(provider: string): KitError {
  return new KitError(
    `elicit-kit: Auth0 finds a token by user and connection, so a user has one account at "${provider}". Leave out \`several\` of accounts.${provider}.`,
  );
}
