import { inspect } from "node:util";
import { Nango } from "@nangohq/node";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type User, createMemoryRecords } from "../../runtime/index.ts";
import type { ElicitationRecords } from "../../runtime/ports/index.ts";
import { type CredentialStore, createMemoryCredentials } from "../ports/credentials.ts";
import { readNangoFrontend } from "../../node/index.ts";
import { type Page, createBrowser, hiddenFields } from "../../../test/stages/browser.ts";
import { CHAT_ORIGIN, createChatClient } from "../../../test/stages/chat-client.ts";
import { type MockNango, startMockNango } from "../../../test/stages/mock-nango.ts";
import { AUTH, RUNTIME_URL } from "../../../test/stages/page-stage.ts";
import { CONNECT, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { createHostedPage, withConnectors } from "../index.ts";
import type { NangoProvider } from "./nango.ts";
import type { NangoApi } from "./nango.ts";

let mock: MockNango;
beforeEach(async () => {
  mock = await startMockNango();
});
afterEach(() => mock.close());

async function setUp(
  options: {
    nango?: NangoApi;
    fetch?: typeof globalThis.fetch;
    session?: () => User | undefined;
    records?: ElicitationRecords;
  } = {},
) {
  const nango =
    options.nango ?? new Nango({ host: mock.url, apiKey: mock.apiKey, webhookSigningKey: mock.signingKey });
  const tracker: NangoProvider = { service: "Linear", integration: "linear", nango };
  const providers = { tracker };
  const runtime = createTestRuntime(asking(CONNECT), {
    hostedPage: { origin: AUTH },
    ports: { records: options.records },
  });
  const credentials = withConnectors(createMemoryCredentials(), { providers, clock: runtime.clock });
  const errors: unknown[] = [];
  const page = createHostedPage({
    origin: AUTH,
    vouch: { url: RUNTIME_URL },
    elicitations: runtime.elicitations,
    credentials,
    providers,
    nangoFrontend: await readNangoFrontend(),
    clock: runtime.clock,
    onError: (error) => errors.push(error),
    fetch: options.fetch,
    session: options.session,
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  const url = `${AUTH}/auth/connect?elicitationId=${elicitationId}`;
  const browser = createBrowser({ [AUTH]: page.fetch, [CHAT_ORIGIN]: runtime.fetch });
  browser.setCookie(CHAT_ORIGIN, "user", "ada");
  return {
    runtime,
    credentials,
    errors,
    ada,
    stream,
    elicitationId,
    url,
    page,
    browser,
  };
}

type SetUp = Awaited<ReturnType<typeof setUp>>;

/** Ada opens the link, and her chat vouches for her. */
const arrive = ({ browser, url }: SetUp): Promise<Page> => browser.visit(url);

const post = ({ browser }: SetUp, what: string, page: Page, more: Record<string, string> = {}) =>
  browser.post(`${AUTH}/auth/connect/nango/${what}`, { ...hiddenFields(page), ...more });

const decline = ({ browser }: SetUp, page: Page) =>
  browser.post(`${AUTH}/auth/connect/decline`, hiddenFields(page));

const tagsOf = ({ elicitationId }: SetUp, user = "ada") => ({
  elicitation_id: elicitationId,
  end_user_id: user,
});

async function status({ ada, elicitationId }: SetUp): Promise<unknown> {
  return (await ada.fetch(`/run/api/elicitations/${elicitationId}`)).json();
}

function webhook(s: SetUp, event: Record<string, unknown>, headers?: Record<string, string>) {
  const body = JSON.stringify({ from: "nango", type: "auth", ...event });
  const request = { method: "POST", body, headers: headers ?? mock.signed(body) };
  return s.page.fetch(new Request(`${AUTH}/auth/connect/nango/webhook`, request));
}
const created = (connection: { connection_id: string; tags: Record<string, string> }) => ({
  success: true,
  operation: "creation",
  connectionId: connection.connection_id,
  providerConfigKey: "linear",
  tags: connection.tags,
});

test("the user's click creates a session for them and this request, and the agent uses the resulting connection", async () => {
  const s = await setUp();
  const consent = await arrive(s);
  expect(consent.text).toContain("<h1>Connect Linear</h1>");
  expect(mock.requests).toEqual([]);

  const session = JSON.parse((await post(s, "session", consent)).text);
  expect(session).toEqual({
    token: expect.stringMatching(/^nango_connect_session_/),
    integration: "linear",
    host: mock.url,
  });
  const { connection_id: connectionId, credentials, created: madeAt } = mock.connect(tagsOf(s));
  expect((await post(s, "complete", consent, { connectionId })).status).toBe(200);
  await s.stream.done;
  expect(await status(s)).toMatchObject({ status: "accepted" });
  expect(await s.credentials.get("tracker", "ada")).toEqual({
    accessToken: credentials.access_token,
    expiresAt: Date.parse(credentials.expires_at),
    connectedAt: Date.parse(madeAt),
  });
  expect(mock.sessions.size).toBe(0);
  expect(s.errors).toEqual([]);
});

test.each([
  [
    "a no in the chat",
    (s: SetUp) => s.ada.answer("c1", { elicitationId: s.elicitationId, action: "decline" }),
  ],
  ["a no on the page", async (s: SetUp) => decline(s, await s.browser.get(s.url))],
  ["its time", async (s: SetUp) => s.runtime.clock.advance(600_000)],
  ["the end of its turn", (s: SetUp) => s.ada.fetch("/run/api/chat/c1/stop", { method: "POST" })],
])("a session ends with its request, by %s, so that it cannot be passed on", async (_, end) => {
  const s = await setUp();
  const consent = await arrive(s);
  await post(s, "session", consent);
  await post(s, "session", consent);
  expect(mock.sessions.size).toBe(1);
  await end(s);
  await s.stream.done;
  await expect.poll(() => mock.sessions.size).toBe(0);
  expect(s.errors).toEqual([]);
});

test("no Nango session is created before the chat has vouched for the browser", async () => {
  const s = await setUp();
  const waiting = await s.browser.get(s.url);
  expect((await post(s, "session", waiting)).status).toBe(400);
  const forged = { elicitationId: s.elicitationId, csrf: "x".repeat(43) };
  expect((await s.browser.post(`${AUTH}/auth/connect/nango/session`, forged)).status).toBe(403);
  expect(mock.requests).toEqual([]);
});

test("a user who signs in to another account after opening the page gets no session and completes nothing", async () => {
  let signedIn = { id: "ada" };
  const s = await setUp({ session: () => signedIn });
  const consent = await s.browser.get(s.url);
  signedIn = { id: "bob" };
  const { connection_id: connectionId } = mock.connect(tagsOf(s));
  expect((await post(s, "session", consent)).status).toBe(404);
  expect((await post(s, "complete", consent, { connectionId })).status).toBe(404);
  expect((await post(s, "failed", consent)).status).toBe(404);
  expect(mock.sessions.size).toBe(0);
  expect(await status(s)).toMatchObject({ status: "pending" });
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
});

test("neither the link, nor the page, nor the log, nor the chat contains a session or a token", async () => {
  const s = await setUp();
  const consent = await arrive(s);
  const { token } = JSON.parse((await post(s, "session", consent)).text);
  const { connection_id: connectionId, credentials } = mock.connect(tagsOf(s));
  await post(s, "complete", consent, { connectionId });
  await s.stream.done;
  const seen = JSON.stringify([
    s.url,
    consent.text,
    (await s.browser.get(s.url)).text,
    s.stream.chunks,
    await status(s),
  ]);
  for (const secret of [token, mock.apiKey, credentials.access_token, connectionId])
    expect(seen).not.toContain(secret);
});

test.each<[string, (s: SetUp) => string]>([
  ["another person's", (s) => mock.connect(tagsOf(s, "bob")).connection_id],
  ["another request's", (s) => mock.connect({ ...tagsOf(s), elicitation_id: "other" }).connection_id],
  ["another integration's", (s) => mock.connect(tagsOf(s), "other").connection_id],
  ["nobody's", () => "00000000-0000-0000-0000-000000000000"],
  ["no", () => ""],
])("a page that claims %s connection completes nothing", async (_, connectionOf) => {
  const s = await setUp();
  const consent = await arrive(s);
  await post(s, "session", consent);
  const reply = await post(s, "complete", consent, { connectionId: connectionOf(s) });
  expect(reply.status).toBe(403);
  expect(await status(s)).toMatchObject({ status: "pending" });
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
});

test.each([
  "../integrations?x=",
  "..%2Fintegrations",
  "%2e%2e/integrations",
  "id?provider_config_key=other",
  "id#",
  "id/metadata",
  ".",
  "..",
  "id\nx",
  "é",
  "a".repeat(65),
])(
  "an invalid connection id %j from a page is not sent to Nango with the operator's key",
  async (connectionId) => {
    const s = await setUp();
    const consent = await arrive(s);
    const asked = mock.requests.length;
    expect((await post(s, "complete", consent, { connectionId })).status).toBe(403);
    expect((await webhook(s, created({ connection_id: connectionId, tags: tagsOf(s) }))).status).toBe(200);
    expect(mock.requests.slice(asked)).toEqual([]);
    expect(await status(s)).toMatchObject({ status: "pending" });
  },
);

test("a reply of Nango about a connection other than the requested one completes nothing", async () => {
  const nango: NangoApi = new Nango({ host: mock.url, apiKey: mock.apiKey });
  const s = await setUp({ nango });
  const theirs = mock.connect(tagsOf(s));
  nango.getConnection = async () => theirs;
  const reply = await post(s, "complete", await arrive(s), { connectionId: crypto.randomUUID() });
  expect(reply.status).toBe(403);
  expect(await status(s)).toMatchObject({ status: "pending" });
});

test("no connection is removed when Nango lists more than was requested", async () => {
  const nango = new Nango({ host: mock.url, apiKey: mock.apiKey, webhookSigningKey: mock.signingKey });
  const listConnections = nango.listConnections.bind(nango);
  nango.listConnections = () => listConnections({ integrationId: "linear" });
  const s = await setUp({ nango });
  const bobs = mock.connect({ elicitation_id: "of another request", end_user_id: "bob" });
  const stray = mock.connect({ elicitation_id: "AAAAAAAAAAAAAAAAAAAAAA", end_user_id: "ada" });
  await webhook(s, created(stray));
  expect(mock.connections).toEqual([bobs]);
});

test("a connection with an id that is unsafe in a path is treated as missing", async () => {
  const s = await setUp();
  const { connection_id: connectionId } = mock.connect(tagsOf(s));
  await post(s, "complete", await arrive(s), { connectionId });
  const odd = mock.connect(tagsOf(s));
  odd.connection_id = "../integrations?x=";
  odd.metadata = { elicit_kit: { tool: "tracker", elicitation: s.elicitationId } };
  const asked = mock.requests.length;
  expect(await s.credentials.get("tracker", "ada")).toBeDefined();
  expect(mock.requests.slice(asked).join(" ")).not.toContain("integrations");
});

test.each(["linear&x=1", "../linear", "linear#", "lin/ear", "linear?", "", "a".repeat(256)])(
  "an integration named %j is refused at the start",
  async (integration) => {
    const { elicitations } = createTestRuntime(asking(CONNECT));
    const nango = new Nango({ host: mock.url, apiKey: mock.apiKey });
    const options = { elicitations, credentials: createMemoryCredentials(), onError: () => {} };
    const providers = { tracker: { service: "Linear", integration, nango } };
    const nangoFrontend = await readNangoFrontend();
    expect(() => createHostedPage({ ...options, origin: AUTH, providers, nangoFrontend })).toThrow(
      "elicit-kit: the id of a Nango integration",
    );
  },
);

test("an unconfirmed connection is never used, whatever its tags say", async () => {
  const s = await setUp();
  const connection = mock.connect(tagsOf(s));
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
  connection.metadata = { elicit_kit: { tool: "tracker", elicitation: "of another request" } };
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
});

test("a connection is never used for a user or tool other than its own", async () => {
  const s = await setUp();
  const { connection_id: connectionId } = mock.connect(tagsOf(s));
  await post(s, "complete", await arrive(s), { connectionId });
  expect(await s.credentials.get("tracker", "ada")).toBeDefined();
  expect(await s.credentials.get("tracker", "bob")).toBeUndefined();
  expect(await s.credentials.get("other", "ada")).toBeUndefined();
});

test("the page shows the provider's refusal, and the request stays open", async () => {
  const s = await setUp();
  const consent = await arrive(s);
  await post(s, "failed", consent, { code: "callback_err", isDenied: "true" });
  const page = await s.browser.get(s.url);
  expect(page.text).toContain("You cancelled at Linear.");
  expect(page.text).toContain("Try again");
  expect(await status(s)).toMatchObject({
    status: "pending",
    lastError: "You cancelled at Linear. Nothing was connected.",
  });
  await post(s, "failed", consent, { code: "state_err" });
  expect(await status(s)).toMatchObject({ lastError: "Linear was not connected (state_err)." });
  await post(s, "failed", consent, { code: "<script>" });
  expect(await status(s)).toMatchObject({ lastError: "Linear was not connected." });
  await post(s, "session", consent);
  expect(await status(s)).not.toHaveProperty("lastError");
});

test("a second session of a request replaces the first", async () => {
  const s = await setUp();
  const consent = await arrive(s);
  await post(s, "session", consent);
  const { token } = JSON.parse((await post(s, "session", consent)).text);
  expect([...mock.sessions]).toEqual([token]);
});

test("a signed webhook completes the request even if the page was closed early", async () => {
  const s = await setUp();
  await post(s, "session", await arrive(s));
  const connection = mock.connect(tagsOf(s));
  expect((await webhook(s, created(connection))).status).toBe(200);
  await s.stream.done;
  expect(await s.credentials.get("tracker", "ada")).toBeDefined();
  expect(mock.sessions.size).toBe(0);
});

test("the record names the user who connected if the page reports it, and names no user if the webhook does", async () => {
  const s = await setUp();
  const consent = await arrive(s);
  const connection = mock.connect(tagsOf(s));
  const changedBy = async () => (await s.runtime.elicitations.get(s.elicitationId))?.changedBy;
  const byAda = { userId: "ada", through: "page", at: s.runtime.clock.now() };
  await post(s, "failed", consent, { type: "window_closed" });
  expect(await changedBy()).toEqual(byAda);
  await post(s, "complete", consent, { connectionId: connection.connection_id });
  expect(await changedBy()).toEqual(byAda);

  const other = await setUp();
  await webhook(other, created(mock.connect(tagsOf(other))));
  const record = await other.runtime.elicitations.get(other.elicitationId);
  expect(record).toMatchObject({ status: "accepted" });
  expect(record?.changedBy).toBeUndefined();
});

test("page and webhook, in either order and repeated, result in one connection", async () => {
  for (const order of ["page first", "webhook first", "at once"]) {
    const s = await setUp();
    const consent = await arrive(s);
    const connection = mock.connect(tagsOf(s));
    const page = () => post(s, "complete", consent, { connectionId: connection.connection_id });
    const hook = () => webhook(s, created(connection));
    if (order === "at once") await Promise.all([page(), hook(), page(), hook()]);
    else for (const step of order === "page first" ? [page, hook, hook] : [hook, page, hook]) await step();
    await s.stream.done;
    const left = mock.connections.filter(({ tags }) => tags["elicitation_id"] === s.elicitationId);
    expect(left).toEqual([connection]);
    expect(await s.credentials.get("tracker", "ada")).toBeDefined();
    expect(s.errors).toEqual([]);
  }
});

test.each(["the page", "the webhook"])(
  "when the store is away, %s does not report success, and a repeated report completes the request",
  async (way) => {
    const records = createMemoryRecords();
    const s = await setUp({ records });
    const consent = await arrive(s);
    await post(s, "session", consent);
    const connection = mock.connect(tagsOf(s));
    const report = async () =>
      way === "the page"
        ? (await post(s, "complete", consent, { connectionId: connection.connection_id })).status
        : (await webhook(s, created(connection))).status;
    const outage = vi
      .spyOn(records, "compareAndSet")
      .mockRejectedValueOnce(new Error("the database is away"));
    expect(await report()).toBe(500);
    expect(outage).toHaveBeenCalledOnce();
    expect(await status(s)).toMatchObject({ status: "pending" });
    expect([mock.sessions.size, s.errors.length]).toEqual([1, 1]);
    expect(await report()).toBe(200);
    expect(await status(s)).toMatchObject({ status: "accepted" });
    expect(mock.sessions.size).toBe(0);
  },
);

test("with two windows, one connection is kept and the other is removed at Nango", async () => {
  const s = await setUp();
  const consent = await arrive(s);
  const first = mock.connect(tagsOf(s));
  const second = mock.connect(tagsOf(s));
  await post(s, "complete", consent, { connectionId: first.connection_id });
  await webhook(s, created(second));
  expect(mock.connections).toEqual([first]);
});

test.each<[string, (s: SetUp) => Promise<unknown>]>([
  ["was stopped", (s) => s.ada.fetch("/run/api/chat/c1/stop", { method: "POST" })],
  ["has expired", async (s) => s.runtime.clock.advance(60_000)],
])(
  "a connection that is made after the request %s is removed at Nango, and nothing is stored",
  async (_, end) => {
    for (const way of ["page", "webhook"]) {
      const s = await setUp();
      s.runtime.clock.advance(540_000);
      const consent = await arrive(s);
      await end(s);
      const connection = mock.connect(tagsOf(s));
      if (way === "page") await post(s, "complete", consent, { connectionId: connection.connection_id });
      else await webhook(s, created(connection));
      expect(mock.connections).toEqual([]);
      expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
      expect(JSON.parse((await post(s, "session", consent)).text)).toEqual({ ended: true });
    }
  },
);

test("a user can finish even after the proof of their browser has expired", async () => {
  const s = await setUp();
  const consent = await arrive(s);
  await post(s, "session", consent);
  s.runtime.clock.advance(8 * 60_000);
  const { connection_id: connectionId } = mock.connect(tagsOf(s));
  expect((await post(s, "complete", consent, { connectionId })).status).toBe(200);
  expect((await s.browser.get(s.url)).text).toContain("Linear is connected");
  expect(await status(s)).toMatchObject({ status: "accepted" });
});

test("a webhook for an unknown request removes the connection that it reports", async () => {
  const s = await setUp();
  const stray = mock.connect({ elicitation_id: "AAAAAAAAAAAAAAAAAAAAAA", end_user_id: "ada" });
  expect((await webhook(s, created(stray))).status).toBe(200);
  expect(mock.connections).toEqual([]);
});

test.each<[string, (s: SetUp) => Promise<Response>]>([
  [
    "a failure, which has no tags",
    (s) => webhook(s, { success: false, error: { type: "invalid_callback" } }),
  ],
  ["another event", (s) => webhook(s, { type: "sync", success: true })],
  [
    "no JSON",
    (s) =>
      s.page.fetch(
        new Request(`${AUTH}/auth/connect/nango/webhook`, {
          method: "POST",
          body: "x",
          headers: mock.signed("x"),
        }),
      ),
  ],
])("a webhook about %s is accepted and changes nothing", async (_, send) => {
  const s = await setUp();
  expect((await send(s)).status).toBe(200);
  expect(await status(s)).toMatchObject({ status: "pending" });
  expect(s.errors).toEqual([]);
});

test("a webhook without Nango's signature of its exact bytes is refused", async () => {
  const s = await setUp();
  const connection = mock.connect(tagsOf(s));
  const event = created(connection);
  const signedElse = mock.signed("something else");
  for (const headers of [{}, signedElse, { "x-nango-hmac-sha256": "" }]) {
    expect((await webhook(s, event, headers)).status).toBe(401);
  }
  const unsigned = await setUp({ nango: new Nango({ host: mock.url, apiKey: mock.apiKey }) });
  expect((await webhook(unsigned, event)).status).toBe(401);
  expect(await status(s)).toMatchObject({ status: "pending" });
});

test("a refused token is refreshed at Nango, and deleted when Nango no longer has it", async () => {
  const s = await setUp();
  const { connection_id: connectionId } = mock.connect(tagsOf(s));
  await post(s, "complete", await arrive(s), { connectionId });
  const refused = await s.credentials.get("tracker", "ada");
  if (refused === undefined) throw new Error("not connected");
  const newer = await s.credentials.renew?.("tracker", "ada", refused);
  expect(newer?.accessToken).toMatch(/^at_2_/);
  expect(await s.credentials.renew?.("tracker", "ada", refused)).toEqual(newer);
  expect(await s.credentials.replace("tracker", "ada", refused, undefined)).toBe(false);
  await expect(s.credentials.replace("tracker", "ada", refused, refused)).rejects.toThrow(
    "are kept in a vault",
  );
  if (newer === undefined) throw new Error("not renewed");
  expect(await s.credentials.replace("tracker", "ada", newer, undefined)).toBe(true);
  expect(mock.connections).toEqual([]);
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
  expect(await s.credentials.renew?.("tracker", "ada", newer)).toBeUndefined();
  await expect(s.credentials.set("tracker", "ada", refused)).rejects.toThrow(
    'elicit-kit: the credentials of "tracker" are kept in a vault',
  );
});

test("a connection that the user has replaced is never used again, whatever becomes of the new one", async () => {
  const s = await setUp();
  const confirmed = { elicit_kit: { tool: "tracker", elicitation: s.elicitationId } };
  const connectAgain = () => Object.assign(mock.connect(tagsOf(s)), { metadata: confirmed });
  connectAgain();
  const dead = connectAgain();
  expect((await s.credentials.get("tracker", "ada"))?.accessToken).toBe(dead.credentials.access_token);
  dead.isDead = true;
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
  connectAgain();
  const refused = await s.credentials.get("tracker", "ada");
  if (refused === undefined) throw new Error("not connected");
  expect(await s.credentials.replace("tracker", "ada", refused, undefined)).toBe(true);
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
  expect(mock.connections).toEqual([]);
});

test("Remove deletes the connection at Nango, and the page confirms it", async () => {
  const s = await setUp();
  const { connection_id: connectionId } = mock.connect(tagsOf(s));
  await post(s, "complete", await arrive(s), { connectionId });
  const done = await s.browser.get(s.url);
  expect(done.text).toContain("<h1>Linear is connected</h1>");
  const removed = await s.browser.post(`${AUTH}/auth/connect/remove`, hiddenFields(done));
  expect((await s.browser.follow(removed)).text).toContain("<h1>Linear is no longer connected</h1>");
  expect(mock.connections).toEqual([]);
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
});

test("the page of accounts asks Nango once, and says since when each account is connected", async () => {
  const s = await setUp();
  const first = mock.connect(tagsOf(s));
  first.created = "2026-11-02T08:00:00.000Z";
  first.metadata = { elicit_kit: { tool: "tracker", elicitation: s.elicitationId } };
  const second = mock.connect(tagsOf(s));
  second.created = "2026-11-20T08:00:00.000Z";
  second.metadata = { elicit_kit: { tool: "tracker/2", elicitation: s.elicitationId } };
  const asked = mock.requests.length;
  const { text } = await s.browser.visit(`${AUTH}/auth/accounts`);
  expect([...text.matchAll(/Connected since ([^<]*)/g)].map(([, date]) => date)).toEqual([
    "Nov 2, 2026",
    "Nov 20, 2026",
  ]);
  expect(mock.requests.slice(asked)).toEqual(["GET /connections"]);
});

test("an account at a Nango that reports no date has none on the page of accounts", async () => {
  const s = await setUp();
  const connection = mock.connect(tagsOf(s));
  connection.created = "";
  connection.metadata = { elicit_kit: { tool: "tracker", elicitation: s.elicitationId } };
  const { text } = await s.browser.visit(`${AUTH}/auth/accounts`);
  expect(text).toContain("<small>Connected</small>");
});

test("while Nango cannot be reached, the page of accounts lists the service once", async () => {
  const s = await setUp({ nango: new Nango({ host: "http://127.0.0.1:1", apiKey: mock.apiKey }) });
  const { text } = await s.browser.visit(`${AUTH}/auth/accounts`);
  expect(text.match(/Cannot be checked at the moment/g)).toHaveLength(1);
});

test("disconnecting deletes the connection at Nango", async () => {
  const s = await setUp();
  const { connection_id: connectionId } = mock.connect(tagsOf(s));
  await post(s, "complete", await arrive(s), { connectionId });
  await s.credentials.delete("tracker", "ada");
  expect(mock.connections).toEqual([]);
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
});

test("when Nango refuses the key or is down, the error does not contain the key and the request stays open", async () => {
  const wrongKey = "11111111-1111-4111-8111-111111111111";
  for (const [host, words] of [
    [mock.url, "status 401 (unknown_account)"],
    ["http://127.0.0.1:1", "ECONNREFUSED"],
  ] as const) {
    const s = await setUp({ nango: new Nango({ host, apiKey: wrongKey }) });
    expect((await post(s, "session", await arrive(s))).status).toBe(502);
    expect(await status(s)).toMatchObject({
      status: "pending",
      lastError: "Linear could not be reached, or its answer was not understood.",
    });
    const error: unknown = await s.credentials.get("tracker", "ada").catch((reason: unknown) => reason);
    expect(String(error)).toContain(`elicit-kit: a call to Nango failed: `);
    expect(String(error)).toContain(words);
    expect(inspect([s.errors, error], { depth: 20 })).not.toContain(wrongKey);
    expect(inspect(error)).not.toContain("\n");
  }
});

test("a call to Nango times out after ten seconds", async () => {
  const nango = new Nango({ host: mock.url, apiKey: mock.apiKey });
  nango.listConnections = () => new Promise(() => {});
  const s = await setUp({ nango });
  const reading = s.credentials.get("tracker", "ada").catch((error: unknown) => String(error));
  await vi.waitUntil(() => s.runtime.clock.waiting > 2);
  s.runtime.clock.advance(10_000);
  expect(await reading).toContain(
    `Nango took longer than 10 seconds to answer. Check that this server reaches ${mock.url}.`,
  );
});

test("the page loads Nango's package from its own origin, and may only call Nango's origin", async () => {
  const s = await setUp();
  const consent = await arrive(s);
  expect(consent.text).toContain('<script type="module" src="/auth/connect-nango.js"></script>');
  const { host } = new URL(mock.url);
  expect(consent.headers.get("content-security-policy")).toContain(
    `connect-src 'self' http://${host} ws://${host};`,
  );
  for (const file of ["connect-nango.js", "nango/index.js", "nango/authModal.js"]) {
    const script = await s.browser.get(`${AUTH}/auth/${file}`);
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  }
  for (const file of ["__proto__", "package.json", "..%2Findex.js"]) {
    expect((await s.browser.get(`${AUTH}/auth/nango/${file}`)).status).toBe(404);
  }
});

test("for a Nango provider without its frontend, the error says what is missing", async () => {
  const { elicitations } = createTestRuntime(asking(CONNECT));
  const nango = new Nango({ host: mock.url, apiKey: mock.apiKey });
  const options = { elicitations, credentials: createMemoryCredentials(), onError: () => {} };
  const providers = { tracker: { service: "Linear", integration: "linear", nango } };
  expect(() => createHostedPage({ ...options, origin: AUTH, providers })).toThrow("readNangoFrontend()");
});

test("a store that has a lock between processes keeps it when it is wrapped for Nango", async () => {
  const worked: string[] = [];
  const store: CredentialStore = {
    ...createMemoryCredentials(),
    exclusively(toolId, userId, work) {
      worked.push(`${toolId} ${userId}`);
      return work();
    },
  };
  expect(
    await withConnectors(store, { providers: {} }).exclusively?.("docs", "ada", async () => "done"),
  ).toBe("done");
  expect(worked).toEqual(["docs ada"]);
});
