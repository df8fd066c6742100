// The origin of the page where users connect an account. It differs from the chat's, so that no script of the chat can
// control the page.
export const pageOrigin = process.env["NEXT_PUBLIC_PAGE_ORIGIN"] ?? "http://127.0.0.1:3000";

// The issuer of a service that replaces GitHub, for example in tests. It serves the API as well.
const other = process.env["GITHUB_ISSUER"];
const api = other ?? "https://api.github.com";

// Create an OAuth app at https://github.com/settings/developers with the callback URL of pageOrigin and /auth/callback.
export const providers = {
  github: {
    service: "GitHub",
    issuer: other ?? "https://github.com/login/oauth",
    clientId: process.env["GITHUB_CLIENT_ID"] ?? "",
    clientSecret: process.env["GITHUB_CLIENT_SECRET"] ?? "",
    scopes: ["read:user"], // "repo" also lists private ones
  },
};
if (providers.github.clientId === "") console.warn("Set GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET.");

// Tools use it as account("github", toolCallId), with the user's token.
export const accounts = { github: { service: "GitHub", api } };
