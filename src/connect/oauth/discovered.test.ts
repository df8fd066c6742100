import { createServer } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { createAgentTurn } from "../../agent/index.ts";
import { createMemoryRegistrations } from "../ports/client-registrations.ts";
import { createMemoryCredentials } from "../ports/credentials.ts";
import { createGuardedFetch } from "../../node/index.ts";
import { type Browser, type Page, createBrowser, hiddenFields } from "../../../test/stages/browser.ts";
import { CHAT_ORIGIN, createChatClient } from "../../../test/stages/chat-client.ts";
import { listen } from "../../../test/stages/listen.ts";
import { RESOURCE, type TestProvider, startTestProvider } from "../../../test/stages/oidc-provider.ts";
import { type Step, createScriptedModel, toolResultsSeen } from "../../../test/stages/scripted-model.ts";
import { createSignInServer } from "../../../test/stages/sign-in-server.ts";
import { stopDuringExchange } from "../../../test/stages/page-stage.ts";
import { createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { createHostedPage, createMcpSignIn, withConnectors } from "../index.ts";
import type { McpSignInOptions } from "./mcp-sign-in.ts";

/** On a loopback address like the provider: the page replies in this process. */
const PAGE = "http://localhost:39998";
const JSON_TYPE = { "content-type": "application/json" };
const OTHER = "https://other.example.com/mcp";
const READ = { tracker_read_issue: {} };
const WRITE = { tracker_create_issue: {} };

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider([], { registration: true });
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.person = "approve";
});

interface Options {
  /** The authorization servers that the MCP servers name, by URL of the MCP server. */
  authorizationServers?: Readonly<Record<string, readonly string[]>>;
  /** The scopes that the MCP servers support, by URL. With them, their refusals name none. */
  supported?: Readonly<Record<string, readonly string[]>>;
  /** The resource that each MCP server claims to be. */
  resources?: Readonly<Record<string, string>>;
  signIn?: Partial<McpSignInOptions>;
  /** The name of the first server. @default "Tracker" */
  service?: string;
  /** Whether users may have several accounts at the first server. */
  several?: boolean;
  /** The way to the provider. */
  outside?: typeof globalThis.fetch;
}

/** Two MCP servers that are not configured, and Ada's chat. The provider is a real one. */
function setUp(
  steps: readonly Step[],
  {
    authorizationServers = {},
    supported = {},
    resources = {},
    signIn = {},
    service = "Tracker",
    several,
    outside = createGuardedFetch({ allowLoopback: true }),
  }: Options = {},
) {
  const servers = new Map(
    [RESOURCE, OTHER].map((url) => [
      new URL(url).origin,
      createSignInServer({
        url,
        authorizationServers: authorizationServers[url] ?? [provider.issuer],
        supported: supported[url],
        scopesOf: (token) => provider.scopesOf(token),
        ...(resources[url] !== undefined && { resource: resources[url] }),
      }),
    ]),
  );
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { origin } = new URL(input instanceof Request ? input.url : input);
    return (servers.get(origin)?.fetch ?? outside)(input, init);
  };
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const runtime = createTestRuntime((turn) => runTurn(turn), { hostedPage: { origin: PAGE } });
  const { clock, elicitations } = runtime;
  const mcpSignIn = createMcpSignIn({
    origin: PAGE,
    fetch,
    client: { name: "Demo agent" },
    clock,
    ...signIn,
  });
  const store = createMemoryCredentials();
  const credentials = withConnectors(store, { providers: {}, mcpSignIn, clock });
  const model = createScriptedModel(...steps);
  const runTurn = createAgentTurn({
    model,
    credentials,
    mcpServers: [
      {
        name: "tracker",
        url: RESOURCE,
        service,
        credentialScope: "user",
        signIn: "on-demand",
        several,
        fetch,
      },
      { name: "other", url: OTHER, service: "Other", credentialScope: "user", signIn: "on-demand", fetch },
    ],
    connectUrl: `${PAGE}/auth/connect`,
    requester: { name: "Demo agent" },
    clock,
    onError,
  });
  const page = createHostedPage({
    origin: PAGE,
    vouch: { url: `${CHAT_ORIGIN}/run` },
    elicitations,
    credentials,
    providers: {},
    mcpSignIn,
    mcpServers: async () => [
      { name: "tracker", url: RESOURCE, service, several },
      { name: "mine", url: OTHER },
    ],
    clock,
    onError,
  });
  function newBrowser(user?: string): Browser {
    const browser = createBrowser({ [PAGE]: page.fetch, [CHAT_ORIGIN]: runtime.fetch });
    if (user !== undefined) browser.setCookie(CHAT_ORIGIN, "user", user);
    return browser;
  }
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const callsOf = (url: string) => servers.get(new URL(url).origin)?.calls ?? [];
  return { runtime, model, ada, store, credentials, errors, newBrowser, browser: newBrowser("ada"), callsOf };
}

const linkTo = (elicitationId: string) => `${PAGE}/auth/connect?elicitationId=${elicitationId}`;

const clientIn = (page: Page) => new URL(page.headers.get("location") ?? "").searchParams.get("client_id");

function leave(browser: Browser, consent: Page): Promise<Page> {
  return browser.post(`${PAGE}/auth/connect/start`, hiddenFields(consent));
}

/** Runs the sign-in up to the callback, and returns its URL without calling it. */
async function callbackUrl(browser: Browser, left: Page): Promise<string> {
  let page = left;
  for (;;) {
    const location = page.headers.get("location");
    if (location === null) throw new Error(`no way to the provider: ${page.url} answered ${page.status}`);
    const next = new URL(location, page.url).href;
    if (next.startsWith(`${PAGE}/auth/mcp/callback/`)) return next;
    page = await browser.get(next);
  }
}

test("for an unconfigured server with another sign-in address, the page consistently names that address", async () => {
  const { host } = new URL(RESOURCE);
  const s = setUp([WRITE, "Done."], { service: host });
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request();
  const { text } = await s.browser.visit(linkTo(elicitationId));
  const signsInAt = new URL(provider.issuer).host;
  expect(text).toContain(`For ${host}, you type your password at ${signsInAt}.`);
  expect(text).toMatch(new RegExp(`Continue to ${signsInAt}\\s`));
  expect(text).toContain("This page knows this server only by its address.");
  expect(text).not.toContain("Your password stays with");
  // This server's scopes have no texts of the operator, and it has no icon.
  expect(text).toContain("a right that this server named itself");
  expect(text).toContain("data-unknown");
  await stream.cancel();
});

test("for an unconfigured server with an unknown sign-in, the page names no sign-in address", async () => {
  const { host } = new URL(RESOURCE);
  const s = setUp([WRITE, "Done."], { service: host, authorizationServers: { [RESOURCE]: [] } });
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request();
  const { text } = await s.browser.visit(linkTo(elicitationId));
  expect(text).toContain("Type your password only if you know its address.");
  expect(text).toMatch(/type="submit">\s*Continue\s/);
  await stream.cancel();
});

test("the user connects an unconfigured server, and the same turn returns the result", async () => {
  const s = setUp([WRITE, "Done."]);
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request();
  const consent = await s.browser.visit(linkTo(elicitationId));
  expect(consent.text).toContain("Connect Tracker");
  expect(consent.text).toContain(new URL(provider.issuer).host);
  expect(consent.text).toContain("issues:write");
  const back = await s.browser.follow(await leave(s.browser, consent));
  expect(back.text).toContain("Tracker is connected");
  await stream.done;
  expect(toolResultsSeen(s.model)).toEqual([{ type: "text", value: "create_issue done" }]);
  const credential = await s.credentials.get("tracker", "ada");
  expect(credential).toMatchObject({
    scope: "issues:write",
    binding: { serverUrl: RESOURCE, issuer: provider.issuer, resource: RESOURCE },
  });
  expect(s.errors).toEqual([]);
  expect(JSON.stringify(stream.chunks)).not.toContain(credential?.accessToken);
});

/** Clients in memory, and the ids of all that were registered. */
function countRegistrations() {
  const registrations = createMemoryRegistrations();
  const registered: string[] = [];
  const add: typeof registrations.add = (key, client) => {
    registered.push(client.clientId);
    return registrations.add(key, client);
  };
  return { registrations: { ...registrations, add }, registered };
}

/** The server's metadata is read again. */
const RESOURCE_TTL_MS = 10_000;

test("a user who has read one sign-in address is not sent to another that the server names afterwards", async () => {
  const honest = provider.issuer;
  const another = await startTestProvider([], { registration: true });
  onTestFinished(() => another.close());
  const named = [honest];
  const { host } = new URL(RESOURCE);
  const { registrations, registered } = countRegistrations();
  const s = setUp([WRITE, "Done."], {
    service: host,
    authorizationServers: { [RESOURCE]: named },
    signIn: { registrations },
  });
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request();
  const consent = await s.browser.visit(linkTo(elicitationId));
  expect(consent.text).toContain(`Continue to ${new URL(honest).host}`);
  named[0] = another.issuer;
  s.runtime.clock.advance(RESOURCE_TTL_MS);

  const changed = await s.browser.follow(await leave(s.browser, consent));
  expect(changed.text).toContain(`The sign-in to ${host} has changed since you saw this page.`);
  expect(changed.text).toContain(`Continue to ${new URL(another.issuer).host}`);
  expect(another.requests).toEqual([]);
  // The other server has not even got to know the app.
  expect(registered).toEqual([]);

  // Now the user has read it.
  const left = await leave(s.browser, changed);
  expect(left.headers.get("location")).toMatch(`${another.issuer}/auth?`);
  expect(registered).toHaveLength(1);
  expect(s.errors).toEqual([]);
  await stream.cancel();
});

test("a user who has read which rights a server asks for is not sent away for more that it names afterwards", async () => {
  const scopes = ["issues:read"];
  const s = setUp([READ, "Done."], { supported: { [RESOURCE]: scopes } });
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request();
  const consent = await s.browser.visit(linkTo(elicitationId));
  expect(consent.text).not.toContain("issues:write");
  scopes.push("issues:write");
  s.runtime.clock.advance(RESOURCE_TTL_MS);

  const asked = provider.requests.length;
  const changed = await s.browser.follow(await leave(s.browser, consent));
  expect(provider.requests).toHaveLength(asked);
  expect(changed.text).toContain("The sign-in to Tracker has changed");
  expect(changed.text).toContain("issues:write");
  await s.browser.follow(await leave(s.browser, changed));
  await stream.done;
  expect((await s.credentials.get("tracker", "ada"))?.scope).toBe("issues:read issues:write");
});

test("the page names each right that the provider is asked for, also the one to stay connected", async () => {
  const s = setUp([WRITE, "Done."]);
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request();
  const consent = await s.browser.visit(linkTo(elicitationId));
  expect(consent.text).toContain("Stay connected until you remove it");
  const left = new URL((await leave(s.browser, consent)).headers.get("location") ?? "");
  const [, shown] = /<dt>Rights<\/dt>\s*<dd><bdi><code>([^<]*)/.exec(consent.text) ?? [];
  expect(left.searchParams.get("scope")).toBe(shown);
  await stream.cancel();
});

test("a call that needs more scopes requests the old and the new scopes together", async () => {
  const s = setUp([READ, WRITE, "Done."]);
  const stream = await s.ada.send("c1");
  const first = await stream.request();
  await s.browser.follow(await leave(s.browser, await s.browser.visit(linkTo(first.elicitationId))));
  const second = await stream.request(0, ({ elicitationId }) => elicitationId !== first.elicitationId);
  expect(second.message).toBe("To continue with more access to your Tracker account: issues:write.");
  const consent = await s.browser.visit(linkTo(second.elicitationId));
  for (const scope of ["issues:read", "issues:write"]) expect(consent.text).toContain(scope);
  await s.browser.follow(await leave(s.browser, consent));
  await stream.done;
  expect(toolResultsSeen(s.model)).toEqual([
    { type: "text", value: "read_issue done" },
    { type: "text", value: "create_issue done" },
  ]);
  expect((await s.credentials.get("tracker", "ada"))?.scope).toBe("issues:read issues:write");
});

test("a user connects a second account at a server, chooses it, and removes one of them", async () => {
  const s = setUp([WRITE, { tracker_use_another_account: {} }, WRITE, "Done."], { several: true });
  const neededFor: string[] = [];
  const connect = async (elicitationId: string) => {
    const consent = await s.browser.visit(linkTo(elicitationId));
    neededFor.push(/<dt>Needed for<\/dt>\s*<dd><bdi>([^<]*)/.exec(consent.text)?.[1] ?? "");
    const page = await s.browser.follow(await leave(s.browser, consent));
    // The provider ends the session of the first account with a form that its script submits.
    const [, action] = /action="([^"]*session\/end\/confirm)"/.exec(page.text) ?? [];
    if (action === undefined) return;
    await s.browser.follow(await s.browser.post(action, { ...hiddenFields(page), logout: "yes" }));
  };
  const stream = await s.ada.send("c1");
  provider.account = "home";
  await connect((await stream.request()).elicitationId);
  provider.account = "work";
  const isOther = ({ message }: { message: string }) => message.includes("another Tracker account");
  await connect((await stream.request(0, isOther)).elicitationId);
  await stream.done;
  expect(neededFor).toEqual(["Create issue", "Use another account"]);
  const tokens = s.callsOf(RESOURCE).flatMap(({ token }) => token ?? []);
  const accounts = await Promise.all(tokens.map((token) => provider.accountOf(token)));
  expect(accounts).toEqual(["home", "work"]);
  const prompts = provider.requests.filter(({ path }) => path === "/auth").slice(-2);
  expect(prompts.map(({ parameters }) => parameters.get("prompt"))).toEqual(["consent", "login consent"]);

  const page = await s.browser.visit(`${PAGE}/auth/accounts`);
  expect(page.text.match(/<bdi>Tracker<\/bdi>/g)).toHaveLength(2);
  const fields = { ...hiddenFields(page), account: "tracker/2" };
  await s.browser.post(`${PAGE}/auth/accounts/remove`, fields);
  expect(await s.store.get("tracker/2", "ada")).toBeUndefined();
  expect(await s.store.get("tracker", "ada")).toBeDefined();
  expect(s.errors).toEqual([]);
});

test.each([
  ["stays valid, because some providers would revoke both, if the client is the same", "", true],
  ["is revoked if the client is another", "-2", false],
])(
  "when a request is withdrawn and the user has an account at another server, the new token %s",
  async (_, suffix, isKept) => {
    const exchange = stopDuringExchange(() => s);
    const s: ReturnType<typeof setUp> = setUp([WRITE], { outside: exchange.fetch });
    const stream = await s.ada.send("c1");
    const consent = await s.browser.visit(linkTo((await stream.request()).elicitationId));
    const left = await leave(s.browser, consent);
    const clientId = `${clientIn(left)}${suffix}`;
    // Another spelling of the issuer.
    const binding = { serverUrl: OTHER, issuer: `${provider.issuer}/`, resource: OTHER, clientId };
    await s.store.set("mine", "ada", { accessToken: "token-of-mine", binding });
    const ended = await s.browser.follow(left);
    expect(ended.text).toContain("This request was withdrawn");
    expect(await provider.isActive(exchange.granted)).toBe(isKept);
  },
);

test("an expired token is refreshed without asking, by the client that it was issued to", async () => {
  const s = setUp([READ, READ, "Done."]);
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request();
  await s.browser.follow(await leave(s.browser, await s.browser.visit(linkTo(elicitationId))));
  await stream.done;
  const old = await s.credentials.get("tracker", "ada");
  s.runtime.clock.advance(3_600_000);
  const fresh = await s.credentials.get("tracker", "ada");
  expect(fresh?.accessToken).not.toBe(old?.accessToken);
  expect(fresh?.binding).toEqual(old?.binding);
  expect(await provider.isActive(fresh?.accessToken ?? "")).toBe(true);
});

test("a user who denies access at the provider can try again, sees the reason, and is not an error in the log", async () => {
  provider.person = "deny";
  const s = setUp([WRITE, "Done."]);
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request();
  const denied = await s.browser.follow(await leave(s.browser, await s.browser.visit(linkTo(elicitationId))));
  expect(denied.text).toContain("You cancelled at Tracker.");
  expect(s.errors).toEqual([]);
  provider.person = "approve";
  await s.browser.follow(await leave(s.browser, denied));
  await stream.done;
  expect(toolResultsSeen(s.model)).toEqual([{ type: "text", value: "create_issue done" }]);
});

test("when a server's sign-in cannot be used, the page says so and the log says what to do", async () => {
  const s = setUp([WRITE, "Sorry."], { authorizationServers: { [RESOURCE]: ["http://10.0.0.1"] } });
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request();
  const consent = await s.browser.visit(linkTo(elicitationId));
  const failed = await s.browser.follow(await leave(s.browser, consent));
  expect(failed.text).toContain("Tracker could not be reached, or its answer was not understood.");
  expect(failed.text).not.toContain("10.0.0.1");
  expect(String(s.errors[0])).toContain("must be an https URL");
  await s.ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect(toolResultsSeen(s.model)[0]).toMatchObject({ value: expect.stringContaining("the user declined") });
});

test("when a client must be registered manually, the page says so and the log says what to register where", async () => {
  const strict = await startTestProvider([]);
  const s = setUp([WRITE, "Sorry."], { authorizationServers: { [RESOURCE]: [strict.issuer] } });
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request();
  const consent = await s.browser.visit(linkTo(elicitationId));
  const failed = await s.browser.follow(await leave(s.browser, consent));
  expect(failed.text).toContain("Tracker cannot be connected yet.");
  expect(String(s.errors[0])).toContain(`issuer: "${strict.issuer}"`);
  expect(String(s.errors[0])).toContain(`with the redirect URI ${PAGE}/auth/mcp/callback/`);
  await s.runtime.close();
  await strict.close();
});

test("sign-in fails for a server that claims to be another resource", async () => {
  const s = setUp([{ other_read_issue: {} }, "Sorry."], { resources: { [OTHER]: RESOURCE } });
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request();
  const asked = provider.requests.length;
  const left = await leave(s.browser, await s.browser.visit(linkTo(elicitationId)));
  expect(left.headers.get("location")).toBe(linkTo(elicitationId));
  expect(provider.requests).toHaveLength(asked);
  expect(String(s.errors[0])).toContain("for another resource");
  await s.runtime.close();
});

test("a server that names the authorization server of another resource gets no token for that resource", async () => {
  const s = setUp([WRITE, { other_create_issue: {} }, "Done."]);
  const stream = await s.ada.send("c1");
  const first = await stream.request();
  await s.browser.follow(await leave(s.browser, await s.browser.visit(linkTo(first.elicitationId))));
  const second = await stream.request(0, ({ elicitationId }) => elicitationId !== first.elicitationId);
  const left = await leave(s.browser, await s.browser.visit(linkTo(second.elicitationId)));
  const asked = new URL(left.headers.get("location") ?? "").searchParams;
  expect(asked.get("resource")).toBe(OTHER);
  const token = (await s.credentials.get("tracker", "ada"))?.accessToken;
  expect(asked.get("client_id")).not.toBe((await s.credentials.get("tracker", "ada"))?.binding?.clientId);
  await s.ada.answer("c1", { elicitationId: second.elicitationId, action: "decline" });
  await stream.done;
  expect(s.callsOf(OTHER).map((call) => call.token)).toEqual([undefined]);
  expect(s.callsOf(RESOURCE).map((call) => call.token)).toContain(token);
});

test("a code from one server is refused on the callback path of another (mix-up attack)", async () => {
  const s = setUp([{ ...WRITE, other_create_issue: {} }, "Done."]);
  const stream = await s.ada.send("c1");
  const tracker = await stream.request(0, ({ message }) => message.includes("Tracker"));
  const other = await stream.request(0, ({ message }) => message.includes("Other"));
  const toTracker = await leave(s.browser, await s.browser.visit(linkTo(tracker.elicitationId)));
  const toOther = await leave(s.browser, await s.browser.visit(linkTo(other.elicitationId)));
  const callback = new URL(await callbackUrl(s.browser, toTracker));
  const otherPath = new URL(
    new URL(toOther.headers.get("location") ?? "").searchParams.get("redirect_uri") ?? "",
  );
  expect(otherPath.pathname).not.toBe(callback.pathname);
  const exchanges = provider.requests.filter(({ path }) => path === "/token").length;
  const mixed = await s.browser.get(otherPath.href + callback.search);
  expect(mixed.status).toBe(400);
  expect(provider.requests.filter(({ path }) => path === "/token")).toHaveLength(exchanges);
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
  expect(await s.credentials.get("other", "ada")).toBeUndefined();
  await s.runtime.close();
});

/**
 * An authorization server whose metadata names the authorization endpoint of the honest one. It registers the requested
 * client there, and waits for the code.
 */
async function startBorrower(metadata: Readonly<Record<string, unknown>>) {
  const stolen: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await textOf(request);
      if (request.url === "/token") stolen.push(body);
      const { origin } = new URL(`http://${request.headers.host}`);
      const answer =
        request.url === "/register"
          ? await fetch(`${provider.issuer}/reg`, { method: "POST", headers: JSON_TYPE, body })
          : Response.json({
              issuer: origin,
              authorization_endpoint: `${provider.issuer}/auth`,
              token_endpoint: `${origin}/token`,
              registration_endpoint: `${origin}/register`,
              code_challenge_methods_supported: ["S256"],
              ...metadata,
            });
      response.writeHead(answer.status, JSON_TYPE).end(await answer.text());
    })();
  });
  const { url: issuer, close } = await listen(server);
  onTestFinished(close);
  return { issuer, stolen };
}

test("a server that uses the sign-in of another and does not declare iss is refused (mix-up attack)", async () => {
  const evil = await startBorrower({});
  const s = setUp([{ other_read_issue: {} }, "Sorry."], { authorizationServers: { [OTHER]: [evil.issuer] } });
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request();
  const consent = await s.browser.visit(linkTo(elicitationId));
  const left = await leave(s.browser, consent);
  expect(new URL(left.headers.get("location") ?? "").origin).toBe(PAGE);
  expect((await s.browser.follow(left)).text).toContain("Nothing was connected.");
  expect(String(s.errors.at(-1))).toContain("authorization_endpoint is on another origin");
  expect(evil.stolen).toEqual([]);
  await s.runtime.close();
});

test.each([
  ["has the iss of the honest server", true],
  ["has no iss", false],
])(
  "a server that declares iss, but sends users to the sign-in of an honest one, gets no code if the response %s (mix-up attack)",
  async (_, hasIss) => {
    const evil = await startBorrower({ authorization_response_iss_parameter_supported: true });
    const s = setUp([{ other_read_issue: {} }, "Sorry."], {
      authorizationServers: { [OTHER]: [evil.issuer] },
    });
    const stream = await s.ada.send("c1");
    const { elicitationId } = await stream.request();
    const consent = await s.browser.visit(linkTo(elicitationId));
    // The page shows where the sign-in really happens.
    expect(consent.text).toContain(new URL(provider.issuer).host);
    const callback = new URL(await callbackUrl(s.browser, await leave(s.browser, consent)));
    expect(callback.searchParams.has("code")).toBe(true);
    if (!hasIss) callback.searchParams.delete("iss");
    const back = await s.browser.follow(await s.browser.get(callback.href));
    expect(back.text).toContain("Nothing was connected.");
    expect(evil.stolen).toEqual([]);
    expect(await s.credentials.get("other", "ada")).toBeUndefined();
    await s.runtime.close();
  },
);

/**
 * An authorization server that redirects users to another one, with the client and the callback of an honest server there
 * (RFC 9700, 4.4.1). It keeps the codes that reach its token endpoint.
 */
async function startEvilIssuer(wayTo: () => URL) {
  const exchanges: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
      if (url.pathname === "/token") exchanges.push(await textOf(request));
      if (url.pathname === "/authorize") {
        const honest = wayTo();
        for (const name of ["state", "code_challenge"]) {
          honest.searchParams.set(name, url.searchParams.get(name) ?? "");
        }
        response.writeHead(302, { location: honest.href }).end();
        return;
      }
      const body =
        url.pathname === "/register"
          ? { client_id: "anything", token_endpoint_auth_method: "none" }
          : {
              issuer: url.origin,
              authorization_endpoint: `${url.origin}/authorize`,
              token_endpoint: `${url.origin}/token`,
              registration_endpoint: `${url.origin}/register`,
              code_challenge_methods_supported: ["S256"],
            };
      response.writeHead(url.pathname === "/register" ? 201 : 200, JSON_TYPE).end(JSON.stringify(body));
    })();
  });
  const { url: issuer, close } = await listen(server);
  onTestFinished(close);
  return { issuer, exchanges };
}

test("a code from an honest authorization server without iss does not reach a malicious one (mix-up attack)", async () => {
  let wayTo: URL | undefined;
  const evil = await startEvilIssuer(() => new URL(wayTo ?? "about:blank"));
  const s = setUp([{ ...WRITE, other_create_issue: {} }, "Sorry."], {
    authorizationServers: { [OTHER]: [evil.issuer] },
  });
  const stream = await s.ada.send("c1");
  const tracker = await stream.request(0, ({ message }) => message.includes("Tracker"));
  const other = await stream.request(0, ({ message }) => message.includes("Other"));
  // The attacker has seen the URL of an honest sign-in.
  const toTracker = await leave(s.browser, await s.browser.visit(linkTo(tracker.elicitationId)));
  wayTo = new URL(toTracker.headers.get("location") ?? "");
  const honestPath = new URL(wayTo.searchParams.get("redirect_uri") ?? "").pathname;

  const toOther = await leave(s.browser, await s.browser.visit(linkTo(other.elicitationId)));
  const asked = new URL(toOther.headers.get("location") ?? "").searchParams;
  expect(new URL(asked.get("redirect_uri") ?? "").pathname).not.toBe(honestPath);
  const mixed = new URL(await callbackUrl(s.browser, toOther));
  expect(mixed.pathname).toBe(honestPath);
  expect(mixed.searchParams.get("state")).toBe(asked.get("state"));
  expect(mixed.searchParams.has("code")).toBe(true);
  mixed.searchParams.delete("iss");
  expect((await s.browser.get(mixed.href)).status).toBe(400);
  expect(evil.exchanges).toEqual([]);
  for (const name of ["tracker", "other"]) expect(await s.credentials.get(name, "ada")).toBeUndefined();

  // The same reply on the path of the malicious server would have been exchanged there.
  const again = await leave(s.browser, await s.browser.visit(linkTo(other.elicitationId)));
  const own = new URL(new URL(again.headers.get("location") ?? "").searchParams.get("redirect_uri") ?? "");
  own.searchParams.set("code", mixed.searchParams.get("code") ?? "");
  own.searchParams.set("state", new URL(again.headers.get("location") ?? "").searchParams.get("state") ?? "");
  await s.browser.get(own.href);
  expect(evil.exchanges).toHaveLength(1);
  await s.runtime.close();
});

test("a provider link that an attacker has prepared connects no account (confused deputy attack)", async () => {
  const s = setUp([WRITE, "Sorry."]);
  const stream = await createChatClient(s.runtime.fetch, { user: "mallory" }).send("c1");
  const { elicitationId } = await stream.request();
  const mallory = s.newBrowser("mallory");
  const left = await leave(mallory, await mallory.visit(linkTo(elicitationId)));
  // The provider remembers that Ada has allowed this client, and does not ask her again.
  const callback = await callbackUrl(s.browser, left);
  expect(new URL(callback).searchParams.has("code")).toBe(true);
  const exchanges = provider.requests.filter(({ path }) => path === "/token").length;
  expect((await s.browser.get(callback)).status).toBe(400);
  expect(provider.requests.filter(({ path }) => path === "/token")).toHaveLength(exchanges);
  for (const user of ["ada", "mallory"]) {
    expect(await s.credentials.get("tracker", user)).toBeUndefined();
  }
  await s.runtime.close();
});

test("a forwarded link connects no account for the user who forwarded it", async () => {
  const s = setUp([WRITE, "Sorry."]);
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request();
  const bob = s.newBrowser("bob");
  const seen = await bob.visit(linkTo(elicitationId));
  expect(seen.status).toBe(404);
  expect(seen.text).not.toContain("Tracker");
  const own = await s.browser.visit(linkTo(elicitationId));
  const forged = await bob.post(`${PAGE}/auth/connect/start`, hiddenFields(own));
  expect(forged.status).toBe(403);
  await s.runtime.close();
});

test("a callback in another browser is refused and invalidates the state", async () => {
  const s = setUp([WRITE, "Sorry."]);
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request();
  const left = await leave(s.browser, await s.browser.visit(linkTo(elicitationId)));
  const callback = await callbackUrl(s.browser, left);
  const seen = await s.newBrowser("bob").get(callback, { "sec-fetch-dest": "document" });
  expect(seen.status).toBe(400);
  expect((await s.browser.get(callback)).status).toBe(400);
  expect(await s.credentials.get("tracker", "ada")).toBeUndefined();
  await s.runtime.close();
});

test("if the provider did not redirect the user back, the next Connect uses another registration", async () => {
  const s = setUp([WRITE, "Sorry.", WRITE, "Done."]);
  // The registration is from an earlier sign-in.
  const earlier = await createChatClient(s.runtime.fetch, { user: "bob" }).send("c0");
  const bob = s.newBrowser("bob");
  const left = await leave(bob, await bob.visit(linkTo((await earlier.request()).elicitationId)));
  const old = clientIn(left);
  s.runtime.clock.advance(10 * 60_000);
  await earlier.done;
  const stream = await s.ada.send("c1");
  const { elicitationId } = await stream.request();
  const first = await leave(s.browser, await s.browser.visit(linkTo(elicitationId)));
  expect(clientIn(first)).toBe(old);
  const second = await leave(s.browser, await s.browser.visit(linkTo(elicitationId)));
  expect(clientIn(second)).not.toBe(old);
  await s.browser.follow(second);
  await stream.done;
  expect(toolResultsSeen(s.model)).toEqual([{ type: "text", value: "create_issue done" }]);
});

test("one user's Back button, or a forged cookie, disconnects no other user", async () => {
  const s = setUp([WRITE, "Done.", WRITE, "Sorry."]);
  const stream = await s.ada.send("c1");
  const ada = await stream.request();
  await s.browser.follow(await leave(s.browser, await s.browser.visit(linkTo(ada.elicitationId))));
  await stream.done;
  const old = await s.credentials.get("tracker", "ada");
  s.runtime.clock.advance(50 * 60_000);

  const eve = s.newBrowser("eve");
  const { elicitationId } = await (
    await createChatClient(s.runtime.fetch, { user: "eve" }).send("c2")
  ).request();
  eve.setCookie(PAGE, `elicit-tried-${elicitationId.slice(0, 22)}`, "dynamic");
  const left = await leave(eve, await eve.visit(linkTo(elicitationId)));
  expect(clientIn(left)).not.toBe(old?.binding?.clientId);

  s.runtime.clock.advance(10 * 60_000);
  const fresh = await s.credentials.get("tracker", "ada");
  expect(fresh?.accessToken).not.toBe(old?.accessToken);
  expect(await provider.isActive(fresh?.accessToken ?? "")).toBe(true);
  expect(s.errors).toEqual([]);
  await s.runtime.close();
});

test("the client id metadata document describes this page, and contains nothing from the request", async () => {
  const s = setUp(["Hello."]);
  const hash = "x".repeat(43);
  const document = await s.browser.get(`${PAGE}/auth/mcp/client/${hash}`);
  expect(JSON.parse(document.text)).toMatchObject({
    client_id: `${PAGE}/auth/mcp/client/${hash}`,
    redirect_uris: [`${PAGE}/auth/mcp/callback/${hash}`],
    token_endpoint_auth_method: "none",
  });
  expect((await s.browser.get(`${PAGE}/auth/mcp/client/..%2f`)).status).toBe(404);
});
