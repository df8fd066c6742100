import type { Credential } from "../ports/credentials.ts";
import type { ProviderBase } from "../ports/provider-base.ts";

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
  /**
   * The `prompt` that makes the provider let a user choose whose account they connect. Sent when they connect another one.
   * @default "login" for an OpenID provider, "select_account" for others
   */
  accountPrompt?: "login" | "select_account" | undefined;
  /** The resource the token is for (RFC 8707), such as the URL of the MCP server. */
  resource?: string | undefined;
  /**
   * Path of the redirect URI, as registered with the provider. Two providers with different issuers need a path each:
   * otherwise one could collect the codes of the other (mix-up; RFC 9700, 4.4), and the page is not made.
   * @default "/auth/callback"
   */
  redirectPath?: string | undefined;
}
