import { createServer } from "node:http";
import { Provider } from "oidc-provider";
import { onTestFinished } from "vitest";
import { listen } from "../../stages/listen.ts";

/**
 * Slack as an issuer of OpenID Connect tokens, simulated by `oidc-provider` with Slack's issuer, claims and client
 * authentication.
 */
export interface SlackIssuer {
  /** The user who is signed in to Slack in the browser. */
  person: { readonly user: string; readonly team: string };
  /** Sends a request for `https://slack.com` to it. */
  fetch: (url: string, init?: object) => Promise<Response>;
}

export async function startSlackIssuer(client: {
  id: string;
  secret: string;
  redirectUri: string;
}): Promise<SlackIssuer> {
  const { privateKey } = await crypto.subtle.generateKey(
    {
      name: "RSASSA-PKCS1-v1_5",
      hash: "SHA-256",
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
    },
    true,
    ["sign"],
  );
  const { key_ops: _, ...jwk } = await crypto.subtle.exportKey("jwk", privateKey);
  const provider = new Provider("https://slack.com", {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [client.redirectUri],
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    jwks: { keys: [{ ...jwk, alg: "RS256", use: "sig" }] },
    cookies: { keys: ["test"] },
    pkce: { required: () => false },
    conformIdTokenClaims: false,
    claims: { openid: ["sub", "https://slack.com/user_id", "https://slack.com/team_id"] },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        "https://slack.com/user_id": accountId,
        "https://slack.com/team_id": self.person.team,
        // Users can change their e-mail address in Slack, so nothing may depend on it.
        email: "boss@example.com",
      }),
    }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    features: { devInteractions: { enabled: false } },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  });
  // `fetch` stands for the proxy in front of it.
  provider.proxy = true;
  const answer = provider.callback();
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/interaction/") !== true) return void answer(request, response);
    void (async () => {
      const { prompt, params, session } = await provider.interactionDetails(request, response);
      if (prompt.name === "login") {
        await provider.interactionFinished(request, response, { login: { accountId: self.person.user } });
        return;
      }
      const grant = new provider.Grant({
        accountId: session?.accountId ?? "",
        clientId: String(params["client_id"]),
      });
      grant.addOIDCScope(String(params["scope"]));
      const consent = { grantId: await grant.save() };
      await provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
    })();
  });
  const { url: origin, close } = await listen(server);
  onTestFinished(close);
  const self: SlackIssuer = {
    person: { user: "UNOBODY", team: "T0" },
    async fetch(url, init) {
      const request = new Request(url, init);
      const { pathname, search } = new URL(url);
      const headers = new Headers(request.headers);
      headers.set("x-forwarded-proto", "https");
      headers.set("x-forwarded-host", "slack.com");
      const body = request.method === "POST" ? await request.text() : undefined;
      return globalThis.fetch(`${origin}${pathname}${search}`, {
        method: request.method,
        headers,
        redirect: "manual",
        ...(body !== undefined && { body }),
      });
    },
  };
  return self;
}
