import { readFileSync } from "node:fs";
import { type User, createRuntime } from "elicit-kit/runtime";
import { type SlackPerson, createSlackSurface } from "elicit-kit/slack";
import { createFakeSlack } from "elicit-kit/slack/testing";
import { describe, expect, test } from "vitest";
import { createSlackLinkPage } from "../../../docs/examples/slack-link.ts";
import { startSlackIssuer } from "./slack-issuer.ts";
import { noErrors } from "../../stages/no-errors.ts";

const ORIGIN = "https://auth.example.com";

/** The example of docs/protocols/slack-users.md with a table in memory, in front of Slack's OpenID Connect. */
async function setUp() {
  const client = { id: "123.456", secret: "client-secret", redirectUri: `${ORIGIN}/slack/callback` };
  const issuer = await startSlackIssuer(client);
  const table = new Map<string, User>();
  const keyOf = ({ team, user }: SlackPerson) => `${team} ${user}`;
  const page = createSlackLinkPage({
    clientId: client.id,
    clientSecret: client.secret,
    origin: ORIGIN,
    authenticate: async (request) => {
      const id = /\bsession=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1];
      return id === undefined ? undefined : { id };
    },
    save: async (person, user) => void table.set(keyOf(person), user),
    fetch: issuer.fetch,
  });

  /** A browser with its own cookies. `session`: the user who is signed in to the operator's site. */
  function openBrowser(session?: string) {
    const jars = new Map<string, Map<string, string>>();
    const jarOf = (url: string) => {
      const { origin } = new URL(url);
      const jar =
        jars.get(origin) ?? new Map(origin === ORIGIN && session !== undefined ? [["session", session]] : []);
      jars.set(origin, jar);
      return jar;
    };
    async function get(url: string): Promise<Response> {
      const jar = jarOf(url);
      const headers = { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") };
      const response = await (url.startsWith(ORIGIN)
        ? page.fetch(new Request(url, { headers }))
        : issuer.fetch(url, { headers }));
      for (const set of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        if (value === "") jar.delete(name);
        else jar.set(name, value);
      }
      return response;
    }
    /** Follows redirects, to the last page or to the first one that `until` accepts. */
    async function visit(url: string, until: (url: string) => boolean = () => false) {
      for (let at = url; ;) {
        if (until(at)) return { url: at, text: "" };
        const response = await get(at);
        const location = response.headers.get("location");
        if (location === null) return { url: at, text: await response.text() };
        at = new URL(location, at).href;
      }
    }
    return { visit };
  }
  return { issuer, table, openBrowser, userOf: (person: SlackPerson) => table.get(keyOf(person)) };
}

const isCallback = (url: string) => url.startsWith(`${ORIGIN}/slack/callback`);

test("an unknown Slack user gets a link, signs in with Slack there, and the agent knows them", async () => {
  const { issuer, openBrowser, userOf } = await setUp();
  const users: (string | undefined)[] = [];
  const runtime = createRuntime({
    async *runTurn(turn) {
      users.push(turn.user?.id);
      yield { type: "start" };
    },
    authenticate: () => undefined,
    allowedOrigins: [],
    onError: noErrors(),
  });
  const slack = createFakeSlack({ app: (request) => surface.fetch(request) });
  const surface = createSlackSurface({
    runtime,
    signingSecret: slack.signingSecret,
    token: slack.token,
    userOf,
    linkUrl: `${ORIGIN}/slack/link`,
    fetch: slack.fetch,
    onError: noErrors(),
  });
  const eve = slack.person({ name: "Eve" });
  const ops = slack.channel({ name: "ops", members: [eve] });

  const { ts: thread } = await eve.say(ops, `${slack.mention} hello`);
  await expect.poll(() => slack.messages(ops, thread)).toHaveLength(2);
  const link = await eve.press(slack.messages(ops, thread)[1]!, "Link your account");
  expect(users).toEqual([]);
  issuer.person = { user: eve.id, team: eve.team };
  expect((await openBrowser("eve7").visit(link ?? "")).text).toContain("is linked");
  await eve.say(ops, `${slack.mention} hello again`, { thread });
  await expect.poll(() => users).toEqual(["eve7"]);
});

test("docs/protocols/slack-users.md contains the tested page unchanged", () => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
  const path = "docs/examples/slack-link.ts";
  expect(read("docs/protocols/slack-users.md")).toContain(`\`\`\`ts\n// ${path}\n${read(path)}\`\`\``);
});

describe("the page that links accounts", () => {
  test("links the account of the user who is signed in to Slack in that browser, even if another user got the link", async () => {
    const { issuer, table, openBrowser } = await setUp();
    issuer.person = { user: "UBOB", team: "T0ACME" };
    await openBrowser("bob").visit(`${ORIGIN}/slack/link`);
    expect([...table]).toEqual([["T0ACME UBOB", { id: "bob" }]]);
  });

  test("links no account without a session on the site", async () => {
    const { table, openBrowser } = await setUp();
    expect((await openBrowser().visit(`${ORIGIN}/slack/link`)).text).toBe("Sign in first.");
    expect(table.size).toBe(0);
  });

  test("does not link an attacker's Slack account to a user who follows the attacker's link", async () => {
    const { issuer, table, openBrowser } = await setUp();
    issuer.person = { user: "UMALLORY", team: "T0ACME" };
    const stopped = await openBrowser("mallory").visit(`${ORIGIN}/slack/link`, isCallback);
    expect(isCallback(stopped.url)).toBe(true);
    expect((await openBrowser("victim").visit(stopped.url)).text).toContain("Open the link in Slack again");
    // It does not work either while the victim is linking their own Slack account.
    const victim = openBrowser("victim");
    issuer.person = { user: "UVICTIM", team: "T0ACME" };
    await victim.visit(`${ORIGIN}/slack/link`, isCallback);
    expect((await victim.visit(stopped.url)).text).toContain("Slack did not say who you are");
    expect(table.size).toBe(0);
  });

  test("accepts each reply of Slack once", async () => {
    const { issuer, table, openBrowser } = await setUp();
    issuer.person = { user: "UEVE", team: "T0ACME" };
    const browser = openBrowser("eve7");
    const { url } = await browser.visit(`${ORIGIN}/slack/link`, isCallback);
    expect((await browser.visit(url)).text).toContain("is linked");
    table.clear();
    expect((await browser.visit(url)).text).toContain("Open the link in Slack again");
    expect(table.size).toBe(0);
  });
});
