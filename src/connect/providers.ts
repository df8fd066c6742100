import type { Clock } from "../base/clock.ts";
import type { ApiKeyProvider } from "./api-key/api-key.ts";
import type { NangoProvider } from "./nango/nango.ts";
import type { OAuthProvider } from "./oauth/oauth-provider.ts";
import type { McpSignIn } from "./oauth/mcp-sign-in.ts";
import type { SignIn } from "./oauth/oauth-client.ts";
import type { SignInOf } from "./oauth/refresh.ts";
import { byAccount } from "./ports/account-ids.ts";
import type { Connector } from "./ports/connector.ts";

/** How one tool is connected: with OAuth, an API key, Nango, or a {@link Connector} of another vault. */
export type Provider = OAuthProvider | ApiKeyProvider | NangoProvider | Connector;

/** The options of every part that reads `providers`. */
export interface ProviderOptions {
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch | undefined;
}

export const isApiKey = (provider: Provider): provider is ApiKeyProvider => "apiKey" in provider;
export const isNango = (provider: Provider): provider is NangoProvider => "nango" in provider;
export const isVault = (provider: Provider): provider is Connector => "finish" in provider;
export const isOAuth = (provider: Provider): provider is OAuthProvider => "issuer" in provider;

/** Finds the sign-in of a stored credential. `configured`: by tool. */
export function signInsOf(
  configured: ReadonlyMap<string, SignIn>,
  mcpSignIn: McpSignIn | undefined,
): SignInOf {
  return (toolId, { type, binding }) => {
    if (type === "api-key") return undefined;
    return binding === undefined ? byAccount(configured, toolId) : mcpSignIn;
  };
}
