import { type Provider, type TokenEndpointGrantContext, errors } from "oidc-provider";

/** A request at a token endpoint. */
export type GrantContext = TokenEndpointGrantContext<Record<string, unknown>>;

export const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
export const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";
const ID_JAG_TYPE = "oauth-id-jag+jwt";
const LIFETIME_S = 300;

/** The parameters of each grant type. */
export const PARAMETERS: Readonly<Record<typeof TOKEN_EXCHANGE | typeof JWT_BEARER, string[]>> = {
  [TOKEN_EXCHANGE]: [
    "subject_token",
    "subject_token_type",
    "requested_token_type",
    "audience",
    "resource",
    "scope",
  ],
  [JWT_BEARER]: ["assertion", "scope", "resource"],
};

export type Claims = Readonly<Record<string, unknown>>;

/** What a user wants a grant for. */
export interface Wish {
  readonly user: string;
  readonly resource: string;
  readonly scopes: readonly string[];
}

/**
 * The identity provider's part of Enterprise-Managed Authorization: exchanges a user's ID token for a grant at another
 * authorization server (ID-JAG, RFC 8693), if the company allows it.
 */
export async function issueGrant(
  { oidc }: GrantContext,
  { key, clientId, allows }: { key: CryptoKey; clientId: string; allows: (wish: Wish) => boolean },
): Promise<object> {
  const { params, client, issuer } = oidc;
  const { claims: subject } = await verifyToken(String(params["subject_token"]), issuer);
  if (subject["iss"] !== issuer || subject["aud"] !== client?.clientId) {
    throw new errors.InvalidGrant("the ID token is not of this client");
  }
  if (params["requested_token_type"] !== ID_JAG) throw new errors.InvalidRequest("only ID-JAG is issued");
  const { audience, resource, scope } = params;
  const { sub } = subject;
  const scopes = typeof scope === "string" ? scope.split(" ") : [];
  if (!allows({ user: String(sub), resource: String(resource), scopes })) {
    throw new errors.AccessDenied("policy");
  }
  const iat = now();
  const claims = {
    iss: issuer,
    sub,
    aud: audience,
    resource,
    scope,
    client_id: clientId,
    jti: crypto.randomUUID(),
    iat,
    exp: iat + LIFETIME_S,
  };
  return {
    access_token: await signToken({ alg: "ES256", typ: ID_JAG_TYPE }, claims, key),
    issued_token_type: ID_JAG,
    token_type: "N_A",
    expires_in: LIFETIME_S,
  };
}

/** The authorization server's part: an access token for a grant of an identity provider that it trusts (RFC 7523). */
export async function redeemGrant(
  { oidc }: GrantContext,
  { provider, trusted }: { provider: Provider; trusted: string },
) {
  const { params, client, issuer } = oidc;
  const { header, claims } = await verifyToken(String(params["assertion"]), trusted);
  const isMeant =
    header["typ"] === ID_JAG_TYPE &&
    claims["iss"] === trusted &&
    claims["aud"] === issuer &&
    claims["client_id"] === client?.clientId &&
    [undefined, claims["resource"]].includes(params["resource"]) &&
    Number(claims["exp"]) > now();
  if (client === undefined || !isMeant) throw new errors.InvalidGrant("the grant is not for this client");
  const scope = typeof claims["scope"] === "string" ? claims["scope"] : "";
  const accountId = String(claims["sub"]);
  const grant = new provider.Grant({ accountId, clientId: client.clientId });
  grant.addResourceScope(String(claims["resource"]), scope);
  const grantId = await grant.save();
  const token = new provider.AccessToken({ accountId, client, scope, grantId, gty: JWT_BEARER });
  return { token, resource: String(claims["resource"]), scope };
}

const ES256 = { name: "ECDSA", hash: "SHA-256" };
const now = (): number => Math.floor(Date.now() / 1000);

export async function signToken(header: Claims, claims: Claims, key: CryptoKey): Promise<string> {
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const signature = await crypto.subtle.sign(ES256, key, Buffer.from(text));
  return `${text}.${Buffer.from(signature).toString("base64url")}`;
}

/** Checks the signature of a JWT with the published key of `issuer`. */
async function verifyToken(token: string, issuer: string): Promise<{ header: Claims; claims: Claims }> {
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

const partOf = (part: string): Claims => JSON.parse(Buffer.from(part, "base64url").toString());
