/**
 * Values that work once: the state of a sign-in, a ticket, the link of a notice, a form with an API key. Mail scanners,
 * previews of links and security products fetch addresses that users visit, mostly without cookies.
 */
import { afterAll, beforeAll, beforeEach, describe, expect } from "vitest";
import { fieldCase } from "./field-case.ts";
import { type Browser, type Page, bodyData, hiddenFields, nextOf } from "../stages/browser.ts";
import { type TestProvider, startTestProvider } from "../stages/oidc-provider.ts";
import { AUTH, CALLBACK, callbackUrl, createPageStage, statusOf } from "../stages/page-stage.ts";

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider([CALLBACK]);
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.person = "approve";
});

/** What programs send that load an address before a user has pressed it. */
const AHEAD: readonly Record<string, string>[] = [
  { "sec-purpose": "prefetch", "sec-fetch-dest": "document" },
  { "sec-purpose": "prefetch;prerender", "sec-fetch-dest": "document" },
  { purpose: "prefetch" },
  { "x-purpose": "preview" },
  { "x-moz": "prefetch" },
];

const kindOf = (page: Page) => bodyData(page, "page");

async function leave(browser: Browser, url: string): Promise<Page> {
  const page = await browser.visit(url);
  return browser.post(`${AUTH}/auth/connect/start`, hiddenFields(page));
}

describe("the callback of a sign-in", () => {
  fieldCase(
    {
      sources: ["nextauthjs/next-auth#1840", "emdash-cms/emdash#3298"],
      before: "failed",
    },
    "a program that fetches the callback without cookies before the browser does not use up the sign-in",
    async () => {
      const s = await createPageStage(provider);
      const url = await callbackUrl(s.browser, await leave(s.browser, s.url));
      const scanned = await s.newBrowser().get(url, { "user-agent": "Mozilla/5.0 (scanner)" });
      expect(scanned.status).toBe(400);
      expect((await s.browser.follow(await s.browser.get(url))).text).toContain("Tracker is connected");
    },
  );

  fieldCase(
    { sources: ["streamlit/streamlit#15568"], before: "failed" },
    "a browser that fetches the callback ahead of its user connects nothing until the user is there",
    async () => {
      const s = await createPageStage(provider);
      const url = await callbackUrl(s.browser, await leave(s.browser, s.url));
      for (const headers of AHEAD) {
        const reply = await s.browser.get(url, headers);
        expect([reply.status, reply.headers.get("cache-control")]).toEqual([503, "no-store"]);
      }
      expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
      expect((await s.browser.follow(await s.browser.get(url))).text).toContain("Tracker is connected");
    },
  );

  fieldCase(
    { sources: ["PrefectHQ/fastmcp#4814", "intuit/quickbooks-online-mcp-server#77"], before: "passed" },
    "a browser that sends the form of a sign-in and its callback twice connects once, and shows it in both",
    async () => {
      const s = await createPageStage(provider);
      const page = await s.browser.visit(s.url);
      const fields = hiddenFields(page);
      await s.browser.post(`${AUTH}/auth/connect/start`, fields);
      const url = await callbackUrl(s.browser, await s.browser.post(`${AUTH}/auth/connect/start`, fields));
      const [first, second] = await Promise.all([s.browser.get(url), s.browser.get(url)]);
      for (const reply of [first, second]) {
        expect((await s.browser.follow(reply)).text).toContain("Tracker is connected");
      }
      expect(s.errors).toEqual([]);
    },
  );
});

describe("the callback of GitHub without a state", () => {
  fieldCase(
    { sources: ["polarsource/polar#690"], before: "failed" },
    "a user who has asked the owners of an organisation reads that they must approve first",
    async () => {
      const s = await createPageStage(provider);
      const page = await s.browser.get(`${CALLBACK}?setup_action=request`);
      expect([page.status, page.text.includes("An administrator of GitHub must approve this first")]).toEqual(
        [200, true],
      );
      expect(await statusOf(s)).toMatchObject({ status: "pending" });
    },
  );
});

describe("a ticket that brings the browser back from the chat", () => {
  const atTicket = async (s: Awaited<ReturnType<typeof createPageStage>>, url: string) => {
    const before = await s.browser.visit(url, { until: `${AUTH}/auth/` });
    const ticket = nextOf(before) ?? "";
    expect(ticket).toContain("ticket=");
    return ticket;
  };
  const FROM_CHAT = { referer: `${AUTH}/`, "sec-fetch-dest": "document" };

  fieldCase(
    { sources: ["PrefectHQ/fastmcp#4814"], before: "failed" },
    "a browser that opens its ticket again sees the page of its request",
    async () => {
      const s = await createPageStage(provider);
      const ticket = await atTicket(s, s.url);
      for (let count = 0; count < 2; count += 1) {
        const page = await s.browser.visit(ticket, { headers: FROM_CHAT });
        expect([page.status, page.text.includes("<h1>Connect Tracker</h1>")]).toEqual([200, true]);
      }
      const elsewhere = await s.newBrowser().visit(ticket, { headers: FROM_CHAT });
      expect([elsewhere.status, elsewhere.text.includes("Tracker")]).toEqual([403, false]);
    },
  );

  fieldCase(
    { sources: ["PrefectHQ/fastmcp#4814"], before: "failed" },
    "a browser that opens the ticket for its accounts again sees its accounts",
    async () => {
      const s = await createPageStage(provider);
      const ticket = await atTicket(s, `${AUTH}/auth/accounts`);
      for (let count = 0; count < 2; count += 1) {
        const page = await s.browser.visit(ticket, { headers: FROM_CHAT });
        expect([page.status, page.text.includes("Connected accounts")]).toEqual([200, true]);
      }
      expect((await s.newBrowser().visit(ticket, { headers: FROM_CHAT })).status).toBe(403);
    },
  );

  fieldCase(
    { sources: ["NiffirgkcaJ/all-in-one-clipboard#41"], before: "failed" },
    "neither a scanner nor a browser that fetches ahead uses up a ticket",
    async () => {
      const s = await createPageStage(provider);
      const ticket = await atTicket(s, s.url);
      await s.newBrowser().get(ticket, FROM_CHAT);
      for (const headers of AHEAD) {
        expect((await s.browser.get(ticket, { ...FROM_CHAT, ...headers })).headers.getSetCookie()).toEqual(
          [],
        );
      }
      expect((await s.browser.visit(ticket, { headers: FROM_CHAT })).text).toContain(
        "<h1>Connect Tracker</h1>",
      );
    },
  );
});

describe("the link of a notice", () => {
  fieldCase(
    { sources: ["emdash-cms/emdash#3298", "farjadp/Gheychi-Premium#4"], before: "passed" },
    "previews, scanners and other accounts that open a link change nothing, and its user can still answer",
    async () => {
      const s = await createPageStage(provider);
      const link = s.runtime.elicitations.linkFor(s.elicitationId) ?? "";
      for (const visitor of [s.newBrowser(), s.newBrowser("mallory")]) {
        await visitor.get(link, { "user-agent": "Slackbot-LinkExpanding 1.0" });
        expect((await visitor.visit(link)).text).not.toContain("Tracker");
      }
      for (const headers of AHEAD) await s.browser.get(link, headers);
      expect(await statusOf(s)).toMatchObject({ status: "pending" });
      expect((await s.browser.visit(link)).text).toContain("<h1>Connect Tracker</h1>");
    },
  );

  fieldCase(
    { sources: ["alphagov/notifications-admin#3431"], before: "failed" },
    "the link of an ended request shows its user how it ended, and shows nobody else anything",
    async () => {
      const s = await createPageStage(provider);
      const link = s.runtime.elicitations.linkFor(s.elicitationId) ?? "";
      await s.ada.answer("c1", { elicitationId: s.elicitationId, action: "decline" });
      const page = await s.browser.visit(link);
      expect([page.status, kindOf(page)]).toEqual([200, "ended"]);
      for (const visitor of [s.newBrowser(), s.newBrowser("mallory")]) {
        const other = await visitor.visit(link);
        const unknown = await visitor.visit(link.replace(s.elicitationId, "A".repeat(22)));
        expect([other.status, kindOf(other)]).toEqual([unknown.status, kindOf(unknown)]);
        expect(other.text).not.toContain("Tracker");
      }
    },
  );
});

describe("the page for an API key", () => {
  fieldCase(
    { sources: ["farjadp/Gheychi-Premium#4", "PrefectHQ/fastmcp#4814"], before: "passed" },
    "a page that was fetched ahead still takes the key, and a browser that sends the key twice sees that it is connected",
    async () => {
      const s = await createPageStage(provider, {
        page: {
          providers: { tracker: { service: "Tracker", apiKey: { check: async () => true } } },
        },
      });
      for (const headers of AHEAD) await s.browser.get(s.url, headers);
      await s.newBrowser().get(s.url);
      const page = await s.browser.visit(s.url);
      const fields = { ...hiddenFields(page), key: "key-1" };
      const sent = [0, 1].map(() => s.browser.post(`${AUTH}/auth/connect/key`, fields));
      for (const reply of await Promise.all(sent)) {
        expect((await s.browser.follow(reply)).text).toContain("Tracker is connected");
      }
      expect(await statusOf(s)).toMatchObject({ status: "accepted" });
    },
  );
});
