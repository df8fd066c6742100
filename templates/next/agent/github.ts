// Where users connect an account: an origin of its own, so that no script of the chat can press anything there.
export const pageOrigin = process.env["NEXT_PUBLIC_PAGE_ORIGIN"] ?? "http://127.0.0.1:3000";

// Another service in GitHub's place, such as one for tests: its issuer, where it serves the API too.
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
