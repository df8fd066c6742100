/** Tests in which a user connects a second account of one service, at a real authorization server. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { hiddenFields } from "../../../test/stages/browser.ts";
import { RESOURCE, type TestProvider, startTestProvider } from "../../../test/stages/oidc-provider.ts";
import {
  AUTH,
  CALLBACK,
  type PageStage,
  createPageStage,
  stopDuringExchange,
} from "../../../test/stages/page-stage.ts";
import { CONNECT } from "../../../test/stages/test-runtime.ts";
import { type Credential, type CredentialStore, createMemoryCredentials } from "../ports/credentials.ts";
import { createHostedPage, withConnectors } from "../index.ts";
import type { OAuthProvider } from "../oauth/oauth-provider.ts";

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider([CALLBACK]);
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.account = "home";
});

const tracker = (more: Partial<OAuthProvider> = {}): OAuthProvider => ({
  service: "Tracker",
  issuer: provider.issuer,
  clientId: provider.clientId,
  scopes: ["issues:write"],
  resource: RESOURCE,
  accountName: async ({ accessToken }) => provider.accountOf(accessToken),
  ...more,
});

/** Ada has connected the account `home`, and is asked for another one. */
async function setUp(
  more?: Partial<OAuthProvider>,
  credentials?: CredentialStore,
  fetch?: typeof globalThis.fetch,
) {
  const another = {
    ...CONNECT,
    tool: { id: "tracker/2", name: "tracker_create_issue" },
    signIn: { url: "https://tracker.example.com/mcp", service: "Tracker", another: true as const },
  };
  const s = await createPageStage(provider, {
    page: { providers: { tracker: tracker(more) }, ...(credentials && { credentials }), fetch },
    runtime: {
      async *runTurn(turn): AsyncGenerator<never> {
        await turn.ask(CONNECT);
        await turn.ask(another);
        yield* [];
      },
    },
  });
  const connect = async (url: string) => {
    const consent = await s.browser.visit(url);
    const page = await s.browser.follow(
      await s.browser.post(`${AUTH}/auth/connect/start`, hiddenFields(consent)),
    );
    // The provider ends the session of the first account with a form that its script submits.
    const [, action] = /action="([^"]*session\/end\/confirm)"/.exec(page.text) ?? [];
    if (action === undefined) return page;
    return s.browser.follow(await s.browser.post(action, { ...hiddenFields(page), logout: "yes" }));
  };
  await connect(s.url);
  const { elicitationId } = await s.stream.request();
  return {
    ...s,
    connect: () => connect(`${AUTH}/auth/connect?elicitationId=${elicitationId}`),
    accountAt: async (id: string) => (await s.credentials.get(id, "ada"))?.account,
  };
}

const promptOf = () =>
  provider.requests.findLast(({ path }) => path === "/auth")?.parameters.get("prompt") ?? undefined;

test("the provider asks the user for the account again, and both accounts are connected", async () => {
  const s = await setUp();
  expect(promptOf()).toBeUndefined();
  provider.account = "work";
  const ended = await s.connect();
  expect(ended.text).toContain("<h1>Tracker is connected</h1>");
  expect(promptOf()).toBe("login");
  expect([await s.accountAt("tracker"), await s.accountAt("tracker/2")]).toEqual(["home", "work"]);
});

test("the page of accounts lists both accounts, and can remove one of them", async () => {
  const s = await setUp();
  provider.account = "work";
  await s.connect();
  const page = await s.browser.visit(`${AUTH}/auth/accounts`);
  expect([...page.text.matchAll(/<small><bdi>(\w+)<\/bdi>/g)].map(([, name]) => name)).toEqual([
    "home",
    "work",
  ]);
  const token = (await s.credentials.get("tracker/2", "ada"))?.refreshToken ?? "";
  const fields = { ...hiddenFields(page), account: "tracker/2" };
  const after = await s.browser.post(`${AUTH}/auth/accounts/remove`, fields);
  expect(after.text).toContain("Tracker is no longer connected");
  expect([await s.accountAt("tracker"), await s.accountAt("tracker/2")]).toEqual(["home", undefined]);
  expect(await provider.isActive(token)).toBe(false);
});

test("a user who connects the same account twice has it once, with a valid token", async () => {
  const s = await setUp();
  await s.connect();
  expect([await s.accountAt("tracker"), await s.accountAt("tracker/2")]).toEqual([undefined, "home"]);
  const { refreshToken = "" } = (await s.credentials.get("tracker/2", "ada")) ?? {};
  expect(await provider.isActive(refreshToken)).toBe(true);
});

/** Ada's chat is stopped while the page exchanges her next code. Returns the refresh token that it gets for it. */
async function connectWithdrawn(account: string, scopes: string[]) {
  let hasHome = false;
  const exchange = stopDuringExchange(
    () => s,
    () => hasHome,
  );
  const s: Awaited<ReturnType<typeof setUp>> = await setUp({ scopes }, undefined, exchange.fetch);
  hasHome = true;
  provider.account = account;
  const ended = await s.connect();
  expect(ended.text).toContain("This request was withdrawn");
  expect([await s.accountAt("tracker"), await s.accountAt("tracker/2")]).toEqual(["home", undefined]);
  expect(exchange.granted).not.toBe("");
  return exchange.granted;
}

test("when the request for another account is withdrawn and the user chose the one they have, no token is revoked, because some providers would revoke its tokens, too", async () => {
  expect(await provider.isActive(await connectWithdrawn("home", ["issues:write"]))).toBe(true);
  expect(await provider.isActive(await connectWithdrawn("home", ["openid", "issues:write"]))).toBe(true);
});

test("when the request for another account is withdrawn and the provider says that it is another one, its token is revoked", async () => {
  expect(await provider.isActive(await connectWithdrawn("work", ["openid", "issues:write"]))).toBe(false);
});

test.each<[string, Partial<Credential>, string[]]>([
  ["an unknown account", {}, ["issues:write"]],
  ["an unknown account, and the provider names the new one,", {}, ["openid", "issues:write"]],
  ["an account, and the provider does not name the new one,", { accountId: "home" }, ["issues:write"]],
])(
  "when the request of a provider is withdrawn and the user has %s at another provider of the same client, no token is revoked",
  async (_, stored, scopes) => {
    const wiki = { ...CONNECT, tool: { id: "wiki", name: "wiki_search" } };
    const exchange = stopDuringExchange(() => s);
    const s: PageStage = await createPageStage(provider, {
      page: {
        // Two spellings of one issuer.
        providers: { tracker: tracker(), wiki: tracker({ issuer: `${provider.issuer}/`, scopes }) },
        fetch: exchange.fetch,
      },
      runtime: {
        async *runTurn(turn): AsyncGenerator<never> {
          await turn.ask(wiki);
          yield* [];
        },
      },
    });
    await s.credentials.set("tracker", "ada", { accessToken: "tracker-token", ...stored });
    const consent = await s.browser.visit(s.url);
    const ended = await s.browser.follow(
      await s.browser.post(`${AUTH}/auth/connect/start`, hiddenFields(consent)),
    );
    expect(ended.text).toContain("This request was withdrawn");
    expect(await provider.isActive(exchange.granted)).toBe(true);
  },
);

test("two accounts to which the provider gives one name are both connected", async () => {
  const s = await setUp({ scopes: ["openid", "issues:write"], accountName: async () => "Ada Lovelace" });
  provider.account = "work";
  await s.connect();
  const both = ["Ada Lovelace", "Ada Lovelace"];
  expect([await s.accountAt("tracker"), await s.accountAt("tracker/2")]).toEqual(both);
});

test("an account whose name has changed is the same account", async () => {
  let name = "ada@old.example";
  const s = await setUp({ scopes: ["openid", "issues:write"], accountName: async () => name });
  name = "ada@new.example";
  await s.connect();
  expect([await s.accountAt("tracker"), await s.accountAt("tracker/2")]).toEqual([undefined, name]);
});

test("a provider that does not support prompt=login gets the prompt that the operator has configured", async () => {
  const s = await setUp({ accountPrompt: "select_account" });
  await s.connect();
  expect(promptOf()).toBe("select_account");
});

test("a provider gets the parameters that the operator has configured, and asks for account and consent together", async () => {
  const s = await setUp({ authorizationParams: { access_type: "offline", prompt: "consent" } });
  const accessTypes = () =>
    provider.requests
      .filter(({ path }) => path === "/auth")
      .map(({ parameters }) => parameters.get("access_type"));
  expect([accessTypes().at(-1), promptOf()]).toEqual(["offline", "consent"]);
  provider.account = "work";
  await s.connect();
  expect([accessTypes().at(-1), promptOf()]).toEqual(["offline", "login consent"]);
  expect([await s.accountAt("tracker"), await s.accountAt("tracker/2")]).toEqual(["home", "work"]);
});

test("a second account can be connected while the first one cannot be read", async () => {
  const stored = createMemoryCredentials();
  let isBroken = false;
  const get: typeof stored.get = (toolId, userId) =>
    isBroken && toolId === "tracker" ? Promise.reject(new Error("down")) : stored.get(toolId, userId);
  const s = await setUp({}, { ...stored, get });
  provider.account = "work";
  isBroken = true;
  const ended = await s.connect();
  expect(ended.text).toContain("<h1>Tracker is connected</h1>");
  const { refreshToken = "" } = (await stored.get("tracker/2", "ada")) ?? {};
  expect(await provider.isActive(refreshToken)).toBe(true);
});

test("connecting another account refreshes no token of the accounts that the user has", async () => {
  const stored = createMemoryCredentials();
  const s = await setUp({}, withConnectors(stored, { providers: { tracker: tracker() } }));
  const before = { ...(await stored.get("tracker", "ada"))!, expiresAt: 1 };
  await stored.set("tracker", "ada", before);
  provider.account = "work";
  await s.connect();
  const { account } = (await stored.get("tracker/2", "ada")) ?? {};
  expect([account, await stored.get("tracker", "ada")]).toEqual(["work", before]);
});

test("withConnectors revokes the token of one account of a user, and keeps the other", async () => {
  const s = await setUp();
  provider.account = "work";
  await s.connect();
  const { refreshToken = "" } = (await s.credentials.get("tracker/2", "ada")) ?? {};
  const store = withConnectors(s.credentials, { providers: { tracker: tracker() } });
  expect(await store.revoke?.("tracker/2", "ada")).toEqual({ isRevoked: true });
  expect(await provider.isActive(refreshToken)).toBe(false);
  expect([await s.accountAt("tracker"), await s.accountAt("tracker/2")]).toEqual(["home", undefined]);
});

test("a provider whose name is that of a second account of another provider is refused", () => {
  const make = () =>
    createHostedPage({
      origin: AUTH,
      session: () => undefined,
      elicitations: undefined!,
      credentials: createMemoryCredentials(),
      providers: { tracker: tracker(), "tracker/2": tracker() },
      onError: () => {},
    });
  expect(make).toThrow('a user\'s further accounts at "tracker" have the name of the provider "tracker/2"');
});
