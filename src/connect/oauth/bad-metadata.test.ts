import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createAgentTurn } from "../../agent/index.ts";
import { createMemoryCredentials } from "../ports/credentials.ts";
import { createGuardedFetch } from "../../node/index.ts";
import { createBrowser, hiddenFields } from "../../../test/stages/browser.ts";
import { CHAT_ORIGIN, createChatClient } from "../../../test/stages/chat-client.ts";
import { listen } from "../../../test/stages/listen.ts";
import { createScriptedModel, toolResultsSeen } from "../../../test/stages/scripted-model.ts";
import { createSignInServer } from "../../../test/stages/sign-in-server.ts";
import { createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { createHostedPage, createMcpSignIn, isConnected, withConnectors } from "../index.ts";

/** The page is on a loopback address, because only such a page may use authorization servers on one. */
const PAGE = "http://localhost:39997";
const SERVER = "https://tracker.example.com/mcp";

type Answer = (request: IncomingMessage, response: ServerResponse, issuer: string) => void;

/** An authorization server on a real socket. */
async function startServer(answer: Answer): Promise<string> {
  const server = createServer((request, response) => answer(request, response, issuer));
  const { url: issuer, close } = await listen(server);
  onTestFinished(close);
  return issuer;
}

const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/register`,
  code_challenge_methods_supported: ["S256"],
});

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, JSON_TYPE).end(JSON.stringify(body));
}

const redirectTo =
  (location: (issuer: string) => string): Answer =>
  (_, response, issuer) =>
    void response.writeHead(302, { location: location(issuer) }).end();

/** Valid metadata, and this reply to a registration. */
const registering =
  (register: (response: ServerResponse) => void): Answer =>
  ({ url }, response, issuer) =>
    url === "/register" ? register(response) : json(response, metadataOf(issuer));

async function setUp(answer: Answer) {
  const issuer = await startServer(answer);
  const runtime = createTestRuntime((turn) => runTurn(turn), {
    hostedPage: { origin: PAGE },
    isCompleted: (record) => isConnected(credentials)(record),
  });
  const { clock } = runtime;
  const guarded = createGuardedFetch({ allowLoopback: true, clock });
  const tokens = new Set<string>();
  const server = createSignInServer({
    url: SERVER,
    authorizationServers: [issuer],
    scopesOf: async (token) => (tokens.has(token) ? ["issues:write"] : undefined),
  });
  const fetch: typeof globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    return new URL(request.url).origin === new URL(SERVER).origin ? server.fetch(request) : guarded(request);
  };
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const mcpSignIn = createMcpSignIn({ origin: PAGE, fetch, client: { name: "Demo agent" }, clock });
  const store = createMemoryCredentials();
  const credentials = withConnectors(store, { providers: {}, mcpSignIn, clock });
  const model = createScriptedModel({ tracker_create_issue: {} }, "Sorry.");
  const runTurn = createAgentTurn({
    model,
    credentials,
    mcpServers: [
      {
        name: "tracker",
        url: SERVER,
        service: "Tracker",
        credentialScope: "user",
        signIn: "on-demand",
        fetch,
      },
    ],
    connectUrl: `${PAGE}/auth/connect`,
    requester: { name: "Demo agent" },
    clock,
    onError,
  });
  const page = createHostedPage({
    origin: PAGE,
    vouch: { url: `${CHAT_ORIGIN}/run` },
    elicitations: runtime.elicitations,
    credentials,
    providers: {},
    mcpSignIn,
    clock,
    onError,
  });
  const browser = createBrowser({ [PAGE]: page.fetch, [CHAT_ORIGIN]: runtime.fetch });
  browser.setCookie(CHAT_ORIGIN, "user", "ada");
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  return {
    runtime,
    clock,
    errors,
    browser,
    ada,
    stream,
    elicitationId,
    model,
    store,
    server,
    tokens,
    issuer,
  };
}

type Stage = Awaited<ReturnType<typeof setUp>>;

/** Views the page and presses Continue. */
async function connect({ browser, elicitationId }: Stage) {
  const consent = await browser.visit(`${PAGE}/auth/connect?elicitationId=${elicitationId}`);
  return browser.follow(await browser.post(`${PAGE}/auth/connect/start`, hiddenFields(consent)));
}

/** The same with a server that never replies: time passes until it is given up. */
async function connectInVain(stage: Stage) {
  const trying = connect(stage);
  for (;;) {
    const page = await Promise.race([trying, sleep(20)]);
    if (page !== undefined) return page;
    stage.clock.advance(1000);
  }
}

const TOO_LONG = "took too long";

const HUGE = { padding: "x".repeat(300 * 1024) };
const JSON_TYPE = { "content-type": "application/json" };

test.each<[string, Answer, string]>([
  ["is huge", (_, response) => json(response, HUGE), "more than 0.25 MiB"],
  ["never comes", () => {}, TOO_LONG],
  ["never ends", (_, response) => void response.writeHead(200, JSON_TYPE).write("{"), TOO_LONG],
  ["leads in a circle", redirectTo((issuer) => `${issuer}/again`), "more than 3 redirects"],
  [
    "is another issuer's",
    (_, response) => json(response, metadataOf("https://bank.example.com")),
    "attribute mismatch|does not match|another issuer",
  ],
  ["is no JSON", (_, response) => void response.writeHead(200, JSON_TYPE).end("<html>"), "JSON"],
  [
    "leads to a private address",
    redirectTo(() => "https://10.0.0.1/metadata"),
    "10.0.0.1 is not fetched, because it is not a public address",
  ],
  [
    "leads to the metadata service of a cloud",
    redirectTo(() => "https://169.254.169.254/latest"),
    "169.254.169.254 is not fetched",
  ],
  ["leads to http", redirectTo(() => "http://login.example.com/metadata"), "only https is"],
  ["leads to a file", redirectTo(() => "file:///etc/passwd"), "only https is"],
])(
  "metadata that %s: the page and the card report a failure, the operator gets the reason, and the turn continues",
  async (_, answer, words) => {
    const s = await setUp(answer);
    const failed = await (words === TOO_LONG ? connectInVain(s) : connect(s));
    expect(failed.text).toContain("Tracker could not be reached, or its answer was not understood.");
    expect(s.errors.map(String).join("\n")).toMatch(new RegExp(words));
    expect(s.errors.map(String).join("\n")).toContain(s.issuer);
    const status = await (await s.ada.fetch(`/run/api/elicitations/${s.elicitationId}`)).json();
    expect(status).toMatchObject({
      status: "pending",
      lastError: "Tracker could not be reached, or its answer was not understood.",
    });
    await s.ada.answer("c1", { elicitationId: s.elicitationId, action: "decline" });
    await s.stream.done;
    expect(toolResultsSeen(s.model)).toEqual([
      { type: "text", value: expect.stringContaining("the user declined to connect Tracker") },
    ]);
  },
);

test.each<[string, Answer, string]>([
  [
    "is refused",
    registering((response) => json(response, { error: "invalid_client_metadata" }, 400)),
    "invalid_client_metadata",
  ],
  [
    "is refused because there were too many",
    registering((response) => json(response, { error: "slow_down" }, 429)),
    "no more registrations at the moment",
  ],
  ["breaks off", registering((response) => void response.destroy()), "refused to register"],
  [
    "is answered with a redirect",
    registering((response) => void response.writeHead(307, { location: "https://evil.example/" }).end()),
    "refused to register",
  ],
])(
  "a registration that %s: the user can try again, and the operator gets the reason",
  async (_, answer, words) => {
    const s = await setUp(answer);
    const failed = await connect(s);
    expect(failed.text).toContain('role="alert"');
    const log = s.errors.map(String).join("\n");
    expect(log).toMatch(new RegExp(words));
    expect(log).toContain("Try again later, or register a client there by hand.");
    await s.ada.answer("c1", { elicitationId: s.elicitationId, action: "decline" });
    await s.stream.done;
    expect(toolResultsSeen(s.model)).toEqual([
      { type: "text", value: expect.stringContaining("the user declined to connect Tracker") },
    ]);
  },
);

/** The lifetime from a token endpoint, and the difference between its clock and ours. */
test.each<[string, unknown]>([
  ["does not say how long a token lives", undefined],
  ["says zero", 0],
  ["says one second", 1],
  ["says less than nothing", -3600],
  ["says a number that no date can hold", 1e300],
])("an authorization server that %s does not cause endless refreshes", async (_, lifetime) => {
  let refreshes = 0;
  const s = await setUp(({ url }, response, issuer) => {
    if (url !== "/token") return json(response, metadataOf(issuer));
    refreshes += 1;
    const token = { access_token: `fresh-${refreshes}`, token_type: "Bearer", refresh_token: "r2" };
    s.tokens.add(token.access_token);
    json(response, { ...token, ...(lifetime !== undefined && { expires_in: lifetime }) });
  });
  await s.stream.cancel();
  const mcpSignIn = createMcpSignIn({
    origin: PAGE,
    fetch: createGuardedFetch({ allowLoopback: true }),
    client: { name: "Demo agent" },
    clients: [{ clientId: "c", server: SERVER, issuer: s.issuer }],
    clock: s.clock,
  });
  const credentials = withConnectors(s.store, { providers: {}, mcpSignIn, clock: s.clock });
  await s.store.set("tracker", "ada", {
    accessToken: "old",
    refreshToken: "r1",
    expiresAt: s.clock.now() - 1,
    binding: { serverUrl: SERVER, issuer: s.issuer, resource: SERVER, clientId: "c" },
  });
  const read = await credentials.get("tracker", "ada").catch(() => undefined);
  if (Number(lifetime ?? 0) < 0) expect(read).toBeUndefined();
  else expect(read?.accessToken).toBe("fresh-1");
  expect(refreshes).toBe(1);
});
