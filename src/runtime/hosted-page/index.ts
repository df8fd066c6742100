/** `elicit-kit/runtime/hosted-page`: the page where a person connects an account, with OAuth 2.1 or through Nango. */
export type { HostedPage, HostedPageOptions } from "./hosted-page.ts";
export { createHostedPage } from "./hosted-page.ts";
export type { NangoApi, NangoProvider } from "./nango.ts";
export { withNango } from "./nango-credentials.ts";
export type { OAuthProvider } from "./oauth.ts";
export { withRefresh } from "./refresh.ts";
export type { Provider } from "./page-request.ts";
export type { Transaction, Transactions } from "./transactions.ts";
export { createMemoryTransactions } from "./transactions.ts";
