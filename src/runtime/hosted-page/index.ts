/** `elicit-kit/runtime/hosted-page`: the page where a person connects an account, with OAuth 2.1 or through Nango. */
export type { HostedPage, HostedPageOptions } from "./hosted-page.ts";
export { createHostedPage } from "./hosted-page.ts";
export type { Brand } from "./brand.ts";
export type { NangoApi, NangoProvider } from "./nango.ts";
export { withNango } from "./nango-credentials.ts";
export type { OAuthProvider } from "./oauth.ts";
export type { ProviderBase } from "./provider-base.ts";
export { withRefresh } from "./refresh.ts";
export type { Provider } from "./page-request.ts";
export type { Transaction, Transactions } from "./transactions.ts";
export type { SignInTrip, McpSignIn, McpSignInOptions } from "../sign-in/mcp-sign-in.ts";
export { isConnected } from "../sign-in/is-connected.ts";
export { createMcpSignIn } from "../sign-in/mcp-sign-in.ts";
export type { ClientDescription, PresetClient } from "../sign-in/choose-client.ts";
export type { ClientRegistrations, OAuthClientInfo } from "../sign-in/client-registrations.ts";
export { createMemoryRegistrations } from "../sign-in/client-registrations.ts";
export { createMemoryTransactions } from "./transactions.ts";
export type { LocalText, PageLanguage } from "./words/languages.ts";
