import type { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { type McpServer, inputRequired, inputResponse } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createAgentTurn } from "../../../src/agent/index.ts";
import { createManualClock } from "../../../src/base/testing/manual-clock.ts";
import { type Credential, createMemoryCredentials, withConnectors } from "../../../src/connect/index.ts";
import { createConfiguredSignIn } from "../../../src/connect/oauth/configured-sign-in.ts";
import { createBrowser } from "../../stages/browser.ts";
import { createChatClient } from "../../stages/chat-client.ts";
import { RESOURCE, type TestProvider, startTestProvider } from "../../stages/oidc-provider.ts";
import { createScriptedModel, toolResultsSeen } from "../../stages/scripted-model.ts";
import { createTestRuntime } from "../../stages/test-runtime.ts";
import { handleV1, handleV2 } from "./servers.ts";

const PAGE = "https://auth.example.com";
const MINUTE = 60_000;
const FORM = {
  type: "object" as const,
  properties: { name: { type: "string" as const } },
  required: ["name"],
};

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider([`${PAGE}/auth/callback`]);
});
afterAll(() => provider.close());

const refreshes = () =>
  provider.requests.filter(({ parameters }) => parameters.get("grant_type") === "refresh_token").length;

function asksInRounds(server: McpServer): void {
  server.registerTool("ask", { inputSchema: z.object({}) }, async (_, { mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, "who");
    if (answer.kind === "elicit") return { content: [{ type: "text", text: JSON.stringify(answer) }] };
    const who = inputRequired.elicit({ message: "Who?", requestedSchema: FORM });
    return inputRequired({ inputRequests: { who } });
  });
}

function asksInSession(server: McpServerV1): void {
  server.registerTool("ask", {}, async ({ requestId }) => {
    const options = { relatedRequestId: requestId, timeout: 60 * MINUTE };
    const answer = await server.server.elicitInput({ message: "Who?", requestedSchema: FORM }, options);
    return { content: [{ type: "text", text: JSON.stringify(answer) }] };
  });
}

interface Options {
  handle: (request: Request) => Promise<Response>;
  /** The `fetch` to the provider. */
  fetch?: typeof globalThis.fetch;
  scopes?: readonly string[];
  /** What a connection adds to its credential. @default the time, as the hosted page does */
  connected?: (credential: Credential, at: number) => Credential;
  /** Ada connects another account in another chat while the server waits for her answer. */
  another?: string;
}

/** Ada is asked three minutes before her token expires, and answers six minutes later. */
async function answerLate({
  handle,
  fetch,
  scopes = ["issues:write"],
  connected = (credential, connectedAt) => ({ ...credential, connectedAt }),
  another,
}: Options) {
  const clock = createManualClock();
  const { issuer, clientId } = provider;
  const tracker = { service: "Tracker", issuer, clientId, scopes, resource: RESOURCE };
  const signIn = createConfiguredSignIn(tracker, { clock });
  const store = createMemoryCredentials();
  async function connect(account: string): Promise<Credential> {
    provider.account = account;
    const plan = await signIn.discover(undefined);
    const { url, state, trip } = await signIn.start(plan, new Set(), PAGE);
    const browser = createBrowser({ [PAGE]: async () => new Response("back") });
    const back = await browser.follow(await browser.get(url.href));
    const granted = await signIn.finish(trip, state, new URL(back.url).searchParams);
    const credential = connected(granted, clock.now());
    await store.set("tracker", "ada", credential);
    return credential;
  }
  const old = await connect("carol");
  const expiresAt = old.expiresAt ?? 0;

  const refused: string[] = [];
  /** The tokens with which the answer was sent. */
  const answeredWith: string[] = [];
  const model = createScriptedModel({ tracker_ask: {} }, "Done.");
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
        async fetch(input, init) {
          const request = new Request(input, init);
          const token = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
          if ((await request.clone().text()).includes('"Grace"')) answeredWith.push(token);
          const hasExpired = token === old.accessToken && clock.now() >= expiresAt;
          if (!hasExpired && (await provider.isActive(token))) return handle(request);
          refused.push(request.method);
          return new Response(null, { status: 401, headers: { "www-authenticate": "Bearer" } });
        },
      },
    ],
    connectUrl: `${PAGE}/auth/connect`,
    requester: { name: "Demo agent" },
    clock,
    onError: (error) => errors.push(error),
  });
  const runtime = createTestRuntime((turn) => runTurn(turn), { ports: { clock } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  clock.advance(expiresAt - clock.now() - 3 * MINUTE);
  const before = refreshes();
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  clock.advance(5 * MINUTE);
  const theirs = another === undefined ? undefined : await connect(another);
  clock.advance(MINUTE);
  await ada.answer("c1", { elicitationId, action: "accept", content: { name: "Grace" } });
  const next = () => stream.request(0, (request) => request.elicitationId !== elicitationId);
  const refreshed = () => refreshes() - before;
  return { store, old, theirs, ada, model, errors, refused, answeredWith, stream, next, refreshed };
}

test.each([
  ["in rounds (2026-07-28)", () => handleV2(asksInRounds, "2026-07-28")],
  ["in a session (2025-11-25)", () => handleV1(asksInSession)],
])("a token may expire while the user answers a server that asks %s", async (_, handler) => {
  const s = await answerLate({ handle: handler() });
  await expect(s.next()).rejects.toThrow("has ended without an open request");
  expect(JSON.stringify(toolResultsSeen(s.model))).toContain("Grace");
  expect(s.refreshed()).toBe(1);
  expect((await s.store.get("tracker", "ada"))?.accessToken).not.toBe(s.old.accessToken);
  expect([s.refused, s.errors]).toEqual([[], []]);
});

test.each([
  ["refuses to refresh it for another reason", "invalid_target", "declined to connect Tracker"],
  ["cannot refresh it at the moment", "server_error", "cannot be read"],
])("an expired token is kept if the provider %s", async (_, error, text) => {
  const s = await answerLate({
    handle: handleV2(asksInRounds, "2026-07-28"),
    async fetch(input, init) {
      const { pathname } = new URL(new Request(input).url);
      return pathname === "/token" ? Response.json({ error }, { status: 400 }) : fetch(input, init);
    },
  });
  if (error === "invalid_target") {
    const { mode, elicitationId } = await s.next();
    expect(mode).toBe("url");
    await s.ada.answer("c1", { elicitationId, action: "decline" });
  }
  await s.stream.done;
  expect(JSON.stringify(toolResultsSeen(s.model))).toContain(text);
  expect(await s.store.get("tracker", "ada")).toEqual(s.old);
});

test.each<[string, Pick<Options, "scopes" | "connected">]>([
  ["nothing says whose the tokens are", { connected: (credential) => credential }],
  ["only the times differ", {}],
  ["their ids differ", { scopes: ["openid", "issues:write"], connected: (credential) => credential }],
])("an answer is never sent as another account, if %s", async (_, options) => {
  const s = await answerLate({ handle: handleV2(asksInRounds, "2026-07-28"), another: "bob", ...options });
  const { elicitationId } = await s.next();
  expect(s.answeredWith).toEqual([s.old.accessToken]);
  await s.ada.answer("c1", { elicitationId, action: "accept", content: { name: "Grace" } });
  await s.stream.done;
  expect(s.answeredWith).toEqual([s.old.accessToken, s.theirs?.accessToken]);
  expect(s.errors).toEqual([]);
});

test("an answer is sent with the token of a new connection of the same account", async () => {
  const s = await answerLate({
    handle: handleV2(asksInRounds, "2026-07-28"),
    scopes: ["openid", "issues:write"],
    another: "carol",
  });
  await s.stream.done;
  expect(s.answeredWith).toEqual([s.theirs?.accessToken]);
  expect([s.refused, s.errors]).toEqual([[], []]);
});
