/** Tests in which a user connects another account in two chats at once. Both chats were to get the same place. */
import { Nango } from "@nangohq/node";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createDeferred } from "../../base/deadlines.ts";
import { readNangoFrontend } from "../../node/index.ts";
import { type Page, hiddenFields } from "../../../test/stages/browser.ts";
import { startMockNango } from "../../../test/stages/mock-nango.ts";
import { RESOURCE, type TestProvider, startTestProvider } from "../../../test/stages/oidc-provider.ts";
import { AUTH, CALLBACK, createPageStage, linkTo } from "../../../test/stages/page-stage.ts";
import { playOwnVault } from "../../../test/stages/played-vaults.ts";
import { CONNECT, asking } from "../../../test/stages/test-runtime.ts";
import { createMemoryCredentials } from "../ports/credentials.ts";
import { withConnectors } from "../index.ts";
import type { HostedPageOptions } from "./hosted-page.ts";

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider([CALLBACK]);
});
afterAll(() => provider.close());

const ANOTHER = {
  ...CONNECT,
  tool: { id: "tracker/2", name: "tracker_create_issue", isNew: true as const },
  signIn: { url: "https://tracker.example.com/mcp", service: "Tracker", another: true as const },
};

/** Ada's agent asks for another account in two chats. */
async function setUp(
  providers: NonNullable<HostedPageOptions["providers"]>,
  page: Partial<HostedPageOptions> = {},
) {
  const store = createMemoryCredentials();
  const s = await createPageStage(provider, {
    page: { providers, credentials: store, ...page },
    runtime: { runTurn: asking(ANOTHER) },
  });
  const other = await s.ada.send("c2");
  const ids = [s.elicitationId, (await other.request()).elicitationId] as const;
  // A page that was opened before the other chat had an account shows none.
  const browsers = ids.map(() => s.newBrowser("ada"));
  const pages = await Promise.all(ids.map((id, index) => browsers[index]!.visit(linkTo(id))));
  return {
    errors: s.errors,
    credentials: withConnectors(store, { providers, clock: s.runtime.clock }),
    tabs: ids.map((id, index) => ({ id, browser: browsers[index]!, page: pages[index]! })),
    outcomes: async () => Promise.all(ids.map(async (id) => (await s.runtime.elicitations.get(id))?.status)),
  };
}

type Tab = Awaited<ReturnType<typeof setUp>>["tabs"][number];

const start = ({ browser, page }: Tab): Promise<Page> =>
  browser.post(`${AUTH}/auth/connect/start`, hiddenFields(page));

/** Ada signs in at the provider as one account in each chat, one after the other. */
async function signInAs(accounts: readonly string[], scopes = ["openid", "issues:write"]) {
  const tokens: string[] = [];
  const s = await setUp({
    tracker: {
      service: "Tracker",
      issuer: provider.issuer,
      clientId: provider.clientId,
      scopes,
      resource: RESOURCE,
      accountName: async ({ accessToken }) => {
        tokens.push(accessToken);
        return provider.accountOf(accessToken);
      },
    },
  });
  for (const [index, account] of accounts.entries()) {
    provider.account = account;
    await s.tabs[index]!.browser.follow(await start(s.tabs[index]!));
  }
  return { ...s, tokens };
}

test("with OAuth, the first account stays, and the second one is revoked", async () => {
  const { tokens, credentials, errors, outcomes } = await signInAs(["carol", "bob"]);
  expect(await outcomes()).toEqual(["accepted", "failed"]);
  const stored = await credentials.get("tracker/2", "ada");
  expect([stored?.account, stored?.accessToken]).toEqual(["carol", tokens[0]]);
  expect(await Promise.all(tokens.map((token) => provider.isActive(token)))).toEqual([true, false]);
  expect(errors.map(String)).toEqual([expect.stringContaining('as "tracker/2" at the same time')]);
});

test("the same account may be connected in both chats, because each acts as it", async () => {
  const { tokens, credentials, errors, outcomes } = await signInAs(["carol", "carol"]);
  expect(await outcomes()).toEqual(["accepted", "accepted"]);
  expect(await credentials.get("tracker/2", "ada")).toMatchObject({
    account: "carol",
    accessToken: tokens[1],
  });
  expect(await provider.isActive(tokens[1] ?? "")).toBe(true);
  expect(errors).toEqual([]);
});

test("at a provider that names accounts without ids, the name tells them apart", async () => {
  const one = await signInAs(["carol", "carol"], ["issues:write"]);
  expect(await one.outcomes()).toEqual(["accepted", "accepted"]);
  const other = await signInAs(["carol", "bob"], ["issues:write"]);
  expect(await other.outcomes()).toEqual(["accepted", "failed"]);
});

test("the same API key may be typed in both chats", async () => {
  const { tabs, errors, outcomes } = await setUp({
    tracker: { service: "Tracker", apiKey: { check: async () => true } },
  });
  for (const { browser, page } of tabs) {
    await browser.post(`${AUTH}/auth/connect/key`, { ...hiddenFields(page), key: "key" });
  }
  expect(await outcomes()).toEqual(["accepted", "accepted"]);
  expect(errors).toEqual([]);
});

test("with API keys, the first key stays", async () => {
  const { tabs, credentials, outcomes } = await setUp({
    tracker: { service: "Tracker", apiKey: { check: async (key) => ({ account: key }) } },
  });
  for (const [index, key] of ["carol", "bob"].entries()) {
    const { browser, page } = tabs[index]!;
    await browser.post(`${AUTH}/auth/connect/key`, { ...hiddenFields(page), key });
  }
  expect(await outcomes()).toEqual(["accepted", "failed"]);
  expect(await credentials.get("tracker/2", "ada")).toMatchObject({ accessToken: "carol" });
});

test("of two keys that are typed at the same moment, only one is stored", async () => {
  const checked = createDeferred<true>();
  let left = 2;
  const check = () => {
    left -= 1;
    if (left === 0) checked.resolve(true);
    return checked.promise;
  };
  const providers = { tracker: { service: "Tracker", apiKey: { check } } };
  const stored = withConnectors(createMemoryCredentials(), { providers });
  const { tabs, outcomes } = await setUp(providers, { credentials: stored });
  await Promise.all(
    tabs.map(({ id, browser, page }) =>
      browser.post(`${AUTH}/auth/connect/key`, { ...hiddenFields(page), key: id }),
    ),
  );
  expect(new Set(await outcomes())).toEqual(new Set(["accepted", "failed"]));
});

test("with a vault, the first account stays, and the second one is removed", async () => {
  const vault = playOwnVault();
  vi.stubGlobal("fetch", (...request: Parameters<typeof fetch>) => vault.answer(new Request(...request)));
  onTestFinished(() => void vi.unstubAllGlobals());
  const { tabs, credentials, outcomes } = await setUp({ tracker: vault.connector });
  for (const [index, token] of ["token-of-carol", "token-of-bob"].entries()) {
    const left = await start(tabs[index]!);
    const back = vault.approve(left.headers.get("location") ?? "", token);
    await tabs[index]!.browser.follow(await tabs[index]!.browser.get(back));
  }
  expect(await outcomes()).toEqual(["accepted", "failed"]);
  expect(await credentials.get("tracker/2", "ada")).toMatchObject({ accessToken: "token-of-carol" });
});

test("with Nango, the first connection stays, and the second one is removed", async () => {
  const mock = await startMockNango();
  onTestFinished(() => mock.close());
  const nango = new Nango({ host: mock.url, apiKey: mock.apiKey, webhookSigningKey: mock.signingKey });
  const providers = { tracker: { service: "Tracker", integration: "linear", nango } };
  const { tabs, credentials, outcomes } = await setUp(providers, {
    nangoFrontend: await readNangoFrontend(),
  });
  const made = [];
  for (const { id, browser, page } of tabs) {
    const connection = mock.connect({ elicitation_id: id, end_user_id: "ada" });
    made.push(connection);
    const fields = { ...hiddenFields(page), connectionId: connection.connection_id };
    expect((await browser.post(`${AUTH}/auth/connect/nango/complete`, fields)).status).toBe(200);
  }
  expect(await outcomes()).toEqual(["accepted", "failed"]);
  expect((await credentials.get("tracker/2", "ada"))?.accessToken).toBe(made[0]?.credentials.access_token);
  expect(mock.connections.map(({ connection_id }) => connection_id)).toEqual([made[0]?.connection_id]);
});
