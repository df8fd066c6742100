/** `elicit-kit/connect`: the page where a user connects an account, with OAuth 2.1 or through Nango. */
export type { HostedPage, HostedPageOptions } from "./page/hosted-page.ts";
export { createHostedPage } from "./page/hosted-page.ts";
export type { ApiKeyProvider } from "./api-key/api-key.ts";
export type { Brand } from "./page/layout/brand.ts";
export type { NangoApi, NangoProvider } from "./nango/nango.ts";
export type { OAuthProvider } from "./oauth/configured-sign-in.ts";
export type {
  AccountFault,
  AccountKey,
  ConnectRequest,
  ConnectReturn,
  ConnectStart,
  Connector,
  SignInPlace,
  VaultAccount,
} from "./ports/connector.ts";
export type { Auth0TokenVaultOptions } from "./vaults/auth0-token-vault.ts";
export { auth0TokenVault } from "./vaults/auth0-token-vault.ts";
export type { ComposioApi, ComposioOptions } from "./vaults/composio.ts";
export { composio } from "./vaults/composio.ts";
export type { VercelConnectApi, VercelConnectOptions } from "./vaults/vercel-connect.ts";
export { vercelConnect } from "./vaults/vercel-connect.ts";
export type { ProviderBase } from "./ports/provider-base.ts";
export { withConnectors } from "./with-connectors.ts";
export type { Provider } from "./providers.ts";
export type {
  ClientAuthentication,
  Credential,
  CredentialBinding,
  CredentialStore,
} from "./ports/credentials.ts";
export { createMemoryCredentials, isCredential, isSameCredential } from "./ports/credentials.ts";
export type { Transaction, Transactions } from "./ports/transactions.ts";
export type { McpSignIn, McpSignInOptions } from "./oauth/mcp-sign-in.ts";
export { isConnected } from "./oauth/is-connected.ts";
export { createMcpSignIn } from "./oauth/mcp-sign-in.ts";
export type { PresetClient } from "./oauth/choose-client.ts";
export type { ClientDescription } from "./oauth/registered-client.ts";
export type { ClientRegistrations, OAuthClientInfo } from "./ports/client-registrations.ts";
export { createMemoryRegistrations } from "./ports/client-registrations.ts";
export { createMemoryTransactions } from "./ports/transactions.ts";
export type { LocalText, PageLanguage } from "../words/page/languages.ts";
