import type { Provider } from "elicit-kit/connect";

const api = "https://api.github.com";

/** For the hosted page and `withConnectors`. */
export const providers = {
  github: {
    service: "GitHub",
    issuer: "https://github.com/login/oauth",
    clientId: process.env["GITHUB_CLIENT_ID"] ?? "",
    clientSecret: process.env["GITHUB_CLIENT_SECRET"] ?? "",
    scopes: ["repo"], // of an OAuth app; a GitHub App has permissions instead
    scopeWords: { repo: "read and change your repositories" },
    redirectPath: "/auth/callback/github",
    async accountName({ accessToken }, { signal }) {
      const reply = await fetch(`${api}/user`, {
        headers: { authorization: `Bearer ${accessToken}` },
        signal,
      });
      const { login }: { login?: string } = await reply.json();
      return login;
    },
  },
} satisfies Record<string, Provider>;

/** For `createAgentTurn`. */
export const accounts = { github: { service: "GitHub", api } };
