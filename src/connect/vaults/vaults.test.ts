import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createBrowser, hiddenFields } from "../../../test/stages/browser.ts";
import { CHAT_ORIGIN, createChatClient } from "../../../test/stages/chat-client.ts";
import {
  type PlayedVault,
  playAuth0,
  playComposio,
  playOwnVault,
  playVercelConnect,
} from "../../../test/stages/played-vaults.ts";
import { CONNECT, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { createMemoryCredentials } from "../ports/credentials.ts";
import { createMemoryTransactions } from "../ports/transactions.ts";
import { createManualClock } from "../../base/testing/manual-clock.ts";
import { createVaultAccounts } from "../vault-accounts.ts";
import { createHostedPage, withConnectors } from "../index.ts";

const AUTH = "https://auth.example.com";
const RETURN = `${AUTH}/auth/connect/return`;

afterEach(() => vi.unstubAllGlobals());

async function setUp(playVault: () => PlayedVault, question = CONNECT) {
  let isDown = false;
  let beforeReply: (() => Promise<unknown>) | undefined;
  // The packages of the vendors accept no other `fetch`.
  vi.stubGlobal("fetch", async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    if (isDown || new URL(request.url).origin !== vault.origin) throw new TypeError("fetch failed: hunter2");
    const reply = await vault.answer(request);
    const run = beforeReply;
    beforeReply = undefined;
    await run?.();
    return reply;
  });
  const vault = playVault();
  const providers = { tracker: vault.connector };
  const store = createMemoryCredentials();
  const credentials = withConnectors(store, { providers });
  const runtime = createTestRuntime(asking(question), { hostedPage: { origin: AUTH } });
  const errors: unknown[] = [];
  const taken = new Map<number, () => Promise<unknown>>();
  let takes = 0;
  const transactions = createMemoryTransactions({ clock: runtime.clock });
  const page = createHostedPage({
    origin: AUTH,
    vouch: { url: `${CHAT_ORIGIN}/run` },
    elicitations: runtime.elicitations,
    credentials,
    providers,
    transactions: {
      ...transactions,
      async take(state) {
        const found = await transactions.take(state);
        if (found !== undefined) {
          takes += 1;
          await taken.get(takes)?.();
        }
        return found;
      },
    },
    clock: runtime.clock,
    onError: (error) => errors.push(error),
  });
  function newBrowser(user: string) {
    const browser = createBrowser({ [AUTH]: page.fetch, [CHAT_ORIGIN]: runtime.fetch });
    browser.setCookie(CHAT_ORIGIN, "user", user);
    return browser;
  }
  const browser = newBrowser("ada");
  const ada = createChatClient(runtime.fetch, { user: "ada" });

  /** Ada's agent asks, and she presses Continue. Returns the URL to which the browser is redirected. */
  async function leave(conversation = "c1") {
    const stream = await ada.send(conversation);
    const { elicitationId } = await stream.request();
    const url = `${AUTH}/auth/connect?elicitationId=${elicitationId}`;
    const consent = await browser.visit(url);
    expect(consent.text).toContain("<h1>Connect Tracker</h1>");
    const left = await browser.post(`${AUTH}/auth/connect/start`, hiddenFields(consent));
    const status = async () => (await runtime.elicitations.get(elicitationId))?.status;
    return { url, stream, status, location: left.headers.get("location") ?? "" };
  }
  async function connect(token: string, conversation?: string) {
    const trip = await leave(conversation);
    const ended = await browser.follow(await browser.get(vault.approve(trip.location, token)));
    return { ...trip, ended };
  }
  const read = () => credentials.get("tracker", "ada");
  return {
    vault,
    store,
    credentials,
    errors,
    browser,
    newBrowser,
    stop: (conversation: string) => ada.fetch(`/run/api/chat/${conversation}/stop`, { method: "POST" }),
    leave,
    connect,
    read,
    fall: () => {
      isDown = true;
    },
    /** Runs when the page has taken this many entries from its store of sign-ins, before it continues. */
    afterTake: (count: number, run: () => Promise<unknown>) => taken.set(count, run),
    /** Runs once, when the vault has made its next reply and before that reply arrives. */
    beforeNextReply(run: () => Promise<unknown>) {
      beforeReply = run;
    },
  };
}

const VAULTS: readonly (readonly [string, () => PlayedVault])[] = [
  ["Vercel Connect", playVercelConnect],
  ["Composio", playComposio],
  ["Auth0 Token Vault", playAuth0],
  ["a vault of one's own", playOwnVault],
];

// The order of two returns is a matter of the page, whatever the vault.
test.each([1, 2, 3])(
  "an account is taken from the sender also when the receiver returns while the page has taken entry %i of its sign-ins",
  async (count) => {
    const s = await setUp(playOwnVault);
    const { location } = await s.leave();
    const back = s.vault.approve(location, "token-of-bob");
    s.afterTake(count, () => s.newBrowser("bob").get(back));
    await s.browser.follow(await s.browser.get(back));
    await s.browser.follow(await s.browser.get(back));
    expect(await s.read()).toBeUndefined();
    expect(s.errors.map(String)).toEqual([expect.stringContaining("the link may have been forwarded")]);
  },
);

describe.each(VAULTS)("%s", (_, playVault) => {
  test("the user connects in the vault, the turn continues, and its tool gets the token", async () => {
    const s = await setUp(playVault);
    expect(await s.read()).toBeUndefined();
    const { ended, status, stream } = await s.connect("token-of-ada");
    expect(ended.text).toContain("Tracker is connected");
    expect(await status()).toBe("accepted");
    await stream.done;
    const connectedAt = Date.parse("2026-11-20T12:00:00Z");
    expect(await s.read()).toMatchObject({ accessToken: "token-of-ada", connectedAt });
    expect(await s.credentials.get("tracker", "bob")).toBeUndefined();
    const { text } = await s.browser.visit(`${AUTH}/auth/accounts`);
    expect(text).toContain("Connected since Nov 20, 2026");
    expect(s.errors).toEqual([]);
  });

  test("an account that another user connects with a forwarded link is not used", async () => {
    const s = await setUp(playVault);
    const { location, status } = await s.leave();
    const back = s.vault.approve(location, "token-of-bob");
    expect(back.startsWith(RETURN)).toBe(true);
    const bob = s.newBrowser("bob");
    expect((await bob.get(back)).status).toBe(400);
    expect(await status()).toBe("pending");
    // The state is used up, so Ada cannot finish with it either.
    expect((await s.browser.get(back)).status).toBe(400);
    expect(await s.read()).toBeUndefined();
  });

  test("an account that another user connects with a forwarded link is taken from the sender who returned first", async () => {
    const s = await setUp(playVault);
    const { location } = await s.leave();
    const back = s.vault.approve(location, "token-of-bob");
    await s.browser.follow(await s.browser.get(back));
    expect((await s.newBrowser("bob").get(back)).status).toBe(400);
    expect(await s.read()).toBeUndefined();
    expect(String(s.errors[0])).toContain("the link may have been forwarded");
  });

  test("an account is taken from the sender also when the receiver returns while the vault checks the sender's return", async () => {
    const s = await setUp(playVault);
    const { location } = await s.leave();
    const back = s.vault.approve(location, "token-of-bob");
    s.beforeNextReply(() => s.newBrowser("bob").get(back));
    await s.browser.follow(await s.browser.get(back));
    expect(await s.read()).toBeUndefined();
    expect(s.vault.tokens()).toEqual([]);
    expect(s.errors.map(String)).toEqual([expect.stringContaining("the link may have been forwarded")]);
  });

  test("an account stays when its own browser opens the callback again, and the page says that it is connected", async () => {
    const s = await setUp(playVault);
    const { location } = await s.leave();
    const back = s.vault.approve(location, "token-of-ada");
    for (let count = 0; count < 3; count += 1) {
      const shown = await s.browser.follow(await s.browser.get(back));
      expect(shown.text).toContain("Tracker is connected");
    }
    expect(await s.read()).toMatchObject({ accessToken: "token-of-ada" });
    expect(s.errors).toEqual([]);
  });

  test("another browser with a used state cannot remove an account that was connected later", async () => {
    const s = await setUp(playVault);
    const { location } = await s.leave();
    const back = s.vault.approve(location, "token-of-ada");
    await s.browser.follow(await s.browser.get(back));
    const later = await s.leave("c2").catch(() => undefined);
    if (later === undefined) return;
    await s.browser.follow(await s.browser.get(s.vault.approve(later.location, "newer-token-of-ada")));
    await s.newBrowser("bob").get(back);
    expect(await s.read()).toMatchObject({ accessToken: "newer-token-of-ada" });
  });

  test("a user who refuses sees that, and can try again", async () => {
    const s = await setUp(playVault);
    const { location, status } = await s.leave();
    const again = await s.browser.follow(await s.browser.get(s.vault.deny(location)));
    expect(again.text).toContain("Nothing was connected");
    expect(await status()).toBe("pending");
    expect(await s.read()).toBeUndefined();
  });

  test("when the service refuses the token and the vault has no other, the account counts as not connected", async () => {
    const s = await setUp(playVault);
    await s.connect("token-of-ada");
    const refused = await s.read();
    if (refused === undefined) throw new Error("not connected");
    expect(await s.credentials.renew?.("tracker", "ada", refused)).toBeUndefined();
    expect(await s.credentials.replace("tracker", "ada", { accessToken: "another" }, undefined)).toBe(false);
    expect(await s.credentials.replace("tracker", "ada", refused, undefined)).toBe(true);
    expect(s.vault.tokens()).toEqual([]);
    expect(await s.read()).toBeUndefined();
    await s.connect("newer-token", "c2");
    expect(await s.read()).toMatchObject({ accessToken: "newer-token" });
  });

  test("a refused token removes no account that the user has connected in the meantime", async () => {
    const s = await setUp(playVault);
    await s.connect("token-of-ada");
    const refused = await s.read();
    if (refused === undefined) throw new Error("not connected");
    s.beforeNextReply(() => s.connect("newer-token", "c2"));
    await s.credentials.replace("tracker", "ada", refused, undefined);
    expect(await s.read()).toMatchObject({ accessToken: "newer-token" });
  });

  test("access that the user has revoked elsewhere is detected at the next refusal", async () => {
    const s = await setUp(playVault);
    await s.connect("token-of-ada");
    const refused = await s.read();
    if (refused === undefined) throw new Error("not connected");
    s.vault.lose();
    expect(await s.credentials.renew?.("tracker", "ada", refused)).toBeUndefined();
    expect(await s.read()).toBeUndefined();
  });

  test("Remove on the page removes the account from the vault", async () => {
    const s = await setUp(playVault);
    const { ended } = await s.connect("token-of-ada");
    const removed = await s.browser.follow(
      await s.browser.post(`${AUTH}/auth/connect/remove`, hiddenFields(ended)),
    );
    expect(removed.status).toBe(200);
    expect(s.vault.tokens()).toEqual([]);
    expect(await s.read()).toBeUndefined();
  });

  test("while the vault is down nothing is deleted, the page says so, and the log has no third-party text", async () => {
    const s = await setUp(playVault);
    await s.connect("token-of-ada");
    const refused = await s.read();
    if (refused === undefined) throw new Error("not connected");
    s.fall();
    await expect(s.credentials.renew?.("tracker", "ada", refused)).rejects.toThrow(
      /fetch failed|Connection error|status/,
    );
    const { location, url, status } = await s.leave("c2");
    expect(location).toBe(url);
    expect(await status()).toBe("pending");
    expect((await s.browser.visit(url)).text).toContain("Tracker could not be reached");
    expect(s.errors).not.toEqual([]);
    expect(String(s.errors.map(String))).not.toContain("hunter2");
    expect(s.vault.tokens()).toEqual(["token-of-ada"]);
  });

  test("neither the link, nor the page, nor the chat contains a token or a key", async () => {
    const s = await setUp(playVault);
    const { location, ended, stream } = await s.connect("token-of-ada");
    const seen = `${location} ${ended.text} ${JSON.stringify(stream.chunks)}`;
    expect(seen).not.toMatch(/token-of-ada|composio-key|auth0-secret|refresh-ada|vercel-oidc/);
  });
});

test("Auth0 connects no second account, because calls with the first one would get its token", async () => {
  const another = { ...CONNECT, tool: { id: "tracker/2", name: "tracker_create_issue" } };
  const s = await setUp(playAuth0, another);
  const { location, url, status } = await s.leave();
  expect(location).toBe(url);
  expect(await status()).toBe("pending");
  expect(s.vault.log).toEqual([]);
  expect(String(s.errors[0])).toContain('so a user has one account at "tracker". Leave out `several`');
});

/** A vault that keeps one account for each user, however often they sign in. */
function playVaultOfOne(): PlayedVault {
  const vault = playOwnVault();
  let known: string | undefined;
  return {
    ...vault,
    connector: {
      ...vault.connector,
      async finish(back) {
        const ended = await vault.connector.finish(back);
        if (!ended.ok) return ended;
        known ??= ended.reference;
        return { ...ended, reference: known };
      },
    },
  };
}

test("an account that the user has stays when a second request for it is withdrawn while they consent again", async () => {
  const s = await setUp(playVaultOfOne);
  await s.connect("token-of-ada");
  const { location, status } = await s.leave("c2");
  const back = s.vault.approve(location, "token-of-ada");
  s.beforeNextReply(() => s.stop("c2"));
  await s.browser.follow(await s.browser.get(back));
  expect(await status()).toBe("withdrawn");
  expect(await s.read()).toMatchObject({ accessToken: "token-of-ada" });
});

test("an account that a vault has twice under one reference stays when the user removes the second", async () => {
  const { connector, log } = playVaultOfOne();
  const store = createMemoryCredentials();
  const accounts = createVaultAccounts(connector, store, createManualClock());
  for (const toolId of ["tracker", "tracker/2"]) {
    await store.set(`vault:${toolId}`, "ada", { accessToken: "reference" });
  }
  expect(await accounts.revoke({ toolId: "tracker/2", userId: "ada" })).toEqual({ ok: true });
  expect(await store.get("vault:tracker/2", "ada")).toBeUndefined();
  expect(await store.get("vault:tracker", "ada")).toBeDefined();
  expect(log).toEqual([]);
});

test("the guide for your own vault shows the code that is tested here", () => {
  const read = (path: string) => readFileSync(new URL(`../../../docs/${path}`, import.meta.url), "utf8");
  expect(read("accounts/vaults.md")).toContain(read("examples/own-vault.ts"));
});
