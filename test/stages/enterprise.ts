import { errors } from "oidc-provider";
import { type GrantContext, type TestProvider, startTestProvider } from "./oidc-provider.ts";

/** Our app as a client of the identity provider. */
export const APP = { clientId: "app-at-company", clientSecret: "the-secret-of-our-app-at-the-company" };
/** Our app as a client of the authorization server of an MCP server. */
export const AT_SERVER = { clientId: "app-at-server", clientSecret: "the-secret-of-our-app-at-the-server" };
const APP_CALLBACK = "https://app.example.com/signed-in";
const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";

export interface IdentityProvider extends TestProvider {
  /** The users whose policy does not allow the server. */
  readonly notAllowed: Set<string>;
  /** Signs a user in to our app, and returns their ID token. */
  idTokenOf(user: string): Promise<string>;
}

/** A real OpenID provider of a company, which exchanges ID tokens for grants at other servers (RFC 8693). */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const notAllowed = new Set<string>();

  async function reply({ oidc }: GrantContext): Promise<object> {
    const { params, client, issuer } = oidc;
    const subject = await verified(String(params["subject_token"]), issuer);
    if (subject.claims["iss"] !== issuer || subject.claims["aud"] !== client?.clientId) {
      throw new errors.InvalidGrant("the ID token is not of this client");
    }
    if (params["requested_token_type"] !== ID_JAG) throw new errors.InvalidRequest("only ID-JAG is issued");
    const { sub } = subject.claims;
    if (notAllowed.has(String(sub))) throw new errors.AccessDenied("policy");
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      sub,
      aud: params["audience"],
      resource: params["resource"],
      scope: params["scope"],
      client_id: AT_SERVER.clientId,
      jti: crypto.randomUUID(),
      iat: now,
      exp: now + 300,
    };
    const access_token = await signed({ alg: "ES256", typ: "oauth-id-jag+jwt" }, claims, provider.signingKey);
    return { access_token, issued_token_type: ID_JAG, token_type: "N_A", expires_in: 300 };
  }

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
      parameters: [
        "subject_token",
        "subject_token_type",
        "requested_token_type",
        "audience",
        "resource",
        "scope",
      ],
      reply,
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
      parameters: ["assertion", "scope", "resource"],
      async reply({ oidc }, provider) {
        const { params, client, issuer } = oidc;
        const { header, claims } = await verified(String(params["assertion"]), trusted.issuer);
        const isMeant =
          header["typ"] === "oauth-id-jag+jwt" &&
          claims["iss"] === trusted.issuer &&
          claims["aud"] === issuer &&
          claims["client_id"] === client?.clientId &&
          [undefined, claims["resource"]].includes(params["resource"]) &&
          Number(claims["exp"]) > Date.now() / 1000;
        if (client === undefined || !isMeant)
          throw new errors.InvalidGrant("the grant is not for this client");
        const scope = typeof claims["scope"] === "string" ? claims["scope"] : "";
        const accountId = String(claims["sub"]);
        const grant = new provider.Grant({ accountId, clientId: client.clientId });
        grant.addResourceScope(String(claims["resource"]), scope);
        const grantId = await grant.save();
        const token = new provider.AccessToken({ accountId, client, scope, grantId, gty: JWT_BEARER });
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

type Claims = Readonly<Record<string, unknown>>;

async function signed(header: Claims, claims: Claims, key: CryptoKey): Promise<string> {
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const signature = await crypto.subtle.sign(ES256, key, Buffer.from(text));
  return `${text}.${Buffer.from(signature).toString("base64url")}`;
}

/** Checks the signature of a JWT with the published keys of `issuer`. */
async function verified(token: string, issuer: string): Promise<{ header: Claims; claims: Claims }> {
  const { keys }: { keys: JsonWebKey[] } = await (await fetch(`${issuer}/jwks`)).json();
  const [header = "", claims = "", signature = ""] = token.split(".");
  const curve = { name: "ECDSA", namedCurve: "P-256" };
  const key = await crypto.subtle.importKey("jwk", keys[0] ?? {}, curve, false, ["verify"]);
  const text = Buffer.from(`${header}.${claims}`);
  if (!(await crypto.subtle.verify(ES256, key, Buffer.from(signature, "base64url"), text))) {
    throw new errors.InvalidGrant("the signature is not of the identity provider");
  }
  return { header: partOf(header), claims: partOf(claims) };
}

const ES256 = { name: "ECDSA", hash: "SHA-256" };
const partOf = (part: string): Claims => JSON.parse(Buffer.from(part, "base64url").toString());
