import type { Credential } from "../ports/credentials.ts";
import type { ProviderBase } from "../ports/connector.ts";

/** An OAuth 2.1 provider (authorization code, PKCE, discovery) for the connection of one tool. */
export interface OAuthProvider extends ProviderBase {
  /** The issuer URL, as its metadata spells it. The metadata is read from the well-known URLs (OpenID Connect, RFC 8414). */
  issuer: string;
  clientId: string;
  /** Absent for a public client. */
  clientSecret?: string | undefined;
  /**
   * How the secret is sent to the token endpoint. Set it for a provider whose metadata does not list its methods.
   * @default a method that its metadata lists, Basic before the form; Basic if it lists none (RFC 8414)
   */
  tokenEndpointAuthMethod?: "client_secret_basic" | "client_secret_post" | undefined;
  /** The scopes to request at each sign-in. A call can request further scopes that have `scopeWords`. */
  scopes: readonly string[];
  /**
   * Asks the provider for the name of the connected account, such as its e-mail address. Called once, with the new
   * credential. The page shows the result. If it rejects or takes more than ten seconds, the name is unknown.
   * @default the e-mail address or name in the ID token, when `scopes` has `openid`
   */
  accountName?:
    | ((credential: Credential, options: { signal: AbortSignal }) => Promise<string | undefined>)
    | undefined;
  /**
   * The `prompt` value with which the provider lets a user choose an account. Sent when they connect an additional
   * account.
   * @default "login" for an OpenID provider, "select_account" for others
   */
  accountPrompt?: "login" | "select_account" | undefined;
  /**
   * More parameters of each authorization request, such as `{ access_type: "offline", prompt: "consent" }` for Google.
   * Parameters that the kit sets itself are refused.
   */
  authorizationParams?: Readonly<Record<string, string>> | undefined;
  /** The resource the token is for (RFC 8707), such as the URL of the MCP server. */
  resource?: string | undefined;
  /**
   * Path of the redirect URI, as registered with the provider. Two providers with different issuers need different paths:
   * otherwise one could collect the codes of the other (mix-up attack; RFC 9700, 4.4), and `createHostedPage` throws.
   * @default "/auth/callback"
   */
  redirectPath?: string | undefined;
}
