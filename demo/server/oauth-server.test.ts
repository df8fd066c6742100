import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  actionsOf,
  connect,
  createBrowser,
  discover,
  startAuthorization,
} from "../../test/stages/oauth-person.ts";
import { createSigningKey, type OAuthClient, type OAuthServer, startOAuthServer } from "./oauth-server.ts";
import type { OAuthContent } from "./oauth-store.ts";

const RESOURCE = "http://127.0.0.1:1/mcp";
const redirectUri = "http://127.0.0.1:2/auth/callback";
const insecure = { [oauth.allowInsecureRequests]: true };

let server: OAuthServer;
let client: OAuthClient;

beforeAll(async () => {
  server = await startOAuthServer({ port: 0 });
  server.registerResource(RESOURCE, { title: "Demo tracker", scope: "issues:write" });
  client = await server.registerClient({ name: "A <b>chat</b>", redirectUri });
});
afterAll(() => server.close());

const authorization = (options: { scope?: string; resource?: string | undefined } = {}) => ({
  issuer: server.issuer,
  client,
  redirectUri,
  scope: "issues:write",
  resource: RESOURCE,
  ...options,
});

async function atLogin(browser = createBrowser()) {
  const { url } = await startAuthorization(authorization());
  const visit = await browser.visit(url);
  const page = await visit.response.text();
  const [signIn = url, cancel = url] = actionsOf(page, visit);
  return { browser, visit, page, signIn, cancel };
}

async function atConsent(account = "alice") {
  const { browser, signIn } = await atLogin();
  const visit = await browser.visit(signIn, { account, password: "any" });
  const page = await visit.response.text();
  const [allow = signIn, deny = signIn] = actionsOf(page, visit);
  return { browser, visit, page, allow, deny };
}

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
}

describe("an authorization", () => {
  it("ends with tokens for the user who signed in", async () => {
    const tokens = await connect({ ...authorization(), account: "bob" });
    expect(tokens).toMatchObject({ token_type: "bearer", scope: "issues:write", expires_in: 3600 });
    expect(tokens.refresh_token).toBeDefined();
    expect(claimsOf(tokens.access_token)).toMatchObject({
      iss: server.issuer,
      aud: RESOURCE,
      sub: "bob",
      scope: "issues:write",
      client_id: client.clientId,
    });
  });

  it("issues tokens for the server's only resource when the client names none", async () => {
    const tokens = await connect({ ...authorization({ resource: undefined }), account: "alice" });
    expect(claimsOf(tokens.access_token)).toMatchObject({ aud: RESOURCE });
  });

  it("gives an OpenID client an ID token as well", async () => {
    const tokens = await connect({ ...authorization({ scope: "openid issues:write" }), account: "alice" });
    expect(claimsOf(tokens.id_token ?? "")).toMatchObject({ sub: "alice" });
  });

  it("can be refreshed until the application revokes its token", async () => {
    const tokens = await connect({ ...authorization(), account: "alice" });
    const metadata = await discover(server.issuer);
    const asClient = { client_id: client.clientId };
    const secret = oauth.ClientSecretPost(client.clientSecret);
    const refresh = async (token = "") =>
      oauth.processRefreshTokenResponse(
        metadata,
        asClient,
        await oauth.refreshTokenGrantRequest(metadata, asClient, secret, token, insecure),
      );
    const fresh = await refresh(tokens.refresh_token);
    expect(fresh.access_token).not.toBe(tokens.access_token);
    expect(claimsOf(fresh.access_token)).toMatchObject({ sub: "alice", aud: RESOURCE });

    const newest = fresh.refresh_token ?? tokens.refresh_token ?? "";
    const revocation = await oauth.revocationRequest(metadata, asClient, secret, newest, insecure);
    await oauth.processRevocationResponse(revocation);
    await expect(refresh(newest)).rejects.toMatchObject({ error: "invalid_grant" });
  });

  it("asks for sign-in and consent each time, even in the same browser", async () => {
    const { browser, allow } = await atConsent();
    const { url } = await browser.visit(allow, {});
    expect(url.searchParams.get("code")).not.toBeNull();
    expect((await atLogin(browser)).page).toContain("Sign in to the demo tracker");
  });

  it("is refused without PKCE", async () => {
    const { url } = await startAuthorization(authorization());
    url.searchParams.delete("code_challenge");
    url.searchParams.delete("code_challenge_method");
    const back = await createBrowser().visit(url);
    expect(back.url.searchParams.get("error")).toBe("invalid_request");
    expect(back.url.searchParams.get("error_description")).toContain("PKCE");
  });

  it("never redirects to a URL that is not registered", async () => {
    const { url } = await startAuthorization(authorization());
    url.searchParams.set("redirect_uri", "http://127.0.0.1:3/steal");
    const { response } = await createBrowser().visit(url);
    expect(response.status).toBe(400);
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await response.text()).toContain("redirect_uri did not match");
  });

  it("is refused for a resource that is not registered", async () => {
    const { url } = await startAuthorization(authorization({ resource: "http://127.0.0.1:4/mcp" }));
    const back = await createBrowser().visit(url);
    expect(back.url.searchParams.get("error")).toBe("invalid_target");
  });
});

describe("after a restart", () => {
  it("the server still has clients, refresh tokens, and an unfinished sign-in", async () => {
    const signingKey = await createSigningKey();
    let content: OAuthContent | undefined;
    const start = async (port: number) => {
      const started = await startOAuthServer({
        port,
        signingKey,
        kept: {
          known: content,
          // Stores the value as a file would.
          keep: async (next) => void (content = JSON.parse(JSON.stringify(next)) as OAuthContent),
        },
      });
      started.registerResource(RESOURCE, { title: "Demo tracker", scope: "issues:write" });
      return { ...started, client: await started.registerClient({ name: "chat", redirectUri }) };
    };
    const before = await start(0);
    const { issuer } = before;
    const asked = { ...authorization(), issuer, client: before.client };
    const { refresh_token: refreshToken = "" } = await connect({ ...asked, account: "bob" });
    const browser = createBrowser();
    const visit = await browser.visit((await startAuthorization(asked)).url);
    const [signIn = visit.url] = actionsOf(await visit.response.text(), visit);
    await before.close();

    const after = await start(Number(new URL(issuer).port));
    onTestFinished(() => after.close());
    expect(after.client).toEqual(before.client);
    // The first request may use a connection of the old server.
    const metadata = await vi.waitFor(() => discover(issuer));
    const consent = await browser.visit(signIn, { account: "alice", password: "any" });
    expect(await consent.response.text()).toContain("alice");
    const reply = await oauth.refreshTokenGrantRequest(
      metadata,
      { client_id: after.client.clientId },
      oauth.ClientSecretPost(after.client.clientSecret),
      refreshToken,
      insecure,
    );
    expect(await reply.json()).toMatchObject({ token_type: "Bearer", scope: "issues:write" });
  });
});

describe("the console output", () => {
  it("contains neither development warnings nor a token", async () => {
    const print = (["log", "info", "warn", "error"] as const).map((method) => vi.spyOn(console, method));
    const other = await startOAuthServer({ port: 0 });
    other.registerResource(RESOURCE, { title: "Demo tracker", scope: "issues:write" });
    const otherClient = await other.registerClient({ name: "chat", redirectUri });
    await connect({ ...authorization(), issuer: other.issuer, client: otherClient, account: "alice" });
    await other.close();
    for (const method of print) expect(method).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});

describe("the sign-in page", () => {
  it("shows which application asks, and does not trust its name", async () => {
    const { page } = await atLogin();
    expect(page).toContain("A &lt;b&gt;chat&lt;/b&gt;");
    expect(page).not.toContain("<b>chat");
  });

  it("allows only its own styles, and its forms go only to the OAuth server or back to the application", async () => {
    const { visit } = await atLogin();
    const policy = visit.response.headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'; style-src 'self'; form-action 'self' http://127.0.0.1:2;");
    expect(visit.response.headers.get("x-frame-options")).toBe("DENY");
    expect(visit.response.headers.get("cache-control")).toBe("no-store");
  });

  it.each([
    ["an unknown account", { account: `"><script>`, password: "any" }, "There is no such account."],
    ["a name that objects have", { account: "__proto__", password: "any" }, "There is no such account."],
    ["no password", { account: "alice", password: "" }, "Type any password."],
    ["nothing", {}, "There is no such account."],
  ])("appears again after %s", async (_, form, message) => {
    const { browser, signIn } = await atLogin();
    const { response } = await browser.visit(signIn, form);
    expect(response.status).toBe(422);
    const page = await response.text();
    expect(page).toContain(message);
    expect(page).toContain(`aria-invalid="true"`);
    expect(page).not.toContain("<script>");
    expect(page).not.toContain("__proto__");
  });

  it("can be cancelled", async () => {
    const { browser, cancel } = await atLogin();
    const { url } = await browser.visit(cancel, {});
    expect(url.origin + url.pathname).toBe(redirectUri);
    expect(url.searchParams.get("error")).toBe("access_denied");
  });

  it("refuses a form from another site", async () => {
    const { signIn } = await atLogin();
    const response = await fetch(signIn, {
      method: "POST",
      headers: { origin: "http://evil.example" },
      body: new URLSearchParams({ account: "alice", password: "any" }),
    });
    expect(response.status).toBe(403);
  });
});

describe("the consent page", () => {
  it("shows the user, the scopes, and where it redirects", async () => {
    const { page } = await atConsent("bob");
    expect(page).toContain("<b>bob</b>");
    expect(page).toContain("Read your issues and create new ones");
    expect(page).toContain("<b>http://127.0.0.1:2</b>");
  });

  it("can be denied", async () => {
    const { browser, deny } = await atConsent();
    const { url } = await browser.visit(deny, {});
    expect(url.searchParams.get("error")).toBe("access_denied");
    expect(url.searchParams.get("code")).toBeNull();
  });

  it("works only in the browser that signed in, and only once", async () => {
    const { browser, allow } = await atConsent();
    const stranger = await createBrowser().visit(allow, {});
    expect(stranger.response.status).toBe(400);
    expect(await stranger.response.text()).toContain(
      "This step is over, or it was started in another browser.",
    );
    expect((await browser.visit(allow, {})).url.searchParams.get("code")).not.toBeNull();
    expect((await browser.visit(allow, {})).response.status).toBe(400);
  });

  it("refuses an answer before the sign-in", async () => {
    const { browser, signIn } = await atLogin();
    const allow = new URL(signIn.href.replace("/login", "/allow"));
    expect((await browser.visit(allow, {})).response.status).toBe(400);
  });
});
