/** The page of accounts, for accounts whose access token has expired. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { hiddenFields } from "../../../../test/stages/browser.ts";
import { RESOURCE, type TestProvider, startTestProvider } from "../../../../test/stages/oidc-provider.ts";
import { AUTH, CALLBACK, createPageStage } from "../../../../test/stages/page-stage.ts";
import { createManualClock } from "../../../base/testing/manual-clock.ts";
import { type CredentialStore, withConnectors } from "../../index.ts";
import { createMemoryCredentials } from "../../ports/credentials.ts";

const ACCOUNTS = `${AUTH}/auth/accounts`;

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider([CALLBACK]);
});
afterAll(() => provider.close());

/** Ada has connected Tracker, and a year later her token has expired. `token`: what the token endpoint then answers. */
async function setUp(token: () => Response, inner: CredentialStore = createMemoryCredentials()) {
  const { issuer, clientId } = provider;
  const providers = {
    tracker: { service: "Tracker", issuer, clientId, scopes: ["issues:write"], resource: RESOURCE },
  };
  const withoutRefresh: typeof fetch = async (input, init) => {
    const { pathname } = new URL(new Request(input).url);
    return pathname === "/token" ? token() : fetch(input, init);
  };
  const clock = createManualClock(Date.now() + 365 * 86_400_000);
  const credentials = withConnectors(inner, { providers, clock, fetch: withoutRefresh });
  const s = await createPageStage(provider, { page: { credentials, providers } });
  const consent = await s.browser.visit(s.url);
  await s.browser.follow(await s.browser.post(`${AUTH}/auth/connect/start`, hiddenFields(consent)));
  const refreshToken = (await inner.get("tracker", "ada"))?.refreshToken ?? "";
  expect(await provider.isActive(refreshToken)).toBe(true);
  const press = async () =>
    s.browser.post(`${ACCOUNTS}/remove`, hiddenFields(await s.browser.visit(ACCOUNTS)));
  return { ...s, inner, refreshToken, press };
}

const down = () => new Response("down", { status: 503 });
const refused = () => Response.json({ error: "invalid_scope" }, { status: 400 });

test.each([
  ["is down", down],
  ["refuses", refused],
])("an account whose token has expired is removed and revoked while its refresh %s", async (_, token) => {
  const s = await setUp(token);
  const removed = await s.press();
  expect(removed.text).toContain("Tracker is no longer connected");
  expect(removed.text).not.toContain("Tracker could not be reached");
  expect(await s.inner.get("tracker", "ada")).toBeUndefined();
  expect(await provider.isActive(s.refreshToken)).toBe(false);
});

test("an account whose tokens cannot be read is removed, and the page says that they were not revoked", async () => {
  let isAway = false;
  const inner = createMemoryCredentials();
  const s = await setUp(down, {
    ...inner,
    get: async (...account) => (isAway ? Promise.reject(new Error("away")) : inner.get(...account)),
  });
  isAway = true;
  expect((await s.press()).text).toContain("Tracker could not be reached");
  isAway = false;
  expect(await inner.get("tracker", "ada")).toBeUndefined();
});
