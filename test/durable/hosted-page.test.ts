import { afterAll, beforeAll, expect, test } from "vitest";
import { createHostedPage } from "../../src/connect/index.ts";
import { createBrowser, hiddenFields } from "../stages/browser.ts";
import { CHAT_ORIGIN, createChatClient } from "../stages/chat-client.ts";
import { RESOURCE, type TestProvider, startTestProvider } from "../stages/oidc-provider.ts";
import { AUTH, CALLBACK, RUNTIME_URL, callbackUrl, linkTo } from "../stages/page-stage.ts";
import { createTestDatabase, startPorts } from "../stages/postgres-database.ts";
import type { FormQuestion, UrlQuestion } from "../../src/runtime/index.ts";
import { CITY, CONNECT, asking, createTestRuntime } from "../stages/test-runtime.ts";

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider([CALLBACK]);
});
afterAll(() => provider.close());

/** Two processes, each with the chat's runtime and the hosted page. Requests alternate between them. */
async function setUp(question: UrlQuestion | FormQuestion, scopes = ["issues:write"]) {
  const { url, query } = await createTestDatabase();
  const processes = await Promise.all(
    [1, 2].map(async () => {
      const ports = await startPorts(url);
      const runtime = createTestRuntime(asking(question), { ports, hostedPage: { origin: AUTH } });
      const page = createHostedPage({
        origin: AUTH,
        vouch: { url: RUNTIME_URL },
        elicitations: runtime.elicitations,
        credentials: ports.credentials,
        transactions: ports.transactions,
        clock: ports.clock,
        providers: {
          tracker: {
            service: "Tracker",
            issuer: provider.issuer,
            clientId: provider.clientId,
            scopes,
            resource: RESOURCE,
          },
        },
        onError: (error) => runtime.errors.push(error),
      });
      return { ports, runtime, page };
    }),
  );
  let count = 0;
  const next = () => processes[(count += 1) % 2]!;
  function newBrowser() {
    const browser = createBrowser({
      [AUTH]: (request) => next().page.fetch(request),
      [CHAT_ORIGIN]: (request) => next().runtime.fetch(request),
    });
    browser.setCookie(CHAT_ORIGIN, "user", "ada");
    return browser;
  }
  const browser = newBrowser();
  const ada = createChatClient(processes[0]!.runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  return { processes, browser, newBrowser, ada, stream, elicitationId, query };
}

test("a user connects an account while other processes handle the HTTP requests, and the agent continues in its own process", async () => {
  const { processes, browser, stream, elicitationId } = await setUp(CONNECT);
  const consent = await browser.visit(linkTo(elicitationId));
  const back = await browser.follow(await browser.post(`${AUTH}/auth/connect/start`, hiddenFields(consent)));
  expect(back.text).toContain("<h1>Tracker is connected</h1>");
  await stream.done;
  expect(stream.chunks).toContainEqual(
    expect.objectContaining({ delta: '{"outcome":"accepted","content":{}}' }),
  );
  for (const { ports, runtime } of processes) {
    const credential = await ports.credentials.get("tracker", "ada");
    expect(await provider.isActive(credential?.accessToken ?? "")).toBe(true);
    expect(runtime.errors).toEqual([]);
  }
});

test("a user is connected although the database cannot remember their return for a reload of the callback", async () => {
  const { processes, browser, elicitationId, query } = await setUp(CONNECT);
  const consent = await browser.visit(linkTo(elicitationId));
  const left = await browser.post(`${AUTH}/auth/connect/start`, hiddenFields(consent));
  const callback = await callbackUrl(browser, left);
  await query(
    `create function public.refuse() returns trigger language plpgsql as $$ begin
       if new.kind = 'sign-in' then raise exception 'no' using errcode = '42501'; end if;
       return new;
     end $$`,
  );
  await query(
    "create trigger refuse before insert on elicit_kit.secrets for each row execute function public.refuse()",
  );
  const back = await browser.follow(await browser.get(callback));
  expect(back.text).toContain("<h1>Tracker is connected</h1>");
  expect(processes.flatMap(({ runtime }) => runtime.errors).map(String)).toEqual([
    expect.stringContaining("42501"),
  ]);
});

test("of two chats in which the user connects another account at the same moment, one gets it, and the request of the other fails", async () => {
  const s = await setUp(
    {
      ...CONNECT,
      tool: { id: "tracker/2", name: "tracker_create_issue", isNew: true },
      signIn: { url: "https://tracker.example.com/mcp", service: "Tracker", another: true },
    },
    ["openid", "issues:write"],
  );
  const second = await s.ada.send("c2");
  const ids = [s.elicitationId, (await second.request()).elicitationId];
  const returns: (() => Promise<unknown>)[] = [];
  for (const [index, id] of ids.entries()) {
    provider.account = ["carol", "bob"][index] ?? "";
    const browser = s.newBrowser();
    const consent = await browser.visit(linkTo(id));
    const left = await browser.post(`${AUTH}/auth/connect/start`, hiddenFields(consent));
    const callback = await callbackUrl(browser, left);
    returns.push(() => browser.get(callback));
  }
  await Promise.all(returns.map((comeBack) => comeBack()));
  const { ports, runtime } = s.processes[0]!;
  const outcomes = await Promise.all(ids.map(async (id) => (await runtime.elicitations.get(id))?.status));
  expect(new Set(outcomes)).toEqual(new Set(["accepted", "failed"]));
  const stored = await ports.credentials.get("tracker/2", "ada");
  expect(stored?.accountId).toBe(outcomes[0] === "accepted" ? "carol" : "bob");
  expect(await provider.isActive(stored?.accessToken ?? "")).toBe(true);
  expect(s.processes.flatMap((one) => one.runtime.errors).map(String)).toEqual([
    expect.stringContaining("at the same time"),
  ]);
});

test("a user answers a form by its link while other processes handle the HTTP requests", async () => {
  const { processes, browser, stream, elicitationId } = await setUp(CITY);
  const link = processes[1]!.runtime.elicitations.linkFor(elicitationId) ?? "";
  const shown = await browser.visit(link);
  expect(shown.text).toContain("Where to?");
  const sent = await browser.post(`${AUTH}/auth/answer`, {
    ...hiddenFields(shown),
    f0: "Rome",
    action: "accept",
  });
  expect((await browser.follow(sent)).status).toBe(200);
  await stream.done;
  expect(stream.chunks).toContainEqual(
    expect.objectContaining({ delta: '{"outcome":"accepted","content":{"city":"Rome"}}' }),
  );
  expect(processes.flatMap(({ runtime }) => runtime.errors)).toEqual([]);
});
