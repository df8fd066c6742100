import { afterAll, beforeAll, expect, test } from "vitest";
import { createManualClock } from "../../base/testing/manual-clock.ts";
import { createAgentTurn } from "../../agent/index.ts";
import { type Credential, type CredentialStore, createMemoryCredentials } from "../ports/credentials.ts";
import { createBrowser } from "../../../test/stages/browser.ts";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { RESOURCE, type TestProvider, startTestProvider } from "../../../test/stages/oidc-provider.ts";
import { createScriptedModel, toolResultsSeen } from "../../../test/stages/scripted-model.ts";
import { createSignInServer } from "../../../test/stages/sign-in-server.ts";
import { createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { createConfiguredSignIn } from "./configured-sign-in.ts";
import { withConnectors } from "../index.ts";
import type { OAuthProvider } from "./oauth-provider.ts";

const CALLBACK = "https://auth.example.com/auth/callback";
const HOUR = 3_600_000;

let provider: TestProvider;
let tracker: OAuthProvider;
beforeAll(async () => {
  provider = await startTestProvider([CALLBACK]);
  const { issuer, clientId } = provider;
  tracker = { service: "Tracker", issuer, clientId, scopes: ["issues:write"], resource: RESOURCE };
});
afterAll(() => provider.close());

const clock = createManualClock();

/** The reply of the provider for Ada, who has just signed in. */
async function signIn(): Promise<Credential> {
  const configured = createConfiguredSignIn(tracker, { clock });
  const plan = await configured.discover(undefined);
  const { url, state, trip } = await configured.start(plan, new Set(), "https://auth.example.com");
  const browser = createBrowser({ "https://auth.example.com": async () => new Response("back") });
  const back = await browser.follow(await browser.get(url.href));
  return configured.finish(trip, state, new URL(back.url).searchParams);
}

const refreshes = () =>
  provider.requests.filter(({ parameters }) => parameters.get("grant_type") === "refresh_token").length;

/** A process that runs turns, with a store that it may share with others. */
function startProcess(store: CredentialStore, fetch?: typeof globalThis.fetch) {
  const server = createSignInServer({
    url: RESOURCE,
    authorizationServers: [provider.issuer],
    scopesOf: (token) => provider.scopesOf(token),
  });
  const model = createScriptedModel({ tracker_create_issue: {} }, "Done.");
  const errors: unknown[] = [];
  const runTurn = createAgentTurn({
    model,
    credentials: withConnectors(store, { providers: { tracker }, clock, fetch }),
    mcpServers: [
      {
        name: "tracker",
        url: RESOURCE,
        service: "Tracker",
        credentialScope: "user",
        signIn: "on-demand",
        fetch: server.fetch,
      },
    ],
    connectUrl: "https://auth.example.com/auth/connect",
    requester: { name: "Demo agent" },
    clock,
    onError: (error) => errors.push(error),
  });
  const runtime = createTestRuntime((turn) => runTurn(turn), { ports: { clock } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  return { ada, model, server, errors };
}

/** A store with a lock, like a database that several processes share. */
function createLockedStore(): CredentialStore {
  let queue: Promise<unknown> = Promise.resolve();
  return {
    ...createMemoryCredentials(),
    exclusively(_toolId, _userId, work) {
      const done = queue.then(work);
      queue = done.catch(() => {});
      return done;
    },
  };
}

test("turns in two processes that need the same expired token cause one refresh, and both calls succeed", async () => {
  const store = createLockedStore();
  await store.set("tracker", "ada", await signIn());
  const processes = [startProcess(store), startProcess(store)];
  clock.advance(HOUR);
  const before = refreshes();
  await Promise.all(processes.map(async ({ ada }, index) => (await ada.send(`c${index}`)).done));
  expect(refreshes()).toBe(before + 1);
  const fresh = await store.get("tracker", "ada");
  for (const { model, server, errors } of processes) {
    expect(toolResultsSeen(model)).toEqual([{ type: "text", value: "create_issue done" }]);
    expect(server.calls).toEqual([{ tool: "create_issue", token: fresh?.accessToken }]);
    expect(errors).toEqual([]);
  }
});

/** A provider that claims that its tokens live for one second. */
const ofOneSecond: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (new URL(new Request(input).url).pathname !== "/token" || !response.ok) return response;
  return Response.json({ ...(await response.json()), expires_in: 1 });
};

test("a token that always lives for one second is refreshed once for a turn and its call", async () => {
  const store = createMemoryCredentials();
  await store.set("tracker", "ada", await signIn());
  clock.advance(HOUR);
  const { ada, model, server, errors } = startProcess(store, ofOneSecond);
  const before = refreshes();
  await (
    await ada.send("c1")
  ).done;
  expect(toolResultsSeen(model)).toEqual([{ type: "text", value: "create_issue done" }]);
  expect(server.calls).toHaveLength(1);
  expect(refreshes()).toBe(before + 1);
  expect(errors).toEqual([]);
});

test("when the server refuses a token of one second, it is not refreshed again, and the user is asked", async () => {
  const store = createMemoryCredentials();
  await store.set("tracker", "ada", await signIn());
  clock.advance(HOUR);
  const { ada, server } = startProcess(store, async (input, init) => {
    const response = await ofOneSecond(input, init);
    if (response.headers.get("content-type")?.includes("json") !== true) return response;
    const body: Record<string, unknown> = await response.json();
    return Response.json("access_token" in body ? { ...body, access_token: "not-good-here" } : body);
  });
  const before = refreshes();
  const stream = await ada.send("c1");
  await stream.request();
  expect(refreshes()).toBe(before + 1);
  expect(server.calls).toHaveLength(1);
  await stream.cancel();
});
