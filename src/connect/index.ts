/** `elicit-kit/connect`: the page where a user connects an account, with OAuth 2.1 or through Nango. */
export type { HostedPage } from "./page/hosted-page.ts";
export { createHostedPage } from "./page/hosted-page.ts";
export type { Connector } from "./ports/connector.ts";
export { auth0TokenVault } from "./vaults/auth0-token-vault.ts";
export { composio } from "./vaults/composio.ts";
export { vercelConnect } from "./vaults/vercel-connect.ts";
export { withConnectors } from "./with-connectors.ts";
export type { Provider } from "./with-connectors.ts";
export type { Credential, CredentialStore } from "./ports/credentials.ts";
export { createMemoryCredentials } from "./ports/credentials.ts";
export type { Transactions } from "./ports/transactions.ts";
export type { McpSignIn } from "./oauth/mcp-sign-in.ts";
export { isConnected } from "./oauth/challenge.ts";
export { createMcpSignIn } from "./oauth/mcp-sign-in.ts";
export type { ClientRegistrations } from "./ports/client-registrations.ts";
