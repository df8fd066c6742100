/** A user with a browser, over plain HTTP: goes through the pages of the OAuth server of the demo. */
import * as oauth from "oauth4webapi";
import type { OAuthClient } from "../../demo/server/oauth-server.ts";

/** The cookies of one browser for one host. */
type Cookies = Map<string, string>;

export interface Visit {
  /** The last response: a page, or a redirect to another host. */
  response: Response;
  url: URL;
}

export interface Browser {
  /** Opens a URL or sends a form, and follows redirects within the same origin. */
  visit: (url: URL, form?: Readonly<Record<string, string>>) => Promise<Visit>;
}

export function createBrowser(): Browser {
  const cookies: Cookies = new Map();
  return {
    async visit(start, form) {
      let url = start;
      let body = form;
      for (;;) {
        const headers = {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
          origin: start.origin,
        };
        const response = await fetch(url, {
          headers,
          redirect: "manual",
          ...(body === undefined ? {} : { method: "POST", body: new URLSearchParams(body) }),
        });
        for (const cookie of response.headers.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
          if (value === "") cookies.delete(name);
          else cookies.set(name, value);
        }
        const location = response.headers.get("location");
        if (location === null) return { response, url };
        const next = new URL(location, url);
        if (next.origin !== start.origin) return { response, url: next };
        await response.body?.cancel();
        url = next;
        body = undefined;
      }
    },
  };
}

/** The action URLs of a page's forms. */
export function actionsOf(page: string, { url }: Visit): URL[] {
  return [...page.matchAll(/action="([^"]+)"/g)].map(([, action = ""]) => new URL(action, url));
}

export interface Authorization {
  issuer: string;
  client: OAuthClient;
  redirectUri: string;
  scope: string;
  resource?: string | undefined;
}

/** The authorization URL, and the values that the application must keep until the user returns. */
export async function startAuthorization({ issuer, client, redirectUri, scope, resource }: Authorization) {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const server = await discover(issuer);
  const url = new URL(server.authorization_endpoint ?? "");
  for (const [name, value] of Object.entries({
    client_id: client.clientId,
    response_type: "code",
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(resource === undefined ? {} : { resource }),
  })) {
    url.searchParams.set(name, value);
  }
  return { url, verifier, state };
}

/** Signs in, consents, and exchanges the code for tokens. */
export async function connect(
  options: Authorization & { account: string },
): Promise<oauth.TokenEndpointResponse> {
  const { url, verifier, state } = await startAuthorization(options);
  const browser = createBrowser();
  const login = await browser.visit(url);
  const [signIn = url] = actionsOf(await login.response.text(), login);
  const consent = await browser.visit(signIn, { account: options.account, password: "any" });
  const [allow = url] = actionsOf(await consent.response.text(), consent);
  const back = await browser.visit(allow, {});
  const server = await discover(options.issuer);
  const client = { client_id: options.client.clientId };
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.ClientSecretPost(options.client.clientSecret),
    oauth.validateAuthResponse(server, client, back.url, state),
    options.redirectUri,
    verifier,
    { [oauth.allowInsecureRequests]: true },
  );
  return oauth.processAuthorizationCodeResponse(server, client, response);
}

export async function discover(issuer: string): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer);
  const response = await oauth.discoveryRequest(url, {
    algorithm: "oauth2",
    [oauth.allowInsecureRequests]: true,
  });
  return oauth.processDiscoveryResponse(url, response);
}
