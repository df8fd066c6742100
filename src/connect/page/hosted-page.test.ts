import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type RuntimeOptions, type User, createMemoryWaiter } from "../../runtime/index.ts";
import { createMemoryCredentials } from "../ports/credentials.ts";
import { hmac } from "../../base/seal.ts";
import { type Browser, type Page, bodyData, hiddenFields } from "../../../test/stages/browser.ts";
import { CHAT_ORIGIN } from "../../../test/stages/chat-client.ts";
import { RESOURCE, type TestProvider, startTestProvider } from "../../../test/stages/oidc-provider.ts";
import {
  AUTH,
  CALLBACK,
  callbackUrl,
  type PageStage,
  createPageStage,
  stopDuringExchange,
  statusOf as status,
} from "../../../test/stages/page-stage.ts";
import { CONNECT, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { createHostedPage } from "../index.ts";
import type { HostedPageOptions } from "./hosted-page.ts";

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider([CALLBACK]);
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.person = "approve";
});

const setUp = (
  page: Partial<HostedPageOptions> = {},
  chat: { headers?: Record<string, string>; runtime?: Partial<RuntimeOptions> } = {},
) => createPageStage(provider, { page, ...chat });

/** Ada opens the link, and her chat vouches for her. */
const arrive = ({ browser, url }: PageStage): Promise<Page> => browser.visit(url);

const start = (browser: Browser, consent: Page, headers?: Record<string, string>) =>
  browser.post(`${AUTH}/auth/connect/start`, hiddenFields(consent), headers);

function sessionByCookie(request: Request): User | undefined {
  const id = /(?:^|; )session=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1];
  return id === undefined ? undefined : { id, name: id };
}

function said({ stream }: PageStage): unknown {
  return JSON.parse(String(stream.chunks.find(({ type }) => type === "text-delta")?.["delta"]));
}

test("a user whom the chat vouches for connects, and the agent continues", async () => {
  const s = await setUp();
  const consent = await arrive(s);
  const left = await start(s.browser, consent);
  expect(left.status).toBe(303);
  const back = await s.browser.follow(left);

  expect(back.url).toBe(s.url);
  expect(back.text).toContain("<h1>Tracker is connected</h1>");
  expect(bodyData(back, "notify")).toBe("elicitation-complete");
  expect(bodyData(back, "chat-origin")).toBe(CHAT_ORIGIN);
  expect(back.text).toContain(`href="${CHAT_ORIGIN}/c1"`);
  await s.stream.done;
  expect(said(s)).toEqual({ outcome: "accepted", content: {} });
  const credential = await s.credentials.get("tracker", "ada");
  expect(credential?.scope).toBe("issues:write");
  expect(await provider.isActive(credential?.accessToken ?? "")).toBe(true);
  expect(await s.credentials.get("tracker", "bob")).toBeUndefined();
  expect([...s.errors, ...s.runtime.errors]).toEqual([]);
});

test("the record names the user for their actions on the page: a failed try, the next try and the end", async () => {
  const s = await setUp();
  const changes: unknown[] = [];
  const note = async () => {
    const record = await s.runtime.elicitations.get(s.elicitationId);
    changes.push([record?.status, record?.changedBy?.userId, record?.changedBy?.through]);
  };
  const consent = await arrive(s);
  provider.person = "deny";
  const refused = await s.browser.follow(await start(s.browser, consent));
  await note();
  provider.person = "approve";
  const left = await start(s.browser, refused);
  await note();
  await s.browser.follow(left);
  await note();
  expect(changes).toEqual([
    ["pending", "ada", "page"],
    ["consented", "ada", "page"],
    ["accepted", "ada", "page"],
  ]);

  const other = await setUp();
  await other.browser.post(`${AUTH}/auth/connect/decline`, hiddenFields(await arrive(other)));
  const declined = await other.runtime.elicitations.get(other.elicitationId);
  expect(declined).toMatchObject({ status: "declined", changedBy: { userId: "ada", through: "page" } });
});

test("a user with a session on the page's own origin needs no vouching", async () => {
  const s = await setUp({ session: sessionByCookie });
  s.browser.setCookie(AUTH, "session", "ada");
  const consent = await s.browser.get(s.url);
  expect(consent.text).toContain("<bdi>ada</bdi>");
  const back = await s.browser.follow(await start(s.browser, consent));
  expect(back.text).toContain("Tracker is connected");
  expect(await s.credentials.get("tracker", "ada")).toBeDefined();
});

test("the page shows who is signed in, what is connected, for which agent, and the sign-in host", async () => {
  const s = await setUp();
  const { text } = await arrive(s);
  expect(text).toContain("<h1>Connect Tracker</h1>");
  expect(text).toContain("<b><bdi>Demo</bdi></b> asks to use your Tracker account");
  expect(text).toContain("<bdi>Ada (ada)</bdi>");
  expect(text).toContain("<bdi>chat.example.com</bdi>");
  expect(text).toContain("Whoever uses this chat account can use the Tracker account you connect.");
  expect(text).toContain(`<bdi>${new URL(provider.issuer).host}</bdi>`);
  expect(text).toContain("<code>issues:write</code>");
});

test("the page shows the verified account, not a self-chosen name", async () => {
  const shown = async (user: User) => {
    const s = await createPageStage(provider, { runtime: { authenticate: () => user } });
    return (await arrive(s)).text;
  };
  const named = { id: "u_1", name: "Grace Hopper" };
  expect(await shown({ ...named, account: "ada@example.com" })).toContain("<bdi>ada@example.com</bdi>");
  expect(await shown({ ...named, account: "ada@example.com" })).not.toContain("Grace");
  expect(await shown(named)).toContain("<bdi>Grace Hopper (u_1)</bdi>");
});

test("before the chat has vouched, the page shows nothing and changes nothing", async () => {
  const s = await setUp();
  const waiting = await s.browser.get(s.url);
  expect(waiting.status).toBe(200);
  expect(waiting.text).not.toMatch(/\bAda\b|Tracker|Demo|<form|disabled/);
  const fields = { elicitationId: s.elicitationId, csrf: "x" };
  expect((await s.browser.post(`${AUTH}/auth/connect/start`, fields)).status).toBe(403);
  expect(await status(s)).toMatchObject({ status: "pending" });
});

test("opening the page starts no sign-in, even for the right user", async () => {
  const s = await setUp();
  const before = provider.requests.length;
  await arrive(s);
  await s.browser.get(s.url);
  expect(provider.requests.length).toBe(before);
  expect(await status(s)).toMatchObject({ status: "pending" });
});

test("with a forwarded link, the other browser is not vouched for by this browser's cookie", async () => {
  const s = await setUp();
  await arrive(s);
  const page = await s.newBrowser("bob").visit(s.url);
  expect(page.status).toBe(404);
  expect(page.text).toContain("This link cannot be used");
});

test("the public part of the browser's secret is not accepted as the cookie", async () => {
  const s = await setUp();
  const { csrf = "" } = hiddenFields(await arrive(s));
  const proof = Object.entries(s.browser.cookies(AUTH)).find(([name]) => name.includes("elicit-as-"));
  expect(proof).toBeDefined();
  const thief = s.newBrowser();
  thief.setCookie(AUTH, "__Host-elicit-page", csrf);
  thief.setCookie(AUTH, proof?.[0] ?? "", proof?.[1] ?? "");
  expect((await thief.get(s.url)).text).not.toContain("<form");
});

test("a sibling subdomain cannot set the cookies of a vouched-for browser", async () => {
  const s = await setUp();
  await arrive(s);
  const pairs = Object.entries(s.browser.cookies(AUTH)).map(([name, value]) => `${name}=${value}`);
  expect(pairs).toHaveLength(2);
  const look = async (cookie: string) =>
    (await s.page.fetch(new Request(s.url, { headers: { cookie } }))).text();
  expect(await look(pairs.join("; "))).toContain("Connect Tracker");
  // Browsers only protect a name that begins with `__Host-`, and a sibling host can set a name with any other byte
  // before it.
  for (const space of ["\u00a0", "\u0085", "\u000b", "\u000c", "elicit-page=x, ", "=", "x=y,"]) {
    expect(await look(pairs.map((pair) => space + pair).join("; "))).not.toContain("Tracker");
  }
});

test("requests that are unknown, of another user, ended or unconnectable get the same page", async () => {
  const s = await setUp({ session: sessionByCookie });
  const bob = s.newBrowser();
  bob.setCookie(AUTH, "session", "bob");
  const foreign = await bob.get(s.url);
  const unknown = await bob.get(`${AUTH}/auth/connect?elicitationId=AAAAAAAAAAAAAAAAAAAAAA`);
  const none = await bob.get(`${AUTH}/auth/connect`);
  await s.ada.answer("c1", { elicitationId: s.elicitationId, action: "decline" });
  const ended = await bob.get(s.url);
  expect([foreign, unknown, none, ended].map((page) => page.status)).toEqual([404, 404, 404, 404]);
  expect(new Set([foreign, unknown, none, ended].map(({ text }) => text)).size).toBe(1);
  expect(foreign.text).toContain("This link cannot be used");
  expect(foreign.text).toContain("You are signed in as <b><bdi>bob</bdi></b>.");
});

test("another signed-in user gets the same reply from every route as for an unknown id", async () => {
  const s = await setUp({ session: sessionByCookie });
  const bob = s.newBrowser();
  bob.setCookie(AUTH, "session", "bob");
  await bob.get(s.url);
  const secret = bob.cookies(AUTH)["__Host-elicit-page"] ?? "";
  const shown = async (elicitationId: string) => {
    // Bob's browser can create the token that the page would give it.
    const fields = { elicitationId, csrf: await hmac(secret, `csrf\n${elicitationId}`) };
    const pages = [
      await bob.get(`${AUTH}/auth/connect?elicitationId=${elicitationId}`),
      await bob.get(`${AUTH}/auth/connect/status?elicitationId=${elicitationId}`),
      await bob.post(`${AUTH}/auth/connect/start`, fields),
      await bob.post(`${AUTH}/auth/connect/decline`, fields),
    ];
    return pages.map(({ status: code, headers, text }) => [code, Object.fromEntries(headers), text]);
  };
  const nothing = await shown("AAAAAAAAAAAAAAAAAAAAAA");
  expect(nothing.map(([code]) => code)).toEqual([404, 200, 404, 404]);
  expect(await shown(s.elicitationId)).toEqual(nothing);
  expect(await status(s)).toMatchObject({ status: "pending" });
  await s.ada.answer("c1", { elicitationId: s.elicitationId, action: "decline" });
  expect(await shown(s.elicitationId)).toEqual(nothing);
});

test("the session of another user starts no sign-in, even in a browser that was vouched for", async () => {
  const s = await setUp({ session: sessionByCookie });
  s.browser.setCookie(AUTH, "session", "ada");
  const consent = await s.browser.get(s.url);
  s.browser.setCookie(AUTH, "session", "bob");
  expect((await start(s.browser, consent)).status).toBe(404);
  expect(await status(s)).toMatchObject({ status: "pending" });
});

test("nothing is stored if another user is signed in when the provider redirects the browser back", async () => {
  const s = await setUp({ session: sessionByCookie });
  s.browser.setCookie(AUTH, "session", "ada");
  const left = await start(s.browser, await s.browser.get(s.url));
  s.browser.setCookie(AUTH, "session", "bob");
  const back = await s.browser.follow(left);
  expect(back.status).toBe(403);
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
  expect(await s.credentials.get("tracker", "bob")).toBeUndefined();
  expect(await status(s)).toMatchObject({ status: "pending" });
});

test("with a login page, an unknown user can sign in and returns to the page", async () => {
  const login = (returnTo: string) => `https://login.example.com/?to=${encodeURIComponent(returnTo)}`;
  const s = await setUp({ session: sessionByCookie, login });
  const nobody = s.newBrowser();
  const page = await nobody.visit(s.url);
  expect(page.status).toBe(200);
  expect(page.text).toContain("Sign in there, then try again.");
  const back = `${s.url}&step=login`;
  expect(page.text).toContain(`href="${login(back)}">Sign in</a>`);
  nobody.setCookie(AUTH, "session", "ada");
  expect((await nobody.get(back)).text).toContain("<h1>Connect Tracker</h1>");
});

test("a user who is signed in here with another account can switch accounts, for any id", async () => {
  const login = (returnTo: string) => `https://login.example.com/?to=${encodeURIComponent(returnTo)}`;
  const s = await setUp({ session: sessionByCookie, login });
  const bob = s.newBrowser();
  bob.setCookie(AUTH, "session", "bob");
  const foreign = await bob.get(s.url);
  expect(foreign.text).toContain("Switch account</a>");
  const unknown = await bob.get(s.url.replace(s.elicitationId, "AAAAAAAAAAAAAAAAAAAAAA"));
  expect(unknown.text.replaceAll("AAAAAAAAAAAAAAAAAAAAAA", s.elicitationId)).toBe(foreign.text);
});

test("without a chat that vouches and without a session, the page only says what to do", async () => {
  vi.spyOn(console, "warn").mockImplementationOnce(() => {});
  const s = await setUp({ vouch: undefined }, { runtime: { allowedOrigins: () => false } });
  const page = await s.browser.get(s.url);
  expect(page.text).toContain("Press Connect there to open it.");
  expect(bodyData(page, "challenge")).toBeUndefined();
});

test("pages link to the chat when the operator has configured its address", async () => {
  const s = await setUp({ chatHome: "https://chat.example.com/home", allowedReturnOrigins: [] });
  expect((await s.newBrowser().visit(s.url)).text).toContain(
    'href="https://chat.example.com/home">Back to your chat',
  );
  const consent = await arrive(s);
  const ended = await s.browser.follow(
    await s.browser.post(`${AUTH}/auth/connect/decline`, hiddenFields(consent)),
  );
  expect(ended.text).toContain('href="https://chat.example.com/home">Back to your chat');
});

test("'Not you?' asks first, then declines and forgets the browser, and a form on another site cannot send it", async () => {
  const s = await setUp({ chatHome: CHAT_ORIGIN });
  const fields = hiddenFields(await arrive(s));
  const press = (answer: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    s.browser.post(`${AUTH}/auth/forget`, { ...fields, ...answer }, headers);
  expect((await press({ answer: "decline" }, { "sec-fetch-site": "cross-site" })).status).toBe(403);
  const asked = await press();
  expect(asked.text).toMatch(/<h1>Not .+\?<\/h1>/);
  expect(asked.text).toContain("the Tracker account you connect");
  expect(asked.text).toMatch(/<a class="button" href="[^"]+\/auth\/connect\?[^"]+">It is me/);
  expect((await s.browser.get(s.url)).text).toContain("<h1>Connect Tracker</h1>");
  expect(await status(s)).toMatchObject({ status: "pending" });
  const forgotten = await press({ answer: "decline" });
  expect(forgotten.text).toContain("<h1>Use your own chat account</h1>");
  expect(forgotten.text).not.toMatch(/\bada\b/i);
  expect((await s.browser.get(s.url)).text).not.toContain("Tracker");
  expect(await status(s)).toMatchObject({ status: "declined" });
});

test("the page ignores everything in its query except the id", async () => {
  const s = await setUp();
  await arrive(s);
  const more = "&toolId=other&userId=bob&returnUrl=https://evil.example&chatOrigin=https://evil.example";
  const { text } = await s.browser.get(s.url + more);
  expect(text).toBe((await s.browser.get(s.url)).text);
});

test.each<
  [
    string,
    (fields: { elicitationId: string; csrf: string }) => Record<string, string>,
    Record<string, string>,
    number,
  ]
>([
  ["a wrong token", (fields) => ({ ...fields, csrf: "x".repeat(43) }), {}, 403],
  ["no token", ({ elicitationId }) => ({ elicitationId }), {}, 400],
  ["another site's form", (fields) => fields, { "sec-fetch-site": "cross-site" }, 403],
  ["a sibling subdomain's form", (fields) => fields, { "sec-fetch-site": "same-site" }, 403],
])("%s can neither start a sign-in nor decline", async (_, change, headers, expected) => {
  const s = await setUp();
  const { elicitationId = "", csrf = "" } = hiddenFields(await arrive(s));
  const sent = change({ elicitationId, csrf });
  for (const action of ["start", "decline"]) {
    expect((await s.browser.post(`${AUTH}/auth/connect/${action}`, sent, headers)).status).toBe(expected);
  }
  expect(await status(s)).toMatchObject({ status: "pending" });
});

test("a browser without Sec-Fetch-Site is checked by its Origin", async () => {
  const s = await setUp();
  const fields = hiddenFields(await arrive(s));
  const post = (origin: string) =>
    s.page.fetch(
      new Request(`${AUTH}/auth/connect/decline`, {
        method: "POST",
        headers: {
          origin,
          "content-type": "application/x-www-form-urlencoded",
          cookie: Object.entries(s.browser.cookies(AUTH))
            .map(([name, value]) => `${name}=${value}`)
            .join("; "),
        },
        body: new URLSearchParams(fields).toString(),
      }),
    );
  expect((await post("https://evil.example")).status).toBe(403);
  expect((await post("null")).status).toBe(403);
  expect((await post(AUTH)).status).toBe(303);
  expect(await status(s)).toMatchObject({ status: "declined" });
});

test.each([
  ["multipart/form-data", "no boundary"],
  ["multipart/form-data; boundary=x", "--x\r\ncut off"],
  ["application/json", '{"elicitationId":"x","csrf":"x"}'],
])("a body that is not a form, such as %s, is refused, and not logged", async (type, body) => {
  const s = await setUp();
  const headers = { "content-type": type, "sec-fetch-site": "same-origin" };
  const request = new Request(`${AUTH}/auth/connect/start`, { method: "POST", headers, body });
  expect((await s.page.fetch(request)).status).toBe(400);
  expect(s.errors).toEqual([]);
});

test("the CSRF token of one request is refused for another", async () => {
  const s = await setUp();
  const { csrf = "" } = hiddenFields(await arrive(s));
  const other = await (await s.ada.send("c2")).request();
  await s.browser.visit(s.url.replace(s.elicitationId, other.elicitationId));
  const fields = { csrf, elicitationId: other.elicitationId };
  expect((await s.browser.post(`${AUTH}/auth/connect/decline`, fields)).status).toBe(403);
});

test("Decline on the page ends the request, and the page confirms it", async () => {
  const s = await setUp();
  const consent = await arrive(s);
  const declined = await s.browser.follow(
    await s.browser.post(`${AUTH}/auth/connect/decline`, hiddenFields(consent)),
  );
  expect(declined.text).toContain("You declined. Nothing was shared, and your chat goes on without it.");
  expect(bodyData(declined, "notify")).toBe("elicitation-failed");
  await s.stream.done;
  expect(said(s)).toEqual({ outcome: "declined" });
});

test("the redirect to the provider has code, PKCE, resource and a state bound to a cookie, and no verifier", async () => {
  const s = await setUp();
  const left = await start(s.browser, await arrive(s));
  const to = new URL(left.headers.get("location") ?? "");
  expect(to.origin).toBe(provider.issuer);
  expect(Object.fromEntries(to.searchParams)).toEqual({
    response_type: "code",
    client_id: "demo-agent",
    redirect_uri: CALLBACK,
    scope: "issues:write",
    resource: RESOURCE,
    state: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "S256",
  });
  const state = to.searchParams.get("state") ?? "";
  const cookie = left.headers.getSetCookie().find((line) => line.includes("oauth"));
  expect(cookie).toBe(
    `__Host-elicit-oauth-${state.slice(0, 8)}=${state}; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=600`,
  );
  await s.browser.follow(left);
  const token = provider.requests.findLast(({ path }) => path === "/token")?.parameters;
  expect(token?.get("resource")).toBe(RESOURCE);
  expect(JSON.stringify([left.text, left.headers.get("location")])).not.toContain(
    token?.get("code_verifier"),
  );
  expect(Object.keys(s.browser.cookies(AUTH)).toSorted()).toEqual([
    `__Host-elicit-as-${s.elicitationId.slice(0, 8)}`,
    `__Host-elicit-oauth-${state.slice(0, 8)}`,
    "__Host-elicit-page",
  ]);
});

test("a sign-in callback is accepted once, and then shows its browser the page of the request", async () => {
  const s = await setUp();
  const left = await start(s.browser, await arrive(s));
  const url = await callbackUrl(s.browser, left);
  const callback = await s.browser.get(url);
  expect(callback.status).toBe(303);
  const stored = await s.credentials.get("tracker", "ada");
  for (let count = 0; count < 2; count += 1) {
    const again = await s.browser.follow(await s.browser.get(url));
    expect([again.status, again.url.includes("code=")]).toEqual([200, false]);
    expect(again.text).toContain("Tracker is connected");
  }
  expect(await s.credentials.get("tracker", "ada")).toEqual(stored);
  expect((await s.newBrowser().get(url)).status).toBe(400);
  expect((await s.browser.get(url)).status).toBe(303);
});

test("ten minutes after its start, a used sign-in callback shows nothing", async () => {
  const s = await setUp();
  const left = await start(s.browser, await arrive(s));
  const url = await callbackUrl(s.browser, left);
  await s.browser.get(url);
  s.runtime.clock.advance(600_000);
  expect((await s.browser.get(url)).status).toBe(400);
});

test("a callback in another browser is refused and invalidates the state", async () => {
  const s = await setUp();
  const left = await start(s.browser, await arrive(s));
  const url = await callbackUrl(s.browser, left);
  expect((await s.newBrowser().get(url, { "sec-fetch-dest": "document" })).status).toBe(400);
  expect((await s.browser.get(url)).status).toBe(400);
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
  expect(await status(s)).toMatchObject({ status: "pending" });
});

test("a HEAD request to the callback, for example of a link checker, does not use up the sign-in", async () => {
  const s = await setUp();
  const url = await callbackUrl(s.browser, await start(s.browser, await arrive(s)));
  const cookie = Object.entries(s.browser.cookies(AUTH))
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");
  const looked = await s.page.fetch(new Request(url, { method: "HEAD", headers: { cookie } }));
  expect(looked.status).toBe(405);
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
  expect((await s.browser.follow(await s.browser.get(url))).text).toContain("Tracker is connected");
});

test("a sign-in must return within ten minutes", async () => {
  const s = await setUp();
  const runtime = s.runtime;
  const left = await start(s.browser, await arrive(s));
  const url = await callbackUrl(s.browser, left);
  runtime.clock.advance(10 * 60_000);
  expect((await s.browser.get(url)).status).toBe(400);
});

test.each(["?code=x", "?code=x&state=", "?code=x&state=AAAA", "?state=AAAA%0d%0aset-cookie:a=b", ""])(
  "a callback without a started sign-in is refused: %s",
  async (query) => {
    const s = await setUp();
    const page = await s.browser.get(CALLBACK + query);
    expect(page.status).toBe(400);
    expect(page.headers.getSetCookie().filter((line) => !line.startsWith("__Host-elicit-page="))).toEqual([]);
  },
);

test("when the provider refuses, the request stays open, and the page shows the reason and offers a retry", async () => {
  const s = await setUp();
  const consent = await arrive(s);
  provider.person = "deny";
  const back = await s.browser.follow(await start(s.browser, consent));
  // The user refused themselves, so the page does not show it as an error.
  expect(back.text).toContain('class="alert calm" role="alert"');
  expect(back.text).toContain("<div>You cancelled at Tracker. Nothing was connected.</div>");
  expect(back.text).toContain("Try again");
  expect(bodyData(back, "notify")).toBe("elicitation-failed");
  expect(await status(s)).toMatchObject({
    status: "pending",
    lastError: "You cancelled at Tracker. Nothing was connected.",
  });

  provider.person = "approve";
  const leaving = await start(s.browser, back);
  // While the user is away again, neither the status nor the card shows an error.
  expect(await status(s)).not.toHaveProperty("lastError");
  const cards = () => s.stream.chunks.filter(({ type }) => type === "data-elicitation-request");
  await expect
    .poll(() => cards().map(({ data }) => Object(data).progress))
    .toEqual([
      undefined,
      { status: "pending", lastError: "You cancelled at Tracker. Nothing was connected.", byUser: true },
      { status: "consented" },
    ]);
  const again = await s.browser.follow(leaving);
  expect(again.text).toContain("Tracker is connected");
  await s.stream.done;
  expect(said(s)).toEqual({ outcome: "accepted", content: {} });
});

test("a user who reads the page in another language later reads why nothing was connected in that language", async () => {
  const s = await setUp();
  provider.person = "deny";
  await s.browser.follow(await start(s.browser, await arrive(s)));
  const german = await s.browser.visit(s.url, { headers: { "accept-language": "de" } });
  expect(german.text).toContain('class="alert calm" role="alert"');
  expect(german.text).toContain("Sie haben bei Tracker abgebrochen.");
});

test("a failure that other code reports is shown in its own words, as an error", async () => {
  const s = await setUp();
  const consent = await arrive(s);
  provider.person = "deny";
  await s.browser.follow(await start(s.browser, consent));
  await s.runtime.elicitations.fail(s.elicitationId, "Tracker is closed on Sundays.");
  const page = await arrive(s);
  expect(page.text).toContain("Tracker is closed on Sundays.");
  expect(page.text).not.toContain("alert calm");
});

test("when the provider rejects the code, the request stays open", async () => {
  const s = await setUp();
  const left = await start(s.browser, await arrive(s));
  const url = new URL(await callbackUrl(s.browser, left));
  url.searchParams.set("code", "forged");
  const back = await s.browser.follow(await s.browser.get(url.href));
  expect(back.text).toContain("Tracker answered with an error (invalid_grant).");
  expect(back.text).not.toContain("alert calm");
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
  expect(s.errors).toHaveLength(1);
});

test("a callback from another issuer is refused", async () => {
  const s = await setUp();
  const left = await start(s.browser, await arrive(s));
  const url = new URL(await callbackUrl(s.browser, left));
  url.searchParams.set("iss", "https://evil.example");
  await s.browser.follow(await s.browser.get(url.href));
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
  expect(await status(s)).toMatchObject({ status: "pending" });
});

test("when the provider is down, the page says so, and the request stays open", async () => {
  const s = await setUp({ fetch: () => Promise.reject(new TypeError("fetch failed")) });
  const consent = await arrive(s);
  const back = await s.browser.follow(await start(s.browser, consent));
  expect(back.text).toContain("Tracker could not be reached, or its answer was not understood.");
  expect(await status(s)).toMatchObject({ status: "pending" });
});

test("a token endpoint that does not reply times out after ten seconds, and the user can try again", async () => {
  let isSilent = true;
  const s = await setUp({
    fetch: (input, init) =>
      isSilent && new URL(new Request(input).url).pathname === "/token"
        ? new Promise((_, reject) => {
            init?.signal?.addEventListener("abort", () => reject(init.signal?.reason as Error));
          })
        : fetch(input, init),
  });
  const url = await callbackUrl(s.browser, await start(s.browser, await arrive(s)));
  const waiting = s.browser.get(url);
  await vi.waitUntil(() => s.runtime.clock.advance(1_000) === undefined && s.errors.length > 0);
  const back = await s.browser.follow(await waiting);
  expect(back.text).toContain("Tracker could not be reached, or its answer was not understood.");
  expect(await status(s)).toMatchObject({ status: "pending" });
  isSilent = false;
  expect((await s.browser.follow(await start(s.browser, back))).text).toContain("Tracker is connected");
});

test("when a user finishes after the request has expired, nothing is stored and the page says so", async () => {
  const s = await setUp();
  s.runtime.clock.advance(9 * 60_000);
  const url = await callbackUrl(s.browser, await start(s.browser, await arrive(s)));
  s.runtime.clock.advance(60_000);
  const back = await s.browser.follow(await s.browser.get(url));
  expect(back.text).toContain("This request has expired");
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
});

test("a completed request cannot be started again, and the page says that it is complete", async () => {
  const s = await setUp();
  const consent = await arrive(s);
  await s.browser.follow(await start(s.browser, consent));
  const before = provider.requests.length;
  const again = await s.browser.follow(await start(s.browser, consent));
  expect(again.text).toContain("Tracker is connected");
  expect(provider.requests.length).toBe(before);
});

test("no code, token or verifier reaches a log, a page, a redirect or the chat", async () => {
  const s = await setUp();
  const left = await start(s.browser, await arrive(s));
  const url = new URL(await callbackUrl(s.browser, left));
  const back = await s.browser.follow(await s.browser.get(url.href));
  await s.stream.done;
  const token = provider.requests.findLast(({ path }) => path === "/token")?.parameters;
  const credential = await s.credentials.get("tracker", "ada");
  const seen = [back.text, back.url, ...s.stream.chunks, await status(s), ...s.errors.map(String)]
    .map((value) => JSON.stringify(value))
    .join();
  for (const secret of [
    url.searchParams.get("code"),
    token?.get("code_verifier"),
    credential?.accessToken,
    credential?.refreshToken,
  ]) {
    expect(secret?.length).toBeGreaterThan(20);
    expect(seen).not.toContain(secret);
  }
});

test("when a request is withdrawn while the user is at the provider, nothing is stored and no code is used", async () => {
  const s = await setUp();
  const left = await start(s.browser, await arrive(s));
  const url = await callbackUrl(s.browser, left);
  await s.ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
  const tokensBefore = provider.requests.filter(({ path }) => path === "/token").length;
  const back = await s.browser.follow(await s.browser.get(url));
  expect(back.text).toContain("This request was withdrawn");
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
  expect(provider.requests.filter(({ path }) => path === "/token").length).toBe(tokensBefore);
});

test("when a request is withdrawn during the code exchange, the token is revoked", async () => {
  const exchange = stopDuringExchange(() => s);
  const s: PageStage = await setUp({ fetch: exchange.fetch });
  const back = await s.browser.follow(await start(s.browser, await arrive(s)));
  expect(back.text).toContain("This request was withdrawn");
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
  expect(exchange.granted).not.toBe("");
  expect(await provider.isActive(exchange.granted)).toBe(false);
});

test("when a request for more access is withdrawn during the code exchange, no token is revoked, because some providers would revoke the user's other one", async () => {
  const exchange = stopDuringExchange(() => s);
  const s: PageStage = await setUp({ fetch: exchange.fetch });
  await s.credentials.set("tracker", "ada", { accessToken: "older", scope: "issues:read" });
  await s.browser.follow(await start(s.browser, await arrive(s)));
  expect(await s.credentials.get("tracker", "ada")).toMatchObject({ accessToken: "older" });
  expect(exchange.granted).not.toBe("");
  expect(await provider.isActive(exchange.granted)).toBe(true);
});

test("when a connection cannot be stored, the page and the agent get the error and the token is revoked", async () => {
  let revoked = "";
  const s = await setUp({
    async fetch(input, init) {
      const response = await fetch(input, init);
      const path = new URL(new Request(input).url).pathname;
      if (path === "/token") revoked = (await response.clone().json())["refresh_token"];
      return response;
    },
  });
  s.credentials.set = () => Promise.reject(new Error("disk full"));
  const back = await s.browser.follow(await start(s.browser, await arrive(s)));
  expect(back.text).toContain("could not be connected");
  expect((await s.runtime.elicitations.get(s.elicitationId))?.status).toBe("failed");
  expect(revoked).not.toBe("");
  expect(await provider.isActive(revoked)).toBe(false);
});

test("a stored connection stays, even if the waiting turn could not be notified", async () => {
  const waiter = createMemoryWaiter();
  const s = await setUp(
    {},
    {
      runtime: { ports: { waiter: { ...waiter, settle: () => Promise.reject(new Error("database down")) } } },
    },
  );
  const back = await s.browser.follow(await start(s.browser, await arrive(s)));
  expect(back.text).toContain("Tracker is connected");
  const credential = await s.credentials.get("tracker", "ada");
  expect(await provider.isActive(credential?.accessToken ?? "")).toBe(true);
  expect(s.errors).toHaveLength(1);
});

test("two windows for one request: one connects, the other shows that it is complete", async () => {
  const s = await setUp();
  const consent = await arrive(s);
  const first = await callbackUrl(s.browser, await start(s.browser, consent));
  const second = await callbackUrl(s.browser, await start(s.browser, consent));
  expect((await s.browser.follow(await s.browser.get(second))).text).toContain("Tracker is connected");
  const credential = await s.credentials.get("tracker", "ada");
  expect((await s.browser.follow(await s.browser.get(first))).text).toContain("Tracker is connected");
  expect(await s.credentials.get("tracker", "ada")).toEqual(credential);
  expect((await start(s.browser, consent)).headers.get("location")).toBe(s.url);
});

test.each([
  ["another origin", "https://evil.example/c1"],
  ["a script", "javascript:alert(1)"],
  ["a name before the host", "https://ada@chat.example.com/c1"],
  ["a lookalike", "https://chat.example.com.evil.example/"],
  ["plain http", "http://chat.example.com/c1"],
  ["no URL", "//chat.example.com"],
])("the page offers no link to a return URL with %s", async (_, returnUrl) => {
  const s = await setUp({ session: sessionByCookie });
  s.browser.setCookie(AUTH, "session", "ada");
  const stream = await s.ada.send("c2", { returnUrl });
  const { elicitationId } = await stream.request();
  const credential = { accessToken: "token" };
  await s.runtime.elicitations.complete(elicitationId, () => s.credentials.set("tracker", "ada", credential));
  const ended = await s.browser.get(`${AUTH}/auth/connect?elicitationId=${elicitationId}`);
  expect(ended.text).toContain("Tracker is connected");
  expect(ended.text).not.toContain("<a ");
});

test("third-party text is shown as plain text, whatever it contains", async () => {
  const evil = '"><script>alert(1)</script>';
  const s = await setUp({ session: () => ({ id: "ada", name: evil }) });
  await s.runtime.elicitations.fail(s.elicitationId, evil);
  const { text } = await s.browser.get(s.url);
  expect(text).not.toContain("<script>alert");
  expect(text).toContain("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
});

test("every reply has the security headers of a sign-in page", async () => {
  const s = await setUp();
  const pages = [
    await arrive(s),
    await s.browser.get(`${AUTH}/nowhere`),
    await start(s.browser, await arrive(s)),
  ];
  const inline = (tag: string) =>
    createHash("sha256")
      .update(new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(pages[0]?.text ?? "")?.[1] ?? "")
      .digest("base64");
  const digests = { script: inline("script"), style: inline("style") };
  for (const { headers } of pages) {
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-security-policy": `default-src 'none'; script-src 'sha256-${digests.script}'; style-src 'sha256-${digests.style}'; connect-src 'self'; form-action 'self' https: ${provider.issuer}; base-uri 'none'; frame-ancestors 'none'`,
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    expect(headers.has("cross-origin-opener-policy")).toBe(false);
  }
  // Browsers run only the texts with these two digests.
  expect(pages.map(({ text }) => / style="| on\w+="/.test(text))).toEqual([false, false, false]);
});

test("the page drops window.opener before it redirects to a provider that is not listed", async () => {
  const s = await setUp();
  expect(bodyData(await arrive(s), "cut-opener")).toBe("true");
  const trusted = await setUp({ trustedProviderOrigins: [provider.issuer] });
  expect(bodyData(await arrive(trusted), "cut-opener")).toBeUndefined();
});

test("too many tries get 429 for a minute, with a time to wait", async () => {
  const s = await setUp({ limits: { postsPerMinute: 3 } });
  const consent = await arrive(s);
  for (const expected of [303, 303, 303, 429])
    expect((await start(s.browser, consent)).status).toBe(expected);
  s.runtime.clock.advance(60_000);
  expect((await start(s.browser, consent)).status).toBe(303);
  for (let views = 0; views < 30; views += 1) await s.browser.get(s.url);
  const refused = await s.browser.get(s.url);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("60");
});

test("a loopback page on plain http uses cookies without the prefix that requires https", async () => {
  const { elicitations } = createTestRuntime(asking(CONNECT));
  const credentials = createMemoryCredentials();
  const options = { elicitations, credentials, providers: {}, onError: () => {} };
  const vouch = { url: "http://localhost:4110/run" };
  const page = createHostedPage({ ...options, vouch, origin: "http://127.0.0.1:4120" });
  const response = await page.fetch(new Request("http://127.0.0.1:4120/auth/connect"));
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^elicit-page=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
});

test.each([
  "http://auth.example.com",
  "https://auth.example.com/",
  "https://auth.example.com/path",
  "ftp://localhost",
  "auth.example.com",
])("%s cannot be the origin of a hosted page", (origin) => {
  const { elicitations } = createTestRuntime(asking(CONNECT));
  const options = { elicitations, credentials: createMemoryCredentials(), providers: {}, onError: () => {} };
  expect(() => createHostedPage({ ...options, origin })).toThrow(
    "elicit-kit: the origin of a hosted page must be",
  );
});

test.each([
  "http://chat.example.com/run",
  "https://chat.example.com/run?x=1",
  "https://ada@chat.example.com/run",
  "/run",
])("%s is refused as the address of the vouching runtime and of the chat", (address) => {
  const { elicitations } = createTestRuntime(asking(CONNECT));
  const options = { elicitations, credentials: createMemoryCredentials(), providers: {}, onError: () => {} };
  const make = (more: Partial<HostedPageOptions>) => () =>
    createHostedPage({ ...options, origin: AUTH, ...more });
  expect(make({ vouch: { url: address } })).toThrow("elicit-kit: vouch.url of a hosted page must be");
  expect(make({ chatHome: address })).toThrow("elicit-kit: chatHome of a hosted page must be");
});

test("a page that only the chat's window can open is reported to the operator once", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const { elicitations } = createTestRuntime(asking(CONNECT));
  const options = { elicitations, credentials: createMemoryCredentials(), providers: {}, onError: () => {} };
  createHostedPage({ ...options, origin: AUTH });
  expect(warn.mock.calls).toEqual([
    [expect.stringContaining("elicit-kit: this hosted page knows people only")],
  ]);
  createHostedPage({ ...options, origin: AUTH, vouch: { url: "https://chat.example.com/run" } });
  createHostedPage({ ...options, origin: AUTH, session: () => undefined });
  expect(warn).toHaveBeenCalledTimes(1);
  warn.mockRestore();
});
