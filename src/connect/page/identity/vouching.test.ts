/**
 * Tests for how the page identifies the user (contract, section 6). Tests that need browsers are in
 * `test/e2e/vouching.spec.ts`. Mallory is the attacker, with her own links, tickets and challenges. Ada and Bob use the
 * same chat.
 */
import { readFileSync, readdirSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createMemoryRecords } from "../../../runtime/index.ts";
import type { ElicitationRecord, ElicitationRecords } from "../../../runtime/internal.ts";
import { originalOf } from "../../../base/foreign-error.ts";
import { challengeOf, hmac, seal } from "../../../base/seal.ts";
import { newSecret } from "../../../base/ids.ts";
import { type Browser, type Page, bodyData, hiddenFields, nextOf } from "../../../../test/stages/browser.ts";
import { CHAT_ORIGIN, createChatClient } from "../../../../test/stages/chat-client.ts";
import { type TestProvider, startTestProvider } from "../../../../test/stages/oidc-provider.ts";
import {
  AUTH,
  CALLBACK,
  type PageStage,
  RUNTIME_URL,
  type StageOptions,
  callbackUrl,
  createPageStage,
  linkTo,
  statusOf,
} from "../../../../test/stages/page-stage.ts";
import { createMemoryTransactions } from "../../ports/transactions.ts";

const UNKNOWN = "AAAAAAAAAAAAAAAAAAAAAA";
const VOUCHED = `${AUTH}/auth/vouched`;
const FROM_PAGE = { referer: `${AUTH}/`, "sec-fetch-dest": "document" };

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider([CALLBACK]);
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.person = "approve";
});

const setUp = (options: StageOptions = {}) => createPageStage(provider, options);

/** The first step: the page gives the browser a challenge and redirects it to the chat. */
async function begin(browser: Browser, url: string): Promise<{ challenge: string; toChat: string }> {
  const page = await browser.get(url, { "sec-fetch-dest": "document" });
  const toChat = nextOf(page) ?? "";
  expect(toChat).toMatch(
    new RegExp(`^${RUNTIME_URL}/api/elicitations/[\\w-]+/vouch\\?challenge=[\\w-]{43}$`),
  );
  return { challenge: new URL(toChat).searchParams.get("challenge") ?? "", toChat };
}

/** The reply of `user`'s chat to a browser with a challenge: the URL back to the page. */
async function vouch(
  s: PageStage,
  {
    user = "ada",
    id = s.elicitationId,
    challenge,
    headers = {},
  }: {
    user?: string;
    id?: string;
    challenge: string;
    headers?: Record<string, string>;
  },
): Promise<URL> {
  const response = await ask(s, `/api/elicitations/${id}/vouch?challenge=${challenge}`, {
    headers: { cookie: `user=${user}`, ...headers },
  });
  expect(response.status).toBe(303);
  return new URL(response.headers.get("location") ?? "");
}

const ask = ({ runtime }: PageStage, path: string, init: RequestInit = {}) =>
  runtime.fetch(new Request(RUNTIME_URL + path, init));

const isVerified = async (browser: Browser, url: string): Promise<boolean> =>
  (await browser.get(url)).text.includes("<form");

const ticketIn = (url: URL): string => url.searchParams.get("ticket") ?? "";
const backWith = (ticket: string, id: string): string => `${VOUCHED}?elicitationId=${id}&ticket=${ticket}`;

const start = (browser: Browser, consent: Page) =>
  browser.post(`${AUTH}/auth/connect/start`, hiddenFields(consent));

/** All text of a page, without its id and challenge. */
function shown({ status, headers, text }: Page, id: string): string {
  return JSON.stringify([status, [...headers], text])
    .replaceAll(id, "ID")
    .replaceAll(`elicit-as-${id.slice(0, 8)}`, "elicit-as-ID")
    .replaceAll(/(challenge=|data-challenge=\\")[\w-]{43}/g, "$1C")
    .replaceAll(/__Host-elicit-(vouch|bind)-[\w-]{8}=[^;]*/g, "__Host-elicit-$1=V")
    .replaceAll(/__Host-elicit-page=[\w-]+/g, "__Host-elicit-page=S");
}

/** Every page from a link to its end. */
async function way(browser: Browser, url: string): Promise<readonly Page[]> {
  const pages = [await browser.get(url, { "sec-fetch-dest": "document" })];
  for (;;) {
    const next = nextOf(pages.at(-1)!);
    if (next === undefined) return pages;
    pages.push(await browser.get(next, FROM_PAGE));
    if (pages.length > 20) throw new Error(`the way from ${url} does not end`);
  }
}

test("before the chat has vouched, the page shows its frame without any data of the request", async () => {
  const s = await setUp();
  const { text } = await s.browser.get(s.url, { "sec-fetch-dest": "document" });
  // The style is inline, so the page can be painted after one HTTP request.
  expect(text).toContain("<style>");
  expect(text).not.toMatch(/ (?:src|href)="\/auth\/connect/);
  expect(text).toContain(`<bdi class="host">${new URL(AUTH).host}</bdi>`);
  expect(text).toContain('role="status">Checking with your chat that this is you.<');
  // The browser continues when the page has loaded, so it loads no script and has no buttons.
  expect(text).not.toMatch(/<script|<button/);
  expect(text).not.toMatch(/Tracker|Demo/);
});

describe("a link of another user", () => {
  test("a connect link in Bob's browser: every page is that of an unknown id, byte for byte", async () => {
    const s = await setUp();
    for (const user of ["bob", undefined]) {
      const see = async (id: string) =>
        (await way(s.newBrowser(user), linkTo(id))).map((page) => shown(page, id));
      const nothing = await see(UNKNOWN);
      expect(nothing).toHaveLength(3);
      expect(nothing[2]).toContain(user === "bob" ? "This link cannot be used" : "You are not signed in");
      expect(await see(s.elicitationId)).toEqual(nothing);
    }
    expect(await statusOf(s)).toMatchObject({ status: "pending" });
  });

  test.each<[string, StageOptions]>([
    ["is the only one", {}],
    ["is not the one at chatHome", { page: { chatHome: "https://home.example.com" } }],
    ["is allowed by a function", { runtime: { allowedOrigins: (origin) => origin === CHAT_ORIGIN } }],
  ])(
    "a page that asks its opener shows the same to others as for an unknown id, when the chat of the request %s",
    async (_, options) => {
      const s = await setUp({
        ...options,
        page: { ...options.page, vouch: undefined, session: () => undefined },
      });
      const see = async (id: string, query = "") => {
        const page = await s.newBrowser().get(linkTo(id) + query);
        return shown(page, id);
      };
      expect(await see(s.elicitationId)).toEqual(await see(UNKNOWN));
      expect(await see(s.elicitationId, "&step=vouched")).toEqual(await see(UNKNOWN, "&step=vouched"));
    },
  );

  test("a forged proof costs the same for Mallory's link as for an unknown id, and expires no request", async () => {
    const done: string[] = [];
    const memory = createMemoryRecords();
    const records: ElicitationRecords = {
      ...memory,
      get: (id) => (done.push("read"), memory.get(id)),
      compareAndSet: (next) => (done.push("write"), memory.compareAndSet(next)),
    };
    const digests = vi.spyOn(crypto.subtle, "sign");
    const s = await setUp({ runtime: { ports: { records } } });
    const see = async (id: string) => {
      const mallory = s.newBrowser();
      mallory.setCookie(
        AUTH,
        `__Host-elicit-as-${id.slice(0, 8)}`,
        `${s.runtime.clock.now() + 60_000}.${newSecret()}`,
      );
      done.length = 0;
      digests.mockClear();
      await mallory.get(linkTo(id));
      return [...done, `${digests.mock.calls.length} digests`];
    };
    await see(UNKNOWN);
    expect(await see(s.elicitationId)).toEqual(await see(UNKNOWN));
  });

  test("with the page's own sessions, refusing Bob takes the same work as refusing an unknown id", async () => {
    const done: string[] = [];
    const memory = createMemoryRecords();
    const records: ElicitationRecords = {
      ...memory,
      get: (id) => (done.push("read"), memory.get(id)),
      compareAndSet: (next) => (done.push("write"), memory.compareAndSet(next)),
    };
    const session = () => (done.push("session"), { id: "bob" });
    const s = await setUp({ runtime: { ports: { records } }, page: { session } });
    const bob = s.newBrowser();
    const see = async (id: string) => {
      done.length = 0;
      return { page: shown(await bob.get(linkTo(id)), id), done: [...done] };
    };
    await see(UNKNOWN);
    const nothing = await see(UNKNOWN);
    expect(nothing.done).toEqual(["session", "read"]);
    expect(await see(s.elicitationId)).toEqual(nothing);
  });

  test("Mallory's ticket in Bob's browser is refused, even when he comes from the page itself", async () => {
    const s = await setUp();
    const mallory = await begin(s.newBrowser("ada"), s.url);
    const back = await vouch(s, mallory);
    const bob = s.newBrowser("bob");
    await begin(bob, s.url);
    const page = await bob.get(back.href, FROM_PAGE);
    expect(page.status).toBe(403);
    expect(page.headers.getSetCookie()).toEqual([]);
    expect(page.text).toContain("Try again");
    expect(await isVerified(bob, s.url)).toBe(false);
  });

  test("Mallory's challenge, vouched for by Ada, verifies neither of their browsers", async () => {
    const s = await setUp();
    const mallory = s.newBrowser("mallory");
    const { toChat } = await begin(mallory, s.url);
    // Mallory's page redirects Ada there.
    const page = await s.browser.visit(toChat, {
      headers: { referer: "https://mallory.example/", "sec-fetch-dest": "document" },
    });
    expect(page.status).toBe(403);
    expect(await isVerified(s.browser, s.url)).toBe(false);
    expect(await isVerified(mallory, s.url)).toBe(false);
  });

  test.each([
    ["foreign", "https://mallory.example/"],
    ["of the chat", `${CHAT_ORIGIN}/`],
    ["that begins alike", `${AUTH}.mallory.example/`],
    ["no URL", "auth.example.com"],
    ["absent", undefined],
  ])(
    "relay attack: a ticket for this very browser with a referrer that is %s is refused",
    async (_, referer) => {
      const s = await setUp();
      const bob = s.newBrowser("bob");
      // The challenge has leaked, and Mallory's own chat has vouched for it.
      const { challenge } = await begin(bob, s.url);
      const back = (await vouch(s, { challenge })).href;
      const headers = { "sec-fetch-dest": "document", ...(referer !== undefined && { referer }) };
      expect((await bob.get(back, headers)).status).toBe(403);
      expect(await isVerified(bob, s.url)).toBe(false);
      // A browser that hides the referrer needs the chat's window, which does not exist here.
      if (referer === undefined) {
        const page = await bob.get(back, headers);
        expect(bodyData(page, "page")).toBe("asking");
        expect(page.text).toContain("so it must be opened by your chat");
      }
      // The refusal is because of the referrer.
      expect((await bob.get(back, FROM_PAGE)).status).toBe(303);
    },
  );

  test("a challenge is invalid after the chat has refused to vouch", async () => {
    const s = await setUp();
    const bob = s.newBrowser("bob");
    const { challenge, toChat } = await begin(bob, s.url);
    const refused = await bob.visit(toChat, { headers: FROM_PAGE });
    expect(refused.url).toBe(`${VOUCHED}?elicitationId=${s.elicitationId}&error=no`);
    expect(refused.status).toBe(404);
    const back = await vouch(s, { challenge });
    expect((await bob.get(back.href, FROM_PAGE)).status).toBe(403);
    expect(await isVerified(bob, s.url)).toBe(false);
  });
});

describe("tickets", () => {
  /** A page that asks its opener, for chats whose identity is a token. */
  const byOpener = { page: { vouch: undefined, session: () => undefined } };

  async function bind(s: PageStage, challenge: string | undefined): Promise<string> {
    const path = `/run/api/elicitations/${s.elicitationId}/bind`;
    const reply = await s.ada.fetch(path, { body: { challenge } });
    expect(reply.status).toBe(200);
    return Object((await reply.json()) as unknown).ticket;
  }

  const hand = (browser: Browser, elicitationId: string, ticket: string, headers?: Record<string, string>) =>
    browser.post(VOUCHED, { elicitationId, ticket }, headers);

  test("through the opener, the chat gives the page a ticket, and the page recognises the user", async () => {
    const s = await setUp(byOpener);
    const page = await s.browser.get(s.url);
    expect(bodyData(page, "page")).toBe("asking");
    expect(bodyData(page, "chat-origins")).toBe(CHAT_ORIGIN);
    const ticket = await bind(s, bodyData(page, "challenge"));
    expect((await hand(s.browser, s.elicitationId, ticket, { "sec-fetch-site": "same-site" })).status).toBe(
      403,
    );
    expect((await hand(s.newBrowser(), s.elicitationId, ticket)).status).toBe(403);
    expect((await hand(s.browser, UNKNOWN, ticket)).status).toBe(403);
    expect((await hand(s.browser, s.elicitationId, ticket)).status).toBe(204);
    const next = bodyData(page, "next")?.replaceAll("&amp;", "&") ?? "";
    expect((await s.browser.get(next)).text).toContain("<h1>Connect Tracker</h1>");
    expect((await hand(s.browser, s.elicitationId, ticket)).status).toBe(403);
  });

  test("a challenge for a window of the chat does not work in a redirect, and the reverse", async () => {
    const s = await setUp(byOpener);
    const vouching = s.newBrowser("ada", s.newPage({ vouch: { url: RUNTIME_URL } }));
    const { challenge } = await begin(vouching, s.url);
    const bound = await bind(s, challenge);
    expect((await vouching.get(backWith(bound, s.elicitationId), FROM_PAGE)).status).toBe(403);
    expect((await hand(vouching, s.elicitationId, bound)).status).toBe(403);

    const asking = bodyData(await s.browser.get(s.url), "challenge") ?? "";
    const vouched = ticketIn(await vouch(s, { challenge: asking }));
    expect((await hand(s.browser, s.elicitationId, vouched)).status).toBe(403);
    expect((await s.browser.get(backWith(vouched, s.elicitationId), FROM_PAGE)).status).toBe(403);
    expect(await isVerified(vouching, s.url)).toBe(false);
    expect(await isVerified(s.browser, s.url)).toBe(false);
  });

  test("the route /bind alone verifies no browser: the page gets no ticket, and the record does not change", async () => {
    const s = await setUp(byOpener);
    const before = JSON.stringify(await s.runtime.elicitations.get(s.elicitationId));
    await bind(s, bodyData(await s.browser.get(s.url), "challenge"));
    expect(await isVerified(s.browser, s.url)).toBe(false);
    expect(JSON.stringify(await s.runtime.elicitations.get(s.elicitationId))).toBe(before);
  });

  test("a ticket for another request, for another challenge, or under another key is refused", async () => {
    const s = await setUp();
    const other = await (await s.ada.send("c2")).request();
    const { challenge } = await begin(s.browser, s.url);
    const record = await s.runtime.elicitations.get(s.elicitationId);
    const expiresAt = s.runtime.clock.now() + 60_000;
    const statement = { purpose: "vouch", elicitationId: s.elicitationId, subject: challenge } as const;
    const good = await seal(record?.vouchKey ?? "", statement, expiresAt);
    const elsewhere = await challengeOf("vouch", other.elicitationId, newSecret());
    const wrong = [
      ticketIn(await vouch(s, { id: other.elicitationId, challenge })),
      ticketIn(await vouch(s, { challenge: elsewhere })),
      await seal(newSecret(), statement, expiresAt),
      await seal(record?.vouchKey ?? "", { ...statement, purpose: "bind" }, expiresAt),
      await seal(record?.vouchKey ?? "", { ...statement, purpose: "page" }, expiresAt),
      good.replace(/^\d+/, String(expiresAt + 1)),
      good.replace(/^\d+/, ""),
      `0${good}`,
      good.slice(0, -1),
      "",
    ];
    for (const ticket of wrong) {
      expect((await s.browser.get(backWith(ticket, s.elicitationId), FROM_PAGE)).status).toBe(403);
      expect((await s.browser.get(backWith(ticket, other.elicitationId), FROM_PAGE)).status).toBe(403);
    }
    expect((await s.browser.get(backWith(good, s.elicitationId), FROM_PAGE)).status).toBe(303);
  });

  test("a ticket for a request that has ended in the meantime shows its user how it ended", async () => {
    const s = await setUp();
    const back = await vouch(s, await begin(s.browser, s.url));
    await s.ada.answer("c1", { elicitationId: s.elicitationId, action: "decline" });
    const page = await s.browser.visit(back.href, { headers: FROM_PAGE });
    expect([page.status, bodyData(page, "page"), page.text.includes("<form")]).toEqual([200, "ended", false]);
  });

  test.each([
    [61, 303],
    [89, 303],
    [91, 403],
  ])("a ticket that is used after %d seconds gets the status %d", async (seconds, expected) => {
    const s = await setUp();
    const back = await vouch(s, await begin(s.browser, s.url));
    s.runtime.clock.advance(seconds * 1000);
    expect((await s.browser.get(back.href, FROM_PAGE)).status).toBe(expected);
  });

  test("the browser's secret works once, for two minutes", async () => {
    const s = await setUp();
    const challenges = () => Object.keys(s.browser.cookies(AUTH)).filter((name) => name.includes("-vouch-"));
    const first = await begin(s.browser, s.url);
    expect(challenges()).toHaveLength(1);
    const back = await vouch(s, first);
    expect((await s.browser.get(back.href, FROM_PAGE)).status).toBe(303);
    expect(challenges()).toEqual([]);
    s.browser.setCookie(AUTH, `__Host-elicit-as-${s.elicitationId.slice(0, 8)}`, "");
    expect((await s.browser.get(back.href, FROM_PAGE)).status).toBe(403);

    const bob = s.newBrowser("ada");
    const { challenge } = await begin(bob, s.url);
    s.runtime.clock.advance(119_000);
    const late = await vouch(s, { challenge });
    expect((await bob.get(late.href, FROM_PAGE)).status).toBe(303);
    const carol = s.newBrowser("ada");
    const again = await begin(carol, s.url);
    s.runtime.clock.advance(120_000);
    const tooLate = await vouch(s, again);
    expect((await carol.get(tooLate.href, FROM_PAGE)).status).toBe(403);
  });

  test("a browser keeps eight secrets: with nine tabs the first must start over", async () => {
    const s = await setUp();
    const tabs = [];
    for (let tab = 0; tab < 9; tab += 1) {
      tabs.push(await vouch(s, await begin(s.browser, s.url)));
      s.runtime.clock.advance(1);
    }
    expect(Object.keys(s.browser.cookies(AUTH)).filter((name) => name.includes("-vouch-"))).toHaveLength(8);
    expect((await s.browser.get(tabs[0]!.href, FROM_PAGE)).status).toBe(403);
    expect((await s.browser.get(tabs[1]!.href, FROM_PAGE)).status).toBe(303);
    expect((await s.browser.get(tabs[8]!.href, FROM_PAGE)).status).toBe(303);
  });

  test("two tabs with interleaved steps both succeed", async () => {
    const s = await setUp();
    const [one, two] = [await begin(s.browser, s.url), await begin(s.browser, s.url)];
    const [backTwo, backOne] = [await vouch(s, two), await vouch(s, one)];
    for (const back of [backOne, backTwo]) {
      const vouched = await s.browser.get(back.href, FROM_PAGE);
      expect(vouched.status).toBe(303);
      expect((await s.browser.follow(vouched)).text).toContain("<h1>Connect Tracker</h1>");
    }
  });

  test("two browsers of one user may both continue, and one connection is kept", async () => {
    const s = await setUp();
    const phone = s.newBrowser("ada");
    const left = [
      [s.browser, await start(s.browser, await s.browser.visit(s.url))],
      [phone, await start(phone, await phone.visit(s.url))],
    ] as const;
    const stored: unknown[] = [];
    const { set } = s.credentials;
    s.credentials.set = (toolId, userId, credential) => {
      stored.push(credential);
      return set(toolId, userId, credential);
    };
    for (const [browser, page] of left) {
      expect((await browser.follow(page)).text).toContain("Tracker is connected");
    }
    expect(stored).toHaveLength(1);
  });

  test("vouching does not change the record", async () => {
    const writes: ElicitationRecord[] = [];
    const memory = createMemoryRecords();
    const records: ElicitationRecords = {
      ...memory,
      compareAndSet: (next) => (writes.push(next), memory.compareAndSet(next)),
    };
    const s = await setUp({ runtime: { ports: { records } } });
    const bytes = async () => JSON.stringify(await memory.get(s.elicitationId));
    const before = await bytes();
    expect((await s.browser.visit(s.url)).text).toContain("<h1>Connect Tracker</h1>");
    await s.newBrowser("bob").visit(s.url);
    expect(await bytes()).toBe(before);
    expect(writes).toEqual([]);
  });
});

describe("other kinds of HTTP requests", () => {
  test("a HEAD request gets 405 without a cookie, and uses up nothing", async () => {
    const s = await setUp();
    const { challenge, toChat } = await begin(s.browser, s.url);
    const back = await vouch(s, { challenge });
    const cookie = Object.entries(s.browser.cookies(AUTH))
      .map(([name, value]) => `${name}=${value}`)
      .join("; ");
    for (const url of [s.url, back.href]) {
      const headers = { ...FROM_PAGE, cookie };
      const head = await s.page.fetch(new Request(url, { method: "HEAD", headers }));
      expect([head.status, head.headers.getSetCookie()]).toEqual([405, []]);
    }
    const head = await s.runtime.fetch(
      new Request(toChat, { method: "HEAD", headers: { cookie: "user=ada" } }),
    );
    expect([head.status, head.headers.getSetCookie(), head.headers.get("location")]).toEqual([405, [], null]);
    expect((await s.browser.get(back.href, FROM_PAGE)).status).toBe(303);
  });

  test("a link unfurler causes no read of a record, and gets no information", async () => {
    const read: string[] = [];
    const memory = createMemoryRecords();
    const records: ElicitationRecords = { ...memory, get: (id) => (read.push(id), memory.get(id)) };
    const s = await setUp({ runtime: { ports: { records } } });
    read.length = 0;
    const page = await s.page.fetch(
      new Request(s.url, { headers: { "user-agent": "Slackbot-LinkExpanding" } }),
    );
    expect(read).toEqual([]);
    expect(await page.text()).not.toMatch(/Tracker|\bAda\b|Demo/);
  });

  test.each(["iframe", "frame", "embed", "object", "fencedframe"])(
    "framed as %s, the page is refused",
    async (dest) => {
      const s = await setUp();
      const framed = { "sec-fetch-dest": dest };
      const page = await s.browser.get(s.url, framed);
      expect([page.status, nextOf(page)]).toEqual([403, undefined]);
      expect(page.headers.get("x-frame-options")).toBe("DENY");
      const { challenge, toChat } = await begin(s.browser, s.url);
      const headers = { ...framed, cookie: "user=ada" };
      const reply = await s.runtime.fetch(new Request(toChat, { headers }));
      expect([reply.status, reply.headers.get("location")]).toEqual([403, null]);
      const back = await vouch(s, { challenge });
      expect((await s.browser.get(back.href, { ...FROM_PAGE, ...framed })).status).toBe(403);
      expect(await isVerified(s.browser, s.url)).toBe(false);
    },
  );

  test("a script that fetches the page gets no challenge, and one that fetches the ticket gets no proof", async () => {
    const s = await setUp();
    const fetched = { "sec-fetch-dest": "empty" };
    expect((await s.browser.get(s.url, fetched)).status).toBe(403);
    const back = await vouch(s, await begin(s.browser, s.url));
    expect((await s.browser.get(back.href, { ...FROM_PAGE, ...fetched })).status).toBe(403);
    expect(await isVerified(s.browser, s.url)).toBe(false);
  });

  test("a browser without Sec-Fetch headers succeeds", async () => {
    const s = await setUp();
    expect((await s.browser.visit(s.url, { headers: {} })).text).toContain("<h1>Connect Tracker</h1>");
  });

  test("every reply of the runtime is uncacheable, sends its origin as the referrer, and keeps the opener", async () => {
    const s = await setUp({
      runtime: {
        authenticate(request) {
          const id = /user=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1] ?? "";
          if (id === "broken") throw new Error("the session store is down");
          return id === "" ? { id: "ada" } : id === "nobody" ? undefined : { id };
        },
      },
    });
    const { challenge } = await begin(s.browser, s.url);
    const path = `/api/elicitations/${s.elicitationId}/vouch`;
    const good = `${path}?challenge=${challenge}`;
    const as = (user: string) => ({ headers: { cookie: `user=${user}`, origin: CHAT_ORIGIN } });
    const replies = [
      await ask(s, good, as("ada")),
      await ask(s, good, as("bob")),
      await ask(s, good, as("nobody")),
      await ask(s, good, as("broken")),
      await ask(s, `/api/elicitations/${UNKNOWN}/vouch?challenge=${challenge}`, as("ada")),
      await ask(s, path, as("ada")),
      await ask(s, `/api/elicitations/%20/vouch?challenge=${challenge}`, as("ada")),
      await ask(s, good, { headers: { "sec-fetch-dest": "iframe" } }),
      await ask(s, good, { method: "POST" }),
      await ask(s, good, { method: "HEAD" }),
      await ask(s, good, { method: "OPTIONS", headers: { origin: CHAT_ORIGIN } }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([
      303, 303, 303, 303, 303, 400, 400, 403, 405, 405, 405,
    ]);
    expect(
      replies.slice(0, 5).map(({ headers }) => /(error=\w+|ticket)/.exec(headers.get("location") ?? "")?.[0]),
    ).toEqual(["ticket", "error=no", "error=login", "error=later", "error=no"]);
    for (const { headers } of replies) {
      expect(Object.fromEntries(headers)).toMatchObject({
        "cache-control": "private, no-store",
        "referrer-policy": "strict-origin",
        "cross-origin-opener-policy": "unsafe-none",
      });
      expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
    expect(s.runtime.errors.map(originalOf)).toEqual([new Error("the session store is down")]);
  });

  test.each([
    ["", 400],
    ["?challenge=", 400],
    [`?challenge=${"x".repeat(42)}`, 400],
    [`?challenge=${"x".repeat(44)}`, 400],
    [`?challenge=${"x".repeat(42)}%0a`, 400],
    [`?challenge=${"x".repeat(43)}&challenge=${"y".repeat(43)}`, 400],
    [`?challenge=${"x".repeat(43)}&returnTo=https://mallory.example`, 400],
    [`/?challenge=${"x".repeat(43)}`, 404],
  ])(
    "the runtime refuses to vouch for anything but one challenge of 43 characters: vouch%s",
    async (rest, expected) => {
      const s = await setUp();
      const reply = await ask(s, `/api/elicitations/${s.elicitationId}/vouch${rest}`, {
        headers: { cookie: "user=ada" },
      });
      expect([reply.status, reply.headers.get("location")]).toEqual([expected, null]);
    },
  );

  test("for an ended request, another user's chat gives the same reply as for an unknown id", async () => {
    const s = await setUp();
    const { challenge } = await begin(s.browser, s.url);
    await s.ada.answer("c1", { elicitationId: s.elicitationId, action: "decline" });
    const ended = await vouch(s, { user: "bob", challenge });
    const unknown = await vouch(s, { user: "bob", id: UNKNOWN, challenge });
    expect(ended.search.replace(s.elicitationId, UNKNOWN)).toBe(unknown.search);
    expect(unknown.search).toBe(`?elicitationId=${UNKNOWN}&error=no`);
  });

  test("the redirect target of the runtime does not depend on Host, query or request URL", async () => {
    const s = await setUp();
    const { challenge } = await begin(s.browser, s.url);
    const path = `/run/api/elicitations/${s.elicitationId}/vouch?challenge=${challenge}`;
    const headers = {
      cookie: "user=ada",
      host: "mallory.example",
      "x-forwarded-host": "mallory.example",
      "x-forwarded-proto": "http",
      forwarded: "host=mallory.example",
      origin: "https://mallory.example",
      referer: "https://mallory.example/",
    };
    const reply = await s.runtime.fetch(new Request(`https://mallory.example${path}`, { headers }));
    expect(reply.headers.get("location")).toMatch(
      new RegExp(`^${VOUCHED}\\?elicitationId=[\\w-]{22}&ticket=`),
    );
  });

  test("a runtime without a hosted page has no such route", async () => {
    const s = await setUp({ runtime: { hostedPage: undefined } });
    const reply = await ask(s, `/api/elicitations/${s.elicitationId}/vouch?challenge=${"x".repeat(43)}`);
    expect(reply.status).toBe(404);
  });

  test.each([
    "http://auth.example.com",
    "https://auth.example.com/",
    "auth.example.com",
    "https://a@b.example",
  ])("%s is refused as the hosted page of a runtime", async (origin) => {
    await expect(setUp({ runtime: { hostedPage: { origin } } })).rejects.toThrow(
      "elicit-kit: hostedPage.origin must be",
    );
  });

  test("a request is marked as working by link only if the runtime vouches for its page", async () => {
    const s = await setUp();
    expect((await s.stream.request()).context).toEqual({ trigger: "credential_required", worksByLink: true });
    const elsewhere = await setUp({ runtime: { hostedPage: { origin: "https://other.example.com" } } });
    expect((await elsewhere.stream.request()).context).toEqual({ trigger: "credential_required" });
  });
});

describe("sessions and cookies", () => {
  test("a ticket does not verify a browser that is signed in on the page's origin as another user, in a window or by a link", async () => {
    let session: { id: string } | undefined;
    const s = await setUp({ page: { session: () => session } });
    const back = await vouch(s, await begin(s.browser, s.url));
    session = { id: "bob" };
    const page = await s.browser.get(back.href, FROM_PAGE);
    expect([page.status, page.headers.getSetCookie()]).toEqual([303, []]);
    expect((await s.browser.follow(page)).status).toBe(404);
    // The same for a ticket for a challenge of the other kind, which the page itself would redeem.
    session = undefined;
    const asking = await s.browser.get(`${VOUCHED}?elicitationId=${s.elicitationId}&error=login`);
    const ticket = await s.runtime.elicitations.bind(
      s.elicitationId,
      { id: "ada" },
      bodyData(asking, "challenge") ?? "",
    );
    const sent = { elicitationId: s.elicitationId, ticket: ticket ?? "" };
    session = { id: "bob" };
    expect((await s.browser.post(VOUCHED, sent)).status).toBe(403);
    session = undefined;
    expect((await s.newBrowser().post(VOUCHED, sent)).status).toBe(403);
    // An earlier proof does not override it either.
    session = undefined;
    const consent = await s.browser.visit(s.url);
    expect(consent.text).toContain("<h1>Connect Tracker</h1>");
    session = { id: "bob" };
    expect((await s.browser.get(s.url)).status).toBe(404);
    expect((await start(s.browser, consent)).status).toBe(404);
  });

  test("if the user has a session on the page's origin, that session counts and not the chat's", async () => {
    const s = await setUp({ page: { session: () => ({ id: "ada" }) } });
    const bobsChat = s.newBrowser("bob");
    expect((await bobsChat.get(s.url)).text).toContain("<h1>Connect Tracker</h1>");
  });

  test("a browser without cookies gets an explanation, and is not redirected again", async () => {
    const s = await setUp();
    const forgetful = async (url: string, headers: Record<string, string>) =>
      s.newBrowser("ada").get(url, headers);
    let page = await forgetful(s.url, FROM_PAGE);
    let steps = 0;
    for (let next = nextOf(page); next !== undefined; next = nextOf(page)) {
      page = await forgetful(next, FROM_PAGE);
      expect((steps += 1)).toBeLessThan(5);
    }
    expect(page.status).toBe(403);
    expect(page.text).toContain("Your browser blocks the cookies of this page");
    expect(page.text).toContain(`href="${s.url}">Try again</a>`);
  });

  test("a browser that loses the proof gets an explanation, and is not redirected again", async () => {
    const s = await setUp();
    const vouched = await s.browser.visit(s.url, { until: `${s.url}&step` });
    const page = await s.newBrowser("ada").visit(nextOf(vouched) ?? "");
    expect([page.status, nextOf(page)]).toEqual([403, undefined]);
    expect(page.text).toContain("Your browser blocks the cookies of this page");
  });

  test("a login that creates no session is not started again automatically", async () => {
    const login = (returnTo: string) => `https://login.example.com/?to=${encodeURIComponent(returnTo)}`;
    const s = await setUp({ page: { session: () => undefined, login } });
    const page = await s.newBrowser().visit(`${s.url}&step=login`);
    expect([page.status, nextOf(page)]).toEqual([403, undefined]);
    expect(page.text).toContain("Sign in</a>");
  });

  test("when the chat cannot vouch at the moment, the page says so and offers a retry after a wait", async () => {
    const s = await setUp();
    for (let visit = 0; visit < 30; visit += 1) await vouch(s, await begin(s.browser, s.url));
    const page = await s.browser.visit(s.url);
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "60"]);
    expect(page.text).toContain("Try again");
    s.runtime.clock.advance(60_000);
    expect((await s.browser.visit(s.url)).text).toContain("<h1>Connect Tracker</h1>");
  });

  test.each(["..", "a/b", "a?b", "%0d%0aset-cookie:a=b", "x".repeat(129), ""])(
    "an invalid id gets the page of an unknown one: %s",
    async (id) => {
      const s = await setUp();
      for (const path of ["connect", "vouched"]) {
        const page = await s.browser.get(`${AUTH}/auth/${path}?elicitationId=${id}`, FROM_PAGE);
        expect([page.status, nextOf(page)]).toEqual([404, undefined]);
      }
    },
  );
});

describe("limits", () => {
  const anonymousKey = (request: Request) => request.headers.get("x-address") ?? undefined;

  test("a thousand views by others do not lock the user out, with and without known addresses", async () => {
    for (const options of [{}, { page: { limits: { anonymousKey } } }]) {
      const s = await setUp(options);
      for (let load = 0; load < 1000; load += 1) {
        const headers = { "x-address": `10.0.0.${load % 4}`, "sec-fetch-dest": "document" };
        await s.page.fetch(new Request(s.url, { headers }));
      }
      const headers = { "x-address": "10.0.1.1", "sec-fetch-dest": "document" };
      const consent = await s.browser.visit(s.url, { headers });
      expect(consent.text).toContain("<h1>Connect Tracker</h1>");
      expect((await start(s.browser, consent)).status).toBe(303);
    }
  });

  test("a browser of the user with too many views does not lock out their other browser", async () => {
    const s = await setUp({ page: { limits: { postsPerMinute: 1 } } });
    await s.browser.visit(s.url);
    for (let view = 0; view < 10; view += 1) await s.browser.get(s.url);
    expect((await s.browser.get(s.url)).status).toBe(429);
    expect((await s.newBrowser("ada").visit(s.url)).text).toContain("<h1>Connect Tracker</h1>");
  });

  test("unknown users are counted by address, and get a time to wait", async () => {
    const s = await setUp({ page: { limits: { anonymousKey, postsPerMinute: 3 } } });
    const load = (address: string) =>
      s.page.fetch(new Request(s.url, { headers: { "x-address": address, "sec-fetch-dest": "document" } }));
    for (let count = 0; count < 30; count += 1) expect((await load("10.0.0.1")).status).toBe(200);
    const refused = await load("10.0.0.1");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    const vouched = await s.page.fetch(
      new Request(`${VOUCHED}?elicitationId=${UNKNOWN}&ticket=x`, { headers: { "x-address": "10.0.0.1" } }),
    );
    expect(vouched.status).toBe(429);
    expect((await load("10.0.0.2")).status).toBe(200);
  });

  test("forged visits to the runtime do not use up a user's rate limit", async () => {
    const s = await setUp();
    const path = `/api/elicitations/${s.elicitationId}/vouch?challenge=${"x".repeat(43)}`;
    for (let visit = 0; visit < 100; visit += 1) await ask(s, path, { headers: { cookie: "user=ada" } });
    const reply = await s.ada.answer("c1", { elicitationId: s.elicitationId, action: "decline" });
    expect(reply.status).toBe(200);
  });
});

describe("stored data and lifetimes", () => {
  test("no challenge, ticket, secret or key is in a log, a stream, a status or a page", async () => {
    const log: unknown[] = [];
    const logger = {
      info: (...line: unknown[]) => log.push(line),
      error: (...line: unknown[]) => log.push(line),
    };
    const s = await setUp({ runtime: { telemetry: { logger } } });
    const { challenge } = await begin(s.browser, s.url);
    const secrets = Object.values(s.browser.cookies(AUTH));
    const back = await vouch(s, { challenge });
    const vouched = await s.browser.get(back.href, FROM_PAGE);
    const consent = await s.browser.follow(vouched);
    secrets.push(...Object.values(s.browser.cookies(AUTH)));
    const record = await s.runtime.elicitations.get(s.elicitationId);
    const list = await (await s.ada.fetch("/run/api/elicitations?conversationId=c1")).text();
    const done = await s.browser.follow(await start(s.browser, consent));
    await s.stream.done;
    const seen = JSON.stringify([
      s.stream.chunks,
      await statusOf(s),
      list,
      [vouched, consent, done].map(({ text, url }) => [text, url === back.href ? "" : url]),
      [...s.errors, ...s.runtime.errors].map(String),
      log,
    ]);
    expect(done.text).toContain("Tracker is connected");
    expect(log.length).toBeGreaterThan(0);
    for (const secret of [challenge, ticketIn(back), record?.vouchKey ?? "", ...secrets]) {
      expect(secret.length).toBeGreaterThan(40);
      expect(seen).not.toContain(secret);
    }
  });

  test("a form sent after five minutes is accepted from a user who is still signed in, and refused otherwise", async () => {
    for (const isSignedIn of [true, false]) {
      const s = await setUp();
      const consent = await s.browser.visit(s.url);
      s.runtime.clock.advance(5 * 60_000);
      if (!isSignedIn) s.browser.setCookie(CHAT_ORIGIN, "user", "");
      for (const action of ["start", "decline"]) {
        const sent = await s.browser.post(`${AUTH}/auth/connect/${action}`, hiddenFields(consent));
        expect([sent.status, sent.headers.get("location")]).toEqual([303, s.url]);
      }
      const page = await s.browser.visit(s.url);
      expect(page.text.includes("<h1>Connect Tracker</h1>")).toBe(isSignedIn);
      expect(await statusOf(s)).toMatchObject({ status: "pending" });
    }
  });

  test("a user who takes eight minutes at the provider still connects, and sees the result", async () => {
    const s = await setUp();
    const left = await start(s.browser, await s.browser.visit(s.url));
    s.runtime.clock.advance(8 * 60_000);
    expect((await s.browser.follow(left)).text).toContain("Tracker is connected");
  });

  test("a callback needs the proof of the browser, not only the state", async () => {
    const s = await setUp();
    const left = await start(s.browser, await s.browser.visit(s.url));
    const back = await callbackUrl(s.browser, left);
    const thief = s.newBrowser("ada");
    for (const [name, value] of Object.entries(s.browser.cookies(AUTH))) {
      if (!name.includes("elicit-as-")) thief.setCookie(AUTH, name, value);
    }
    expect((await thief.get(back)).status).toBe(403);
    expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
  });

  test("a sign-in can return to another process, once, and its state is then used up in all processes", async () => {
    const s = await setUp();
    const transactions = createMemoryTransactions({ clock: s.runtime.clock });
    const first = s.newPage({ transactions });
    const second = s.newPage({ transactions });
    let serving = first;
    const browser = s.newBrowser("ada", { fetch: (request) => serving.fetch(request) });
    const back = await callbackUrl(browser, await start(browser, await browser.visit(s.url)));

    // Another user's browser, at the other process: nothing is connected, and the state is used up.
    const bob = s.newBrowser("bob", second);
    expect((await bob.get(back, { "sec-fetch-dest": "document" })).status).toBe(400);
    expect((await browser.get(back)).status).toBe(400);
    expect(await s.credentials.get("tracker", "ada")).toBeUndefined();

    const again = await callbackUrl(browser, await start(browser, await browser.visit(s.url)));
    serving = second;
    expect((await browser.follow(await browser.get(again))).text).toContain("Tracker is connected");
    for (const page of [first, second]) {
      serving = page;
      expect((await browser.follow(await browser.get(again))).text).toContain("Tracker is connected");
      expect((await s.newBrowser("bob", page).get(again)).status).toBe(400);
    }
  });

  test("without a shared store, a sign-in can return only to the process that started it", async () => {
    const s = await setUp();
    let serving = s.page;
    const browser = s.newBrowser("ada", { fetch: (request) => serving.fetch(request) });
    const back = await callbackUrl(browser, await start(browser, await browser.visit(s.url)));
    serving = s.newPage();
    expect((await browser.get(back)).status).toBe(400);
    expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
  });
});

/** Each route of the page, from its source, so that a new route is tested automatically. */
const ROUTES = readdirSync(new URL("..", import.meta.url), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .flatMap((file) => [
    ...readFileSync(new URL(`../${file}`, import.meta.url), "utf8").matchAll(/app\.(get|post)\("(\/[^"]+)"/g),
  ])
  .map(([, method = "", path = ""]) => [method, path] as const);

describe("every route of the page: for connecting with and without Nango, for answers, and new ones", () => {
  test("the list contains every route in the source code", () => {
    expect(ROUTES.length).toBeGreaterThan(11);
    const paths = new Set(ROUTES.map(([, path]) => path));
    expect(paths).toContain("/auth/connect");
    expect(paths).toContain("/auth/answer");
    expect(paths).toContain("/auth/connect/remove");
  });

  test.each(ROUTES)(
    "%s %s gives Bob the same reply as for an unknown id, and changes nothing",
    async (method, path) => {
      const sessions = (request: Request) =>
        request.headers.get("cookie")?.includes("session=bob") ? { id: "bob" } : undefined;
      for (const session of [undefined, sessions]) {
        const s = await setUp({ page: { nangoFrontend: {}, chatHome: CHAT_ORIGIN, session } });
        const bob = s.newBrowser("bob");
        bob.setCookie(AUTH, "session", "bob");
        await bob.visit(s.url);
        const secret = bob.cookies(AUTH)["__Host-elicit-page"] ?? "";
        const mallorys = ticketIn(await vouch(s, await begin(s.newBrowser("ada"), s.url)));
        const before = JSON.stringify(await s.runtime.elicitations.get(s.elicitationId));
        const see = async (id: string) => {
          // Bob's browser can create the token that a page would give it.
          const csrf = await hmac(secret, `csrf\n${id}`);
          const fields = {
            elicitationId: id,
            csrf,
            ticket: mallorys,
            connectionId: "made-by-bob",
            code: "x",
          };
          const pages =
            method === "get"
              ? await way(bob, `${AUTH}${path}?elicitationId=${id}&ticket=${mallorys}&state=x`)
              : [await bob.post(`${AUTH}${path}`, fields)];
          return pages.map((page) => shown(page, id));
        };
        const nothing = await see(UNKNOWN);
        expect(await see(s.elicitationId)).toEqual(nothing);
        expect(nothing.join()).not.toMatch(/Tracker|\bAda\b|<form/);
        expect(JSON.stringify(await s.runtime.elicitations.get(s.elicitationId))).toBe(before);
        expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
      }
    },
  );
});

describe("account takeover, in both directions", () => {
  test("Mallory's link, with every step that Bob's browser can be made to take, connects no account of his", async () => {
    const s = await setUp();
    const tracker = () => s.credentials.get("tracker", "ada");
    const bob = s.newBrowser("bob");
    await bob.visit(s.url);
    const mallory = s.newBrowser("ada");
    const consent = await mallory.visit(s.url);
    const fields = hiddenFields(consent);
    // Her form, her ticket and her sign-in, one after another in his browser.
    expect((await bob.post(`${AUTH}/auth/connect/start`, fields)).status).toBe(403);
    const ticket = await vouch(s, await begin(s.newBrowser("ada"), s.url));
    expect((await bob.get(ticket.href, FROM_PAGE)).status).toBe(403);
    expect((await bob.get(ticket.href, { referer: `${CHAT_ORIGIN}/` })).status).toBe(403);
    const left = await start(mallory, consent);
    expect((await bob.get(await callbackUrl(bob, left))).status).toBe(400);
    expect(await tracker()).toBeUndefined();
    expect(await statusOf(s)).toMatchObject({ status: "pending" });
  });

  test("Mallory, with Ada's link and her own chat session, connects no account of hers for Ada's agent", async () => {
    const s = await setUp();
    const mallory = createChatClient(s.runtime.fetch, { user: "mallory" });
    const browser = s.newBrowser("mallory");
    const { challenge } = await begin(browser, s.url);
    expect((await vouch(s, { user: "mallory", challenge })).search).toContain("error=no");
    const bound = await mallory.fetch(`/run/api/elicitations/${s.elicitationId}/bind`, {
      body: { challenge },
    });
    expect(bound.status).toBe(404);
    // A ticket of her own request, for the same challenge.
    const own = await (await mallory.send("m1")).request();
    const ticket = ticketIn(await vouch(s, { user: "mallory", id: own.elicitationId, challenge }));
    expect((await browser.get(backWith(ticket, s.elicitationId), FROM_PAGE)).status).toBe(403);
    expect((await browser.visit(s.url)).status).toBe(404);
    // She is verified for her own request, and sends its form for Ada's request.
    const fields = hiddenFields(await browser.visit(linkTo(own.elicitationId)));
    const forged = { ...fields, elicitationId: s.elicitationId };
    expect((await browser.post(`${AUTH}/auth/connect/start`, forged)).status).toBe(403);
    expect(await statusOf(s)).toMatchObject({ status: "pending" });
  });
});
