import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { User } from "../../runtime/index.ts";
import type { Credential } from "../ports/credentials.ts";
import { type Browser, type Page, bodyData, hiddenFields } from "../../../test/stages/browser.ts";
import { RESOURCE, type TestProvider, startTestProvider } from "../../../test/stages/oidc-provider.ts";
import { AUTH, CALLBACK, type PageStage, createPageStage, linkTo } from "../../../test/stages/page-stage.ts";
import type { OAuthProvider } from "../oauth/oauth-provider.ts";
import type { HostedPageOptions } from "./hosted-page.ts";

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider([CALLBACK]);
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.person = "approve";
});

const REMOVE = `${AUTH}/auth/connect/remove`;

function setUp(tracker: Partial<OAuthProvider> = {}, page: Partial<HostedPageOptions> = {}) {
  const providers = {
    tracker: {
      service: "Tracker",
      issuer: provider.issuer,
      clientId: provider.clientId,
      scopes: ["issues:write"],
      resource: RESOURCE,
      ...tracker,
    },
  };
  return createPageStage(provider, { page: { providers, ...page } });
}

/** Ada connects her account, and sees the result. */
async function connect({ browser, url }: PageStage): Promise<Page> {
  const consent = await browser.visit(url);
  return browser.follow(await browser.post(`${AUTH}/auth/connect/start`, hiddenFields(consent)));
}

const remove = (browser: Browser, page: Page, headers?: Record<string, string>) =>
  browser.post(REMOVE, hiddenFields(page), headers);

const stored = ({ credentials }: PageStage, user = "ada") => credentials.get("tracker", user);

function sessionByCookie(request: Request): User | undefined {
  const id = /(?:^|; )session=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1];
  return id === undefined ? undefined : { id };
}

test("after connecting, the page shows the account from the provider's ID token", async () => {
  const s = await setUp({ scopes: ["openid", "email", "issues:write"] });
  const done = await connect(s);
  expect(s.errors).toEqual([]);
  expect(done.text).toContain("<dt>Tracker account</dt>");
  expect(done.text).toContain("<bdi>someone@tracker.example</bdi>");
  expect(await stored(s)).toMatchObject({ account: "someone@tracker.example" });
  expect(await s.runtime.elicitations.get(s.elicitationId)).toMatchObject({
    status: "accepted",
    account: "someone@tracker.example",
  });
});

test("after connecting, the page shows the account that the operator's accountName returns", async () => {
  let asked: Credential | undefined;
  const s = await setUp({
    async accountName(credential) {
      asked = credential;
      return "<b>Someone</b>";
    },
  });
  expect((await connect(s)).text).toContain("<bdi>&lt;b&gt;Someone&lt;/b&gt;</bdi>");
  expect(asked?.accessToken).toBe((await stored(s))?.accessToken);
});

test.each<[string, OAuthProvider["accountName"]]>([
  ["is not told", undefined],
  ["is none", async () => undefined],
  ["cannot be asked for", () => Promise.reject(new Error("down"))],
])("an account whose name %s is still connected", async (_, accountName) => {
  const s = await setUp({ accountName });
  const done = await connect(s);
  expect(done.text).toContain("<h1>Tracker is connected</h1>");
  expect(done.text).toContain("<bdi>Connected</bdi>");
});

test("before connecting again, the page shows the account that is already connected", async () => {
  const s = await setUp();
  const credential = { accessToken: "token", account: "ada@tracker.example" };
  await s.credentials.set("tracker", "ada", credential);
  const consent = await s.browser.visit(s.url);
  expect(consent.text).toContain("<h1>Connect Tracker</h1>");
  expect(consent.text).toContain("<bdi>ada@tracker.example</bdi>");
});

test("Remove deletes the connection and revokes its token at the provider", async () => {
  const s = await setUp();
  const done = await connect(s);
  const token = (await stored(s))?.refreshToken ?? "";
  expect(await provider.isActive(token)).toBe(true);
  const removed = await s.browser.follow(await remove(s.browser, done));
  expect(removed.text).toContain("<h1>Tracker is no longer connected</h1>");
  expect(removed.text).not.toContain("Remove");
  expect(bodyData(removed, "page")).toBe("ended");
  expect(await stored(s)).toBeUndefined();
  expect(await provider.isActive(token)).toBe(false);
  // The button is pressed again in another tab that still shows it.
  expect((await s.browser.follow(await remove(s.browser, done))).text).toContain("is no longer connected");
  expect(s.errors).toEqual([]);
});

test.each<[string, Partial<Credential>]>([
  [
    "another server",
    {
      binding: {
        serverUrl: "https://other.example.com/mcp",
        issuer: "https://login.example.com",
        resource: "https://other.example.com/mcp",
        clientId: "other",
      },
    },
  ],
  ["an API key that was typed", { type: "api-key" }],
])("Remove sends the provider no credential of %s", async (_, made) => {
  const sent: string[] = [];
  const s = await setUp(
    {},
    {
      async fetch(input, init) {
        const request = new Request(input, init);
        sent.push(await request.clone().text());
        return fetch(request);
      },
    },
  );
  await s.credentials.set("tracker", "ada", { accessToken: "other-token", ...made });
  const consent = await s.browser.visit(s.url);
  await s.browser.follow(await remove(s.browser, consent));
  expect(await stored(s)).toBeUndefined();
  expect(sent.join("\n")).not.toContain("other-token");
});

test.each([
  ["in the header by default", "basic", undefined],
  ["in the form if the operator says so", "post", "client_secret_post"],
] as const)("a client with a secret connects and removes, the secret %s", async (_, kind, method) => {
  const { clientId, clientSecret } = provider.confidential[kind];
  const s = await setUp({ clientId, clientSecret, tokenEndpointAuthMethod: method });
  const done = await connect(s);
  expect(s.errors).toEqual([]);
  const token = (await stored(s))?.refreshToken ?? "";
  expect(await provider.isActive(token)).toBe(true);
  await s.browser.follow(await remove(s.browser, done));
  expect(await provider.isActive(token)).toBe(false);
});

test("Remove before connecting leaves the request open", async () => {
  const s = await setUp();
  await s.credentials.set("tracker", "ada", { accessToken: "token" });
  const consent = await s.browser.visit(s.url);
  const next = await s.browser.follow(await remove(s.browser, consent));
  expect(next.text).toContain("<h1>Connect Tracker</h1>");
  expect(next.text).not.toContain("Remove");
  expect(await stored(s)).toBeUndefined();
  expect((await s.runtime.elicitations.get(s.elicitationId))?.status).toBe("pending");
});

test("Remove works when the provider cannot revoke tokens", async () => {
  const s = await setUp(
    {},
    {
      fetch: (input, init) =>
        new URL(new Request(input).url).pathname.includes("revocation")
          ? Promise.reject(new Error("down"))
          : fetch(input, init),
    },
  );
  const done = await connect(s);
  expect((await s.browser.follow(await remove(s.browser, done))).text).toContain("is no longer connected");
  expect(await stored(s)).toBeUndefined();
  expect(s.errors).toHaveLength(1);
});

test.each<
  [string, (fields: Record<string, string>) => Record<string, string>, Record<string, string>, number]
>([
  ["a wrong token", (fields) => ({ ...fields, csrf: "x".repeat(43) }), {}, 403],
  ["no token", ({ elicitationId = "" }) => ({ elicitationId }), {}, 400],
  ["another site's form", (fields) => fields, { "sec-fetch-site": "cross-site" }, 403],
  ["a sibling subdomain's form", (fields) => fields, { "sec-fetch-site": "same-site" }, 403],
])("%s does not remove the account", async (_, change, headers, expected) => {
  const s = await setUp();
  const fields = hiddenFields(await connect(s));
  expect((await s.browser.post(REMOVE, change(fields), headers)).status).toBe(expected);
  expect(await stored(s)).toBeDefined();
});

test("a user can remove only their own connection, even with the link of another user", async () => {
  const s = await setUp({}, { session: sessionByCookie });
  s.browser.setCookie(AUTH, "session", "ada");
  const done = await connect(s);
  await s.credentials.set("tracker", "bob", { accessToken: "bob's token" });
  // Bob uses Ada's browser: the form of her page is valid in it, and the session is his.
  s.browser.setCookie(AUTH, "session", "bob");
  const refused = await remove(s.browser, done);
  expect(refused.status).toBe(404);
  expect(refused.text).toContain("This link cannot be used");
  expect([await stored(s), await stored(s, "bob")]).not.toContain(undefined);
});

test("five minutes after the request has ended, a page that was opened before removes nothing until the chat vouches again", async () => {
  const s = await setUp();
  const done = await connect(s);
  s.runtime.clock.advance(5 * 60_000);
  const refused = await remove(s.browser, done);
  expect([refused.status, refused.headers.get("location")]).toEqual([303, linkTo(s.elicitationId)]);
  expect(await stored(s)).toBeDefined();
});

test("removing counts towards the rate limit of forms", async () => {
  const s = await setUp({}, { limits: { postsPerMinute: 2 } });
  const done = await connect(s);
  expect((await remove(s.browser, done)).status).toBe(303);
  const refused = await remove(s.browser, done);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
});
