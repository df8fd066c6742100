import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { contentOf, hiddenFields } from "../../../test/stages/browser.ts";
import { RESOURCE, type TestProvider, startTestProvider } from "../../../test/stages/oidc-provider.ts";
import { AUTH, CALLBACK, createPageStage } from "../../../test/stages/page-stage.ts";
import type { OAuthProvider } from "../oauth/oauth-provider.ts";

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider([CALLBACK]);
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.person = "approve";
});

function setUp(more: Partial<OAuthProvider> = {}) {
  const { issuer, clientId } = provider;
  const tracker = { service: "Tracker", issuer, clientId, scopes: ["issues:write"], resource: RESOURCE };
  return createPageStage(provider, { page: { providers: { tracker: { ...tracker, ...more } } } });
}

async function visit(more: Partial<OAuthProvider> = {}) {
  const { browser, url } = await setUp(more);
  return browser.visit(url);
}

test("a page in another language contains no English words", async () => {
  const s = await setUp({
    scopes: ["issues:write"],
    scopeWords: { "issues:write": { en: "Create issues", ja: "課題の作成" } },
  });
  const headers = { "accept-language": "ja,en;q=0.5", "sec-fetch-dest": "document" };
  const text = contentOf(await s.browser.visit(s.url, { headers }));
  expect(text).toContain('<html lang="ja" dir="ltr">');
  expect(text).toContain("<h1>Tracker を接続する</h1>");
  const shown = text.slice(text.indexOf("<main>")).replaceAll(/<[^>]*>/g, " ");
  const host = new URL(provider.issuer).host;
  for (const name of ["Tracker", "Demo", "Ada (ada)", "chat.example.com", host])
    expect(shown).toContain(name);
  // The reason is in the language in which the user was asked, and the raw rights are names.
  const words = shown.replaceAll(
    /To continue, Demo needs your Tracker account\.|issues:write|Tracker|Create issue|Demo|Ada|ada|chat\.example\.com/g,
    "",
  );
  expect(words).not.toMatch(/[a-z]{2,}/i);
  expect(words).toContain("課題の作成");
});

test("the page says why it is asked, the raw rights, how long it is open, and where to take it back", async () => {
  const page = contentOf(await visit({ scopes: ["issues:write", "offline_access"] }));
  expect(page).toContain("To continue, Demo needs your Tracker account.");
  expect(page).toContain("<code>issues:write offline_access</code>");
  expect(page).toContain("in 10 minutes");
  expect(page).toContain('href="/auth/accounts"');
  expect(page).toContain('data-ends-in-ms="600000"');
});

test("only a window that the chat has opened says that the chat goes on by itself", async () => {
  const s = await setUp();
  const page = await s.browser.visit(s.url);
  await s.browser.post(`${AUTH}/auth/connect/decline`, hiddenFields(page));
  const declined = contentOf(await s.browser.visit(s.url));
  expect(declined).not.toContain("goes-on");
  expect(declined).toContain('class="button primary" data-back');
});

test("a reason why connecting failed is in the language of the page", async () => {
  const s = await setUp();
  const headers = { "accept-language": "de", "sec-fetch-dest": "document" };
  const consent = await s.browser.visit(s.url, { headers });
  provider.person = "deny";
  const left = await s.browser.post(`${AUTH}/auth/connect/start`, hiddenFields(consent), headers);
  const back = await s.browser.visit(new URL(left.headers.get("location") ?? "").href, { headers });
  expect(back.text).toContain("Sie haben bei Tracker abgebrochen.");
  expect(back.text).toContain("Es wurde nichts verbunden.");
});

test("each scope is shown once, with the operator's text or unchanged", async () => {
  const s = await setUp({
    scopes: ["read", "write", "admin", "toString"],
    scopeWords: { read: "Use your issues", write: { en: "Use your issues", de: "Aufgaben nutzen" } },
  });
  const { text } = await s.browser.visit(s.url);
  expect(text).toContain("<dt>Can</dt>");
  expect(text.match(/<span>Use your issues<\/span>/g)).toHaveLength(1);
  for (const scope of ["admin", "toString"]) expect(text).toContain(`<span><code>${scope}</code></span>`);
});

test("the page names the host where the user types the password", async () => {
  const host = new URL(provider.issuer).host;
  const { text } = await visit();
  expect(text).toContain(`You type your password only at <b><bdi>${host}</bdi></b>.`);
  expect(text).toMatch(/Continue to Tracker\s/);
});

test("the page says in words that access stays connected, and that the agent cannot see the password", async () => {
  const { text } = await visit({ scopes: ["issues:write", "offline_access"] });
  const rights = text.slice(text.indexOf('class="rights"'), text.indexOf('class="where"'));
  expect(rights).toContain("Stay connected until you remove it");
  expect(rights).not.toContain("offline_access");
  expect(rights.slice(rights.indexOf("<dt>Cannot</dt>"))).toContain("See your password");
});

test("the page has the language and theme of the chat, also after the chat has vouched and on later pages", async () => {
  const s = await setUp();
  const headers = { "accept-language": "de", "sec-fetch-dest": "document" };
  const first = await s.browser.get(`${s.url}&lang=ja&theme=dark`, headers);
  expect(first.text).toContain('<html lang="ja" dir="ltr" data-theme="dark">');
  const next = await s.browser.visit(s.url, { headers });
  expect(next.text).toContain('<html lang="ja" dir="ltr" data-theme="dark">');
  expect(next.text).toContain("<h1>Tracker を接続する</h1>");
});

test.each(["lang=%22%3E%3Cb%3E", "theme=blue", "lang=de.dark", "lang=xx&theme=%00"])(
  "a link with %s is shown with the settings of the browser",
  async (query) => {
    const s = await setUp();
    const { text, headers } = await s.browser.get(`${s.url}&${query}`, { "accept-language": "fr" });
    expect(text).toContain('<html lang="fr" dir="ltr">');
    expect(headers.getSetCookie().join()).not.toContain("elicit-look");
  },
);
