import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import { basicAuth } from "hono/basic-auth";
import { Provider } from "oidc-provider";
import { PARAMETERS, TOKEN_EXCHANGE, issueGrant, signToken } from "./company-grants.ts";
import { COMPANY } from "./accounts.ts";
import { createOAuthStore } from "./oauth-store.ts";
import { type OAuthClient, createSigningKey } from "./oauth-server.ts";
import { type Served, serve } from "./ports.ts";
import { WIKI_WRITE } from "./wiki.ts";

const HOUR = 60 * 60;

/** The company's identity provider, and the demo as its client. Plain data. */
export interface Company extends OAuthClient {
  issuer: string;
}

/**
 * The identity provider of carol's company (`oidc-provider`): it decides what its users may connect to. They may read
 * the handbook, and not write in it.
 *
 * @param clientId the demo's client at the handbook's authorization server
 */
export async function startCompany({
  port,
  clientId,
}: {
  port: number;
  clientId: string;
}): Promise<Company & Pick<Served, "close">> {
  const client = { clientId: "demo-agent", clientSecret: randomBytes(32).toString("base64url") };
  const jwk = await createSigningKey();
  const key = await crypto.subtle.importKey("jwk", jwk, { name: "ECDSA", namedCurve: "P-256" }, false, [
    "sign",
  ]);

  const { adapter, cookieKey } = createOAuthStore();

  function createApp(issuer: string) {
    const provider = new Provider(issuer, {
      adapter,
      clients: [
        {
          client_id: client.clientId,
          client_secret: client.clientSecret,
          redirect_uris: [],
          grant_types: [TOKEN_EXCHANGE],
          response_types: [],
          token_endpoint_auth_method: "client_secret_basic",
        },
      ],
      clientDefaults: { id_token_signed_response_alg: "ES256" },
      jwks: { keys: [jwk] },
      cookies: { keys: [cookieKey] },
      features: { devInteractions: { enabled: false } },
    });
    const exchange: Parameters<Provider["registerGrantType"]>[1] = async (context) => {
      context.body = await issueGrant(context, {
        key,
        clientId,
        allows: ({ user, scopes }) => COMPANY.users.includes(user) && !scopes.includes(WIKI_WRITE),
      });
    };
    provider.registerGrantType(TOKEN_EXCHANGE, exchange, PARAMETERS[TOKEN_EXCHANGE]);
    const protocol = provider.callback();
    return (
      new Hono<{ Bindings: HttpBindings }>()
        // In place of carol's sign-in at the company's page: the users of the demo have no passwords.
        .post(
          "/sign-in/:user",
          basicAuth({ username: client.clientId, password: client.clientSecret }),
          async (c) => {
            const sub = c.req.param("user");
            if (!COMPANY.users.includes(sub)) return c.notFound();
            const iat = Math.floor(Date.now() / 1000);
            const claims = { iss: issuer, sub, aud: client.clientId, iat, exp: iat + HOUR };
            return c.text(await signToken({ alg: "ES256", typ: "JWT" }, claims, key));
          },
        )
        .all("*", async (c) => {
          await protocol(c.env.incoming, c.env.outgoing);
          return RESPONSE_ALREADY_SENT;
        })
    );
  }

  const { origin, close } = await serve({
    name: "company",
    host: "127.0.0.1",
    port,
    handle: (issuer) => createApp(issuer).fetch,
  });
  return { issuer: origin, ...client, close };
}

/** The ID token of a user's sign-in at the company. `undefined`: the user is not of the company. */
export async function signInAtCompany(
  { issuer, clientId, clientSecret }: Company,
  userId: string,
): Promise<string | undefined> {
  if (!COMPANY.users.includes(userId)) return undefined;
  const response = await fetch(`${issuer}/sign-in/${userId}`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
  });
  if (!response.ok) throw new Error(`elicit-kit: the company's sign-in answered ${response.status}`);
  return response.text();
}
