import {
  JWT_BEARER,
  PARAMETERS,
  TOKEN_EXCHANGE,
  issueGrant,
  redeemGrant,
} from "../../demo/server/company-grants.ts";
import { type TestProvider, startTestProvider } from "./oidc-provider.ts";

/** Our app as a client of the identity provider. */
export const APP = { clientId: "app-at-company", clientSecret: "the-secret-of-our-app-at-the-company" };
/** Our app as a client of the authorization server of an MCP server. */
export const AT_SERVER = { clientId: "app-at-server", clientSecret: "the-secret-of-our-app-at-the-server" };
const APP_CALLBACK = "https://app.example.com/signed-in";

export interface IdentityProvider extends TestProvider {
  /** The users whose policy does not allow the server. */
  readonly notAllowed: Set<string>;
  /** Signs a user in to our app, and returns their ID token. */
  idTokenOf(user: string): Promise<string>;
}

/** A real OpenID provider of a company, which exchanges ID tokens for grants at other servers (RFC 8693). */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const notAllowed = new Set<string>();

  const provider = await startTestProvider([APP_CALLBACK], {
    grant: {
      client: {
        client_id: APP.clientId,
        client_secret: APP.clientSecret,
        redirect_uris: [APP_CALLBACK],
        grant_types: ["authorization_code", TOKEN_EXCHANGE],
        response_types: ["code"],
        token_endpoint_auth_method: "client_secret_basic",
      },
      type: TOKEN_EXCHANGE,
      parameters: PARAMETERS[TOKEN_EXCHANGE],
      reply: (context) =>
        issueGrant(context, {
          key: provider.signingKey,
          clientId: AT_SERVER.clientId,
          allows: ({ user }) => !notAllowed.has(user),
        }),
    },
  });
  return Object.assign(provider, { notAllowed, idTokenOf: (user: string) => signIn(provider, user) });
}

/** A real authorization server that takes the grants of an identity provider (RFC 7523). */
export async function startManagedServer(trusted: { issuer: string }): Promise<TestProvider> {
  return startTestProvider([APP_CALLBACK], {
    grant: {
      client: {
        client_id: AT_SERVER.clientId,
        client_secret: AT_SERVER.clientSecret,
        redirect_uris: [],
        grant_types: [JWT_BEARER],
        response_types: [],
        token_endpoint_auth_method: "client_secret_basic",
      },
      type: JWT_BEARER,
      parameters: PARAMETERS[JWT_BEARER],
      async reply(context, provider) {
        const { token, scope } = await redeemGrant(context, { provider, trusted: trusted.issuer });
        return { access_token: await token.save(), token_type: "Bearer", expires_in: 3600, scope };
      },
    },
  });
}

async function signIn(provider: TestProvider, user: string): Promise<string> {
  provider.account = user;
  const challenge = "a-code-verifier-of-at-least-forty-three-characters";
  const start = new URL(`${provider.issuer}/auth`);
  const hash = Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(challenge)));
  const parameters = {
    client_id: APP.clientId,
    response_type: "code",
    redirect_uri: APP_CALLBACK,
    scope: "openid",
    code_challenge: hash.toString("base64url"),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) start.searchParams.set(name, value);
  const cookies = new Map<string, string>();
  let next = start.href;
  while (!next.startsWith(APP_CALLBACK)) {
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(next, { redirect: "manual", headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    next = new URL(response.headers.get("location") ?? "", next).href;
  }
  const basic = btoa(`${APP.clientId}:${APP.clientSecret}`);
  const reply = await fetch(`${provider.issuer}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: new URL(next).searchParams.get("code") ?? "",
      redirect_uri: APP_CALLBACK,
      code_verifier: challenge,
    }),
  });
  const { id_token: token }: { id_token?: string } = await reply.json();
  if (token === undefined) throw new Error("the identity provider gave no ID token");
  return token;
}
