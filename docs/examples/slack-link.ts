import type { User } from "elicit-kit/runtime";
import { type SlackPerson, personOfClaims } from "elicit-kit/slack";
import { Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import * as oauth from "oauth4webapi";

const issuer = new URL("https://slack.com");
const cookie = "__Host-slack-link";

export interface SlackLinkOptions {
  /** Client id of your Slack app, from "Basic Information". */
  clientId: string;
  clientSecret: string;
  /** The origin of this page. `<origin>/slack/callback` is a redirect URL of the Slack app. */
  origin: string;
  /** Your session: the user who has opened the page. */
  authenticate: (request: Request) => Promise<User | undefined>;
  /** Stores which of your users the Slack user is. `userOf` of the surface reads it. */
  save: (person: SlackPerson, user: User) => Promise<void>;
  /** @default globalThis.fetch */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/**
 * The page behind `linkUrl`: `<origin>/slack/link`. Slack identifies the Slack user, and your session identifies your
 * user.
 */
export function createSlackLinkPage(options: SlackLinkOptions): Hono {
  const { clientId, clientSecret, origin, authenticate, save, fetch = globalThis.fetch } = options;
  const client = { client_id: clientId };
  const redirectUri = `${origin}/slack/callback`;
  const through = { [oauth.customFetch]: (url: string, init: object) => fetch(url, init) };

  async function readMetadata(): Promise<oauth.AuthorizationServer> {
    const response = await oauth.discoveryRequest(issuer, { algorithm: "oidc", ...through });
    return oauth.processDiscoveryResponse(issuer, response);
  }

  async function readPerson(url: URL, state: string, nonce: string): Promise<SlackPerson | undefined> {
    const slack = await readMetadata();
    const callback = oauth.validateAuthResponse(slack, client, url, state);
    const secret = oauth.ClientSecretPost(clientSecret);
    const args = [slack, client, secret, callback, redirectUri, oauth.nopkce, through] as const;
    const response = await oauth.authorizationCodeGrantRequest(...args);
    const tokens = await oauth.processAuthorizationCodeResponse(slack, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(slack, response, through);
    return personOfClaims(oauth.getValidatedIdTokenClaims(tokens));
  }

  return new Hono()
    .get("/slack/link", async (c) => {
      if ((await authenticate(c.req.raw)) === undefined) return c.text("Sign in first.", 401);
      const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
      setCookie(c, cookie, `${state}.${nonce}`, {
        httpOnly: true,
        secure: true,
        sameSite: "Lax",
        path: "/",
        maxAge: 600,
      });
      const { authorization_endpoint: endpoint = "" } = await readMetadata();
      const query = { client_id: clientId, redirect_uri: redirectUri, state, nonce };
      const asked = new URLSearchParams({ response_type: "code", scope: "openid", ...query });
      return c.redirect(`${endpoint}?${asked}`);
    })
    .get("/slack/callback", async (c) => {
      const user = await authenticate(c.req.raw);
      // Only the browser that started has it. Otherwise an attacker's link could connect the attacker's Slack account to
      // your user.
      const [state, nonce] = (getCookie(c, cookie) ?? "").split(".");
      deleteCookie(c, cookie, { path: "/", secure: true });
      if (user === undefined || state === undefined || nonce === undefined) {
        return c.text("Open the link in Slack again.", 400);
      }
      const person = await readPerson(new URL(c.req.url), state, nonce).catch(() => undefined);
      if (person === undefined) return c.text("Slack did not say who you are. Open the link again.", 400);
      await save(person, user);
      return c.text("Your Slack account is linked. Write to the assistant again.");
    });
}
