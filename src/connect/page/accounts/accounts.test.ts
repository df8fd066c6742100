/** The page of a user's accounts (contract, section 6). Ada and Bob use the same chat. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { User } from "../../../runtime/index.ts";
import { type Browser, type Page, contentOf, hiddenFields, nextOf } from "../../../../test/stages/browser.ts";
import { type TestProvider, startTestProvider } from "../../../../test/stages/oidc-provider.ts";
import {
  AUTH,
  CALLBACK,
  type PageStage,
  RUNTIME_URL,
  type StageOptions,
  createPageStage,
} from "../../../../test/stages/page-stage.ts";
import { createMcpSignIn } from "../../index.ts";
import type { Connector } from "../../ports/connector.ts";
import { createMemoryCredentials } from "../../ports/credentials.ts";

const ACCOUNTS = `${AUTH}/auth/accounts`;
const REMOVE = `${ACCOUNTS}/remove`;
const FROM_PAGE = { referer: `${AUTH}/`, "sec-fetch-dest": "document" };
const NONE = "No account is connected.";

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider([CALLBACK]);
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.person = "approve";
});

const setUp = (options: StageOptions = {}) => createPageStage(provider, options);

/** Ada connects her account on the page of a request. */
async function connect({ browser, url }: PageStage): Promise<void> {
  const consent = await browser.visit(url);
  await browser.follow(await browser.post(`${AUTH}/auth/connect/start`, hiddenFields(consent)));
}

const remove = (browser: Browser, page: Page, headers?: Record<string, string>) =>
  browser.post(REMOVE, hiddenFields(page), headers);

function sessionByCookie(request: Request): User | undefined {
  const id = /(?:^|; )session=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1];
  return id === undefined ? undefined : { id };
}

/** Sign-ins at a provider that does not support revocation. */
const withoutRevocation: typeof fetch = (input, init) =>
  new URL(new Request(input).url).pathname.includes("revocation")
    ? Promise.reject(new Error("down"))
    : fetch(input, init);

test("the user whose chat vouches sees their account and removes it, and the kit revokes its token", async () => {
  const s = await setUp();
  await connect(s);
  const stored = await s.credentials.get("tracker", "ada");
  await s.credentials.set("tracker", "ada", { ...stored!, account: "ada@tracker.example" });
  const token = stored?.refreshToken ?? "";
  expect(await provider.isActive(token)).toBe(true);

  const page = await s.browser.visit(ACCOUNTS);
  expect(page.text).toContain("<h1>Connected accounts</h1>");
  expect(page.text).toContain("<bdi>Tracker</bdi>");
  expect(page.text).toContain("<bdi>ada@tracker.example</bdi>");
  expect(page.text).toContain("Signed in as <b><bdi>Ada (ada)</bdi></b>");

  const removed = await remove(s.browser, page);
  expect([removed.status, removed.text.includes(NONE)]).toEqual([200, true]);
  expect(removed.text).toContain("Tracker is no longer connected");
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
  expect(await provider.isActive(token)).toBe(false);
  // A second click, in another tab that still shows the button. The user is still signed in.
  expect((await remove(s.browser, page)).text).toContain("Tracker is no longer connected");
  expect((await s.browser.visit(ACCOUNTS)).text).toContain(NONE);
  expect(s.errors).toEqual([]);
});

test("a user neither sees nor removes the account of another user", async () => {
  const s = await setUp();
  await s.credentials.set("tracker", "ada", { accessToken: "ada's", account: "ada@tracker.example" });
  const bob = s.newBrowser("bob");
  expect((await bob.visit(ACCOUNTS)).text).toContain(NONE);
  await s.credentials.set("tracker", "bob", { accessToken: "bob's", account: "bob@tracker.example" });
  const page = await bob.visit(ACCOUNTS);
  expect(page.text).toContain("bob@tracker.example");
  expect(page.text).not.toContain("ada@");
  const fields = { ...hiddenFields(page), user: "ada", userId: "ada", elicitationId: s.elicitationId };
  expect((await bob.post(REMOVE, fields)).text).toContain(NONE);
  expect(await s.credentials.get("tracker", "ada")).toBeDefined();
  expect(await s.credentials.get("tracker", "bob")).toBeUndefined();
});

test("a page that one user has opened cannot remove an account of another user who has signed in since", async () => {
  const s = await setUp({ page: { session: sessionByCookie } });
  for (const user of ["ada", "bob"]) await s.credentials.set("tracker", user, { accessToken: user });
  s.browser.setCookie(AUTH, "session", "ada");
  const page = await s.browser.get(ACCOUNTS);
  s.browser.setCookie(AUTH, "session", "bob");
  expect((await remove(s.browser, page)).status).toBe(403);
  for (const user of ["ada", "bob"]) expect(await s.credentials.get("tracker", user)).toBeDefined();
});

test.each<
  [string, (fields: Record<string, string>) => Record<string, string>, Record<string, string>, number]
>([
  ["a wrong token", (fields) => ({ ...fields, csrf: "x".repeat(43) }), {}, 403],
  ["no token", ({ account = "" }) => ({ account }), {}, 400],
  ["an unknown account", (fields) => ({ ...fields, account: "other" }), {}, 404],
  ["another site's form", (fields) => fields, { "sec-fetch-site": "cross-site" }, 403],
  ["a sibling subdomain's form", (fields) => fields, { "sec-fetch-site": "same-site" }, 403],
])("%s does not remove an account", async (_, change, headers, expected) => {
  const s = await setUp();
  await s.credentials.set("tracker", "ada", { accessToken: "token" });
  const fields = hiddenFields(await s.browser.visit(ACCOUNTS));
  expect((await s.browser.post(REMOVE, change(fields), headers)).status).toBe(expected);
  expect(await s.credentials.get("tracker", "ada")).toBeDefined();
});

test("when the chat vouches for one browser, another browser still sees no accounts", async () => {
  const s = await setUp();
  await s.credentials.set("tracker", "ada", { accessToken: "token" });
  const mallory = s.newBrowser();
  const toChat = nextOf(await mallory.get(ACCOUNTS, { "sec-fetch-dest": "document" })) ?? "";
  expect(toChat).toMatch(/\/run\/api\/accounts\/vouch\?challenge=[\w-]{43}$/);
  // Mallory makes Ada's browser open the page. The result is a link for Mallory's browser, but only Ada's browser has it.
  const back = nextOf(await s.browser.get(toChat)) ?? "";
  expect(back).toContain(`${ACCOUNTS}/vouched?ticket=`);
  expect((await s.browser.get(back, FROM_PAGE)).status).toBe(403);
  // Even with the link, Mallory's browser would have to come from the page.
  expect((await mallory.get(back, { "sec-fetch-dest": "document" })).status).toBe(403);
  expect((await mallory.get(ACCOUNTS)).text).not.toContain("Tracker");
});

test.each(["?challenge=short", "", `?challenge=${"x".repeat(43)}&user=ada`])(
  "the chat does not vouch for an HTTP request with the query %j",
  async (query) => {
    const s = await setUp();
    const headers = { cookie: "user=ada" };
    const visit = new Request(`${RUNTIME_URL}/api/accounts/vouch${query}`, { headers });
    expect((await s.runtime.fetch(visit)).status).toBe(400);
  },
);

test("a ticket for the page of a request does not open the page of accounts, and a ticket for that page does not open the request", async () => {
  const s = await setUp();
  const toChat = new URL(nextOf(await s.browser.get(s.url, { "sec-fetch-dest": "document" })) ?? "");
  const ofRequest = new URL(nextOf(await s.browser.get(toChat.href)) ?? "").searchParams.get("ticket");
  const used = await s.browser.get(`${ACCOUNTS}/vouched?ticket=${ofRequest}`, FROM_PAGE);
  expect(used.status).toBe(403);
  const challenge = nextOf(await s.browser.get(ACCOUNTS, { "sec-fetch-dest": "document" })) ?? "";
  const ofUser = new URL(nextOf(await s.browser.get(challenge)) ?? "").searchParams.get("ticket");
  const { elicitationId: id } = s;
  const other = await s.browser.get(`${AUTH}/auth/vouched?elicitationId=${id}&ticket=${ofUser}`, FROM_PAGE);
  expect(other.status).toBe(403);
});

test("without a session at the chat or on the page, a visitor sees no accounts", async () => {
  const s = await setUp();
  const refused = await s.newBrowser().visit(ACCOUNTS);
  expect([refused.status, refused.text.includes("You are not signed in to your chat")]).toEqual([403, true]);
  const apart = s.newPage({
    vouch: undefined,
    session: () => undefined,
    login: () => "https://login.example",
  });
  const asked = await s.newBrowser("ada", apart).visit(ACCOUNTS);
  expect(asked.status).toBe(403);
  expect(asked.text).toContain('href="https://login.example"');
});

test("a script cannot fetch a challenge, and a frame cannot load the page", async () => {
  const s = await setUp();
  for (const dest of ["empty", "iframe"]) {
    const page = await s.browser.get(ACCOUNTS, { "sec-fetch-dest": dest });
    expect([page.status, page.headers.has("refresh")]).toEqual([403, false]);
  }
});

test("after five minutes the page asks the chat again, and refuses a form that was opened before", async () => {
  const s = await setUp();
  await s.credentials.set("tracker", "ada", { accessToken: "token" });
  const page = await s.browser.visit(ACCOUNTS);
  s.runtime.clock.advance(5 * 60_000);
  const late = await remove(s.browser, page);
  expect([late.status, late.headers.get("location")]).toEqual([303, "/auth/accounts"]);
  expect(await s.credentials.get("tracker", "ada")).toBeDefined();
  const again = await s.browser.visit(ACCOUNTS);
  expect((await remove(s.browser, again)).text).toContain(NONE);
});

test("an account is removed when its provider cannot be reached, and the page says so", async () => {
  const s = await setUp({ page: { fetch: withoutRevocation } });
  await connect(s);
  const removed = await remove(s.browser, await s.browser.visit(ACCOUNTS));
  expect(removed.status).toBe(200);
  expect(removed.text).toContain("Tracker is no longer connected");
  expect(removed.text).toContain(
    "Tracker could not be reached. Remove the access in your account there, too.",
  );
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
  expect(s.errors).toHaveLength(1);
});

test("an account in a vault that fails is listed, and the page reports the failure", async () => {
  const vault: Connector = {
    service: "Vault",
    token: async () => ({ ok: false, reason: "unavailable" }),
    start: async () => ({ ok: false, reason: "unavailable" }),
    finish: async () => ({ ok: false, reason: "unavailable" }),
    revoke: async () => ({ ok: false, reason: "unavailable" }),
  };
  const s = await setUp({ page: { providers: { vault } } });
  await s.credentials.set("vault:vault", "ada", { accessToken: "reference" });
  const page = await s.browser.visit(ACCOUNTS);
  expect(page.text).toContain("<small>Cannot be checked at the moment</small>");
  const kept = await remove(s.browser, page);
  expect([kept.status, kept.text.includes("so the account is still connected")]).toEqual([502, true]);
  expect(await s.credentials.get("vault:vault", "ada")).toBeDefined();
  expect(s.errors).not.toEqual([]);
});

test("while the store of accounts cannot be read, each service is listed once", async () => {
  const credentials = createMemoryCredentials();
  const s = await setUp({
    page: { credentials: { ...credentials, get: () => Promise.reject(new Error("down")) } },
  });
  const { text } = await s.browser.visit(ACCOUNTS);
  expect(text.match(/Cannot be checked at the moment/g)).toHaveLength(1);
  expect(s.errors).toHaveLength(1);
});

test("the page shows the name that a vault gives an account as one short line", async () => {
  const account = `ada\n\u202E@vault.example${"x".repeat(3000)}`;
  const vault: Connector = {
    service: "Vault",
    token: async () => ({ ok: true, credential: { accessToken: "token", account } }),
    start: async () => ({ ok: false, reason: "unavailable" }),
    finish: async () => ({ ok: false, reason: "unavailable" }),
    revoke: async () => ({ ok: true }),
  };
  const s = await setUp({ page: { providers: { vault } } });
  await s.credentials.set("vault:vault", "ada", { accessToken: "reference" });
  const page = await s.browser.visit(ACCOUNTS);
  expect(/<bdi>(ada .*?)<\/bdi>/.exec(page.text)?.[1]).toBe(`ada @vault.example${"x".repeat(82)}`);
});

test("the page lists accounts at the user's own MCP servers by host or name, and removes them", async () => {
  const url = "https://mcp.wiki.example/mcp";
  const credentials = createMemoryCredentials();
  const binding = { serverUrl: url, issuer: "https://login.wiki.example", resource: url, clientId: "kit" };
  await credentials.set("wiki", "ada", { accessToken: "token", binding });
  const s = await setUp({
    page: {
      credentials,
      mcpSignIn: createMcpSignIn({
        origin: AUTH,
        client: { name: "Demo" },
        fetch: () => Promise.reject(new Error("down")),
      }),
      mcpServers: async ({ id }) =>
        id === "ada"
          ? [
              { name: "wiki", url },
              { name: "notes", url: "https://notes.example/mcp", service: "Notes" },
              // The URL as a user may type it.
              { name: "typo", url: "mcp.example" },
            ]
          : [],
    },
  });
  const page = await s.browser.visit(ACCOUNTS);
  expect(page.text).toContain("<bdi>mcp.wiki.example</bdi>");
  expect(page.text).not.toContain("Notes");
  const removed = await remove(s.browser, page);
  expect(removed.text).toContain("mcp.wiki.example is no longer connected");
  expect(await credentials.get("wiki", "ada")).toBeUndefined();
  const bob = s.newBrowser("bob");
  await credentials.set("wiki", "bob", { accessToken: "token", binding });
  expect((await bob.visit(ACCOUNTS)).text).toContain(NONE);
});

test("the page uses the language and theme of the chat, and removing an account counts towards the rate limit of forms", async () => {
  const s = await setUp({ page: { limits: { postsPerMinute: 1 } } });
  await s.credentials.set("tracker", "ada", { accessToken: "token" });
  const page = await s.browser.visit(`${ACCOUNTS}?lang=ar&theme=dark`);
  expect(page.text).toContain('<html lang="ar" dir="rtl" data-theme="dark">');
  const shown = contentOf(page)
    .replace(/^[^]*<main>/, "")
    .replaceAll(/<[^>]*>/g, " ");
  expect(shown.replaceAll(/Tracker|Ada|ada/g, "")).not.toMatch(/[a-z]{2,}/i);
  expect((await remove(s.browser, page)).status).toBe(200);
  const refused = await remove(s.browser, page);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
});

test("a user sees their remembered answers and removes them, and another user cannot", async () => {
  const s = await setUp();
  const remembered = s.runtime.elicitations.remembered;
  const now = Date.now();
  const answer = (key: string, city: string) => ({
    key,
    tool: { id: "weather", name: "weather" },
    message: "Where <b>to</b>?",
    content: { city },
    said: [["City", city]] as const,
    rememberedAt: now,
    expiresAt: Date.UTC(2100, 0, 31),
  });
  await s.remembered.put("ada", answer("k-1", "Lisbon"));
  await s.remembered.put("bob", answer("k-2", "Rome"));
  const page = await s.browser.visit(ACCOUNTS);
  expect(page.text).toContain("Remembered answers");
  expect(page.text).toContain("Where &lt;b&gt;to&lt;/b&gt;?");
  expect(page.text).toContain("<bdi>Lisbon</bdi> · until Jan 31, 2100");
  expect(page.text).not.toContain("Rome");
  const fields = hiddenFields(page);
  await s.browser.post(`${ACCOUNTS}/forget`, { ...fields, answer: "k-2" });
  expect(await remembered?.list("bob")).toHaveLength(1);
  const forged = await s.browser.post(`${ACCOUNTS}/forget`, { ...fields, csrf: "x" });
  expect(forged.status).toBe(403);
  const after = await s.browser.post(`${ACCOUNTS}/forget`, fields);
  expect([after.status, after.text.includes("Remembered answers")]).toEqual([200, false]);
  expect(await remembered?.list("ada")).toEqual([]);
});

test("the page shows since when an account is connected, in the language of the user", async () => {
  const s = await setUp();
  await connect(s);
  const { connectedAt } = (await s.credentials.get("tracker", "ada")) ?? {};
  expect(connectedAt).toBe(s.runtime.clock.now());
  expect((await s.browser.visit(ACCOUNTS)).text).toContain("Connected since Nov 20, 2026");
  const german = await s.browser.visit(ACCOUNTS, { headers: { "accept-language": "de" } });
  expect(german.text).toContain("Verbunden seit dem 20.11.2026");
  await s.credentials.set("tracker", "ada", {
    accessToken: "token",
    account: "ada@tracker.example",
    connectedAt,
  });
  expect((await s.browser.visit(ACCOUNTS)).text).toContain(
    "<bdi>ada@tracker.example</bdi><br />Connected since Nov 20, 2026",
  );
});

test("the page shows no date for an account that an earlier version has stored", async () => {
  const s = await setUp();
  await s.credentials.set("tracker", "ada", { accessToken: "token", account: "ada@tracker.example" });
  const page = await s.browser.visit(ACCOUNTS);
  expect(page.text).toContain("<small><bdi>ada@tracker.example</bdi></small>");
  expect(page.text).not.toContain("since");
});

test("after “Not you?” the accounts page forgets the user, and asks the chat again who it is", async () => {
  const s = await setUp();
  await s.credentials.set("tracker", "ada", { accessToken: "token" });
  const page = await s.browser.visit(ACCOUNTS);
  const { csrf = "" } = hiddenFields(page);
  const notYou = (fields: Record<string, string>, headers?: Record<string, string>) =>
    s.browser.post(`${ACCOUNTS}/not-you`, fields, headers);
  expect((await notYou({ csrf }, { "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect((await notYou({ csrf: "x" })).status).toBe(403);
  expect(page.text).toMatch(/action="\/auth\/accounts\/not-you".*?Not you\?/s);
  const forgotten = await notYou({ csrf });
  expect(forgotten.text).toContain("This page has forgotten who you are.");
  expect(nextOf(await s.browser.get(ACCOUNTS, { "sec-fetch-dest": "document" }))).toContain(
    "/accounts/vouch",
  );
  expect(await s.credentials.get("tracker", "ada")).toBeDefined();
});
