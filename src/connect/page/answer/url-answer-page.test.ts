import { expect, test } from "vitest";
import type { FormQuestion, RunTurn, UrlQuestion } from "../../../runtime/index.ts";
import { type Page, contentOf, createBrowser, hiddenFields } from "../../../../test/stages/browser.ts";
import { CHAT_ORIGIN, createChatClient } from "../../../../test/stages/chat-client.ts";
import { AUTH } from "../../../../test/stages/page-stage.ts";
import { asking, createTestRuntime, text } from "../../../../test/stages/test-runtime.ts";
import { createHostedPage } from "../../index.ts";

const ANSWER = `${AUTH}/auth/answer`;

/** The question of an MCP server, which asks the user to open its own page. */
const VENUE: UrlQuestion = {
  mode: "url",
  message: "Reserve the room on the page of the venue.",
  url: () => "https://venue.example.com/room/42",
  acceptMeans: "consent",
  tool: { id: "mcp/planner", name: "planner_plan_day" },
  requester: { name: "Planner", claimedName: "Best <b>planner</b>" },
  context: { trigger: "mcp_elicitation" },
};

function setUp(runTurn: RunTurn, language = "en") {
  const runtime = createTestRuntime(runTurn, { hostedPage: { origin: AUTH } });
  const errors: unknown[] = [];
  const page = createHostedPage({
    origin: AUTH,
    vouch: { url: `${CHAT_ORIGIN}/run` },
    elicitations: runtime.elicitations,
    credentials: {
      get: async () => undefined,
      set: async () => {},
      delete: async () => {},
      replace: async () => false,
    },
    providers: {},
    chatHome: CHAT_ORIGIN,
    clock: runtime.clock,
    onError: (error) => errors.push(error),
  });
  const fetch = (request: Request) => {
    request.headers.set("accept-language", language);
    return page.fetch(request);
  };
  const browser = createBrowser({ [AUTH]: fetch, [CHAT_ORIGIN]: runtime.fetch });
  browser.setCookie(CHAT_ORIGIN, "user", "ada");
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const linkOf = (elicitationId: string) => runtime.elicitations.linkFor(elicitationId) ?? "";
  const answer = async (shown: Page, action: string, more: Record<string, string> = {}) =>
    browser.follow(await browser.post(ANSWER, { ...hiddenFields(shown), action, ...more }));
  return { runtime, browser, ada, linkOf, answer, errors };
}

const linkIn = (page: Page) => /<a\s+class="button primary"\s+href="([^"]+)"[^>]*>/.exec(page.text);

test("a page of an MCP server is opened after the user has seen its address, and cannot reach the opener", async () => {
  let consents = 0;
  const s = setUp(asking({ ...VENUE, onConsent: () => (consents += 1) }));
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request();
  const shown = await s.browser.visit(s.linkOf(elicitationId));
  expect(shown.text).toContain("Reserve the room on the page of the venue.");
  expect(shown.text).toContain("<code>https://venue.example.com/room/42</code>");
  expect(shown.text).toContain(
    "It calls itself “Best &lt;b&gt;planner&lt;/b&gt;”. Nobody has verified this name.",
  );
  expect(linkIn(shown)).toBeNull();
  expect(consents).toBe(0);

  const agreed = await s.answer(shown, "accept");
  expect(consents).toBe(1);
  const [tag, href] = linkIn(agreed) ?? [];
  expect(href).toBe("https://venue.example.com/room/42");
  expect(tag).toMatch(/target="_blank"\s+rel="noopener noreferrer"/);
  expect((await s.runtime.elicitations.get(elicitationId))?.status).toBe("consented");

  // "I've finished" is passed on, and does not end the request.
  await s.answer(agreed, "accept");
  expect(consents).toBe(2);
  await s.runtime.elicitations.complete(elicitationId);
  expect((await s.browser.visit(s.linkOf(elicitationId))).text).toContain("Page finished");
  await stream.done;
  expect(s.errors).toEqual([]);
});

test("a user declines to open a page", async () => {
  const s = setUp(asking(VENUE));
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request();
  const shown = await s.browser.visit(s.linkOf(elicitationId));
  expect((await s.answer(shown, "decline")).text).toContain("You declined");
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: '{"outcome":"declined"}' }));
});

test.each([
  ["javascript:alert(document.domain)"],
  ["https://good.example@evil.example/"],
  ["http://venue.example.com/room"],
  ["data:text/html,<script>alert(1)</script>"],
])("a link to %s is shown as unsafe, and cannot be accepted", async (url) => {
  const s = setUp(asking({ ...VENUE, url: () => url }));
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request();
  const shown = await s.browser.visit(s.linkOf(elicitationId));
  expect(shown.text).toContain("This link is not safe, so it cannot be opened.");
  expect(shown.text).not.toContain('value="accept"');
  expect(linkIn(await s.answer(shown, "accept"))).toBeNull();
  expect((await s.runtime.elicitations.get(elicitationId))?.status).toBe("pending");
  await s.answer(shown, "decline");
  await stream.done;
});

test("an imitated name is marked as an imitation before the user agrees", async () => {
  const s = setUp(asking({ ...VENUE, url: () => "https://аррӏе.com/pay" }));
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request();
  const shown = await s.browser.visit(s.linkOf(elicitationId));
  expect(shown.text).toContain("This is not apple.com");
  expect(shown.text).toContain("xn--");
  await stream.cancel();
});

test.each(["ar", "ja"])(
  "the page that leads to a link of the agent is in the language of the browser: %s",
  async (language) => {
    const s = setUp(asking(VENUE), language);
    const stream = await s.ada.send("c1");
    const { elicitationId } = await stream.request();
    const shown = await s.browser.visit(s.linkOf(elicitationId));
    expect(shown.text).toContain(`<html lang="${language}"`);
    const own = contentOf(shown)
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(
        /Reserve the room on the page of the venue\.|Best|planner|Planner|venue|example|com|room|https|ada|chat|auth|lt|gt|b/gi,
        "",
      );
    expect(own).not.toMatch(/[a-z]{3,}/i);
    await stream.cancel();
  },
);

const form = (name: string): FormQuestion => ({
  mode: "form",
  message: `Which ${name}?`,
  tool: { id: "planner", name: "plan_day" },
  requester: { name: "Planner" },
  requestedSchema: { type: "object", properties: { [name]: { type: "string", title: name } } },
});

const EACH_IS_SENT = "Each answer is sent on its own. Your chat goes on after the last one.";

test("the page leads through the requests of a round, sends each answer separately, and says so", async () => {
  const s = setUp(async function* run(turn) {
    const results = await turn.askRound([form("city"), form("day"), form("room")]);
    yield* text(JSON.stringify(results));
  });
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request(2);
  await stream.request(0, ({ round }) => round?.size === 3);
  let shown = await s.browser.visit(s.linkOf(elicitationId));
  const asked: string[] = [];
  for (let turn = 1; turn <= 3; turn += 1) {
    expect(shown.text).toContain(`${turn - 1} of 3 answered. ${EACH_IS_SENT}`);
    asked.push(/Which (\w+)\?/.exec(shown.text)?.[1] ?? "");
    const done = await s.answer(shown, "accept", { f0: `answer ${turn}` });
    const next = linkIn(done)?.[1];
    expect(await s.runtime.elicitations.listOpen("c1", "ada")).toHaveLength(3 - turn);
    if (turn === 3) {
      expect(next).toBeUndefined();
      expect(done.text).toContain("Your chat goes on by itself.");
    } else {
      expect(done.text).toContain(`${turn} of 3 answered. ${EACH_IS_SENT}`);
      shown = await s.browser.visit(next?.replaceAll("&amp;", "&") ?? "");
    }
  }
  expect(asked.toSorted()).toEqual(["city", "day", "room"]);
  await stream.done;
  const said = stream.chunks.find(({ type }) => type === "text-delta");
  expect(JSON.parse(String(said?.["delta"]))).toEqual([
    expect.objectContaining({ outcome: "accepted" }),
    expect.objectContaining({ outcome: "accepted" }),
    expect.objectContaining({ outcome: "accepted" }),
  ]);
});
