/** `elicit-kit/runtime/hosted-page`: the page where a person connects an account, with OAuth 2.1. */
export type { HostedPage, HostedPageOptions } from "./hosted-page.ts";
export { createHostedPage } from "./hosted-page.ts";
export type { OAuthProvider } from "./oauth.ts";
export { withRefresh } from "./refresh.ts";
