import { discoverAndRequestJwtAuthGrant, exchangeJwtAuthGrant } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import {
  APP,
  AT_SERVER,
  type IdentityProvider,
  startIdentityProvider,
  startManagedServer,
} from "../../../test/stages/enterprise.ts";
import { type TestProvider, startTestProvider } from "../../../test/stages/oidc-provider.ts";
import { createScriptedModel, toolResultsSeen } from "../../../test/stages/scripted-model.ts";
import { createSignInServer } from "../../../test/stages/sign-in-server.ts";
import { createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { createAgentTurn } from "../../agent/index.ts";
import { createMcpSignIn, createMemoryCredentials, withConnectors } from "../index.ts";
import type { PresetClient } from "./choose-client.ts";

const SERVER = "http://localhost:39998/mcp";
const PAGE = "http://localhost:39999";
const DONE = [{ type: "text", value: "create_issue done" }];

let company: IdentityProvider;
let authorization: TestProvider;
/** An authorization server that takes no grants of companies. */
let unmanaged: TestProvider;
beforeAll(async () => {
  company = await startIdentityProvider();
  authorization = await startManagedServer(company);
  unmanaged = await startTestProvider([]);
});
afterAll(async () => {
  await unmanaged.close();
  await company.close();
  await authorization.close();
});
beforeEach(() => company.notAllowed.clear());

interface SetUp {
  /** The ID token of a user. Default: the one of their sign-in at the company. */
  identityAssertion?: (userId: string) => Promise<string | undefined>;
  /** The clients that the operator has registered. Default: one for the server. */
  clients?: (own: PresetClient) => readonly PresetClient[];
  administrator?: string;
  /** Whether the server names an authorization server that takes no grants of companies. */
  isUnmanaged?: boolean;
  /** The scopes in the metadata of the server. With them, its refusals name none. */
  supported?: readonly string[];
  /** Changes the reply of the company to an exchange. */
  change?: Readonly<Record<string, string>>;
  steps?: readonly ({ issues_create_issue: object } | { issues_read_issue: object } | string)[];
}

function setUp({
  identityAssertion = (userId) => company.idTokenOf(userId),
  clients = (own) => [own],
  administrator,
  isUnmanaged = false,
  supported,
  change,
  steps = [{ issues_create_issue: {} }, "Done."],
}: SetUp = {}) {
  const { issuer } = isUnmanaged ? unmanaged : authorization;
  const server = createSignInServer({
    url: SERVER,
    authorizationServers: [issuer],
    scopesOf: (token) => authorization.scopesOf(token),
    supported,
  });
  const preset = { server: SERVER, issuer, ...AT_SERVER };
  const store = createMemoryCredentials();
  const runtime = createTestRuntime((turn) => runTurn(turn));
  const { clock } = runtime;
  const mcpSignIn = createMcpSignIn({
    origin: PAGE,
    // The metadata of the MCP server comes from this process, the rest over HTTP.
    fetch: async (input, init) =>
      new URL(new Request(input).url).host === new URL(SERVER).host
        ? server.fetch(input, init)
        : fetch(input, init),
    client: { name: "Demo agent" },
    clients: clients(preset),
    enterprise: {
      issuer: company.issuer,
      ...APP,
      identityAssertion,
      administrator,
      async fetch(input, init) {
        const reply = await fetch(input, init);
        const isExchange = init?.method === "POST" && change !== undefined;
        return isExchange ? Response.json({ ...(await reply.json()), ...change }) : reply;
      },
    },
    clock,
  });
  const errors: unknown[] = [];
  const model = createScriptedModel(...steps);
  const runTurn = createAgentTurn({
    model,
    credentials: withConnectors(store, { providers: {}, mcpSignIn, clock }),
    mcpServers: [
      {
        name: "issues",
        url: SERVER,
        service: "Issues",
        credentialScope: "user",
        signIn: "on-demand",
        fetch: server.fetch,
      },
    ],
    connectUrl: `${PAGE}/auth/connect`,
    requester: { name: "Demo agent" },
    clock,
    onError: (error) => errors.push(error),
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  return { runtime, server, store, model, ada, errors, clock };
}

const cardsOf = (chunks: readonly Readonly<Record<string, unknown>>[]) =>
  chunks.filter(({ type }) => type === "data-elicitation-request");

test("a user of a company is not asked: the call runs with a token that its identity provider allowed", async () => {
  const { ada, model, store, server, errors } = setUp();
  const stream = await ada.send("c1");
  await stream.done;
  expect(errors).toEqual([]);
  expect(cardsOf(stream.chunks)).toEqual([]);
  expect(toolResultsSeen(model)).toEqual(DONE);
  const stored = await store.get("issues", "ada");
  expect(await authorization.accountOf(stored?.accessToken ?? "")).toBe("ada");
  expect(stored).toMatchObject({
    scope: "issues:write",
    binding: { serverUrl: SERVER, issuer: authorization.issuer, clientId: AT_SERVER.clientId },
  });
  expect(server.calls.at(-1)?.token).toBe(stored?.accessToken);
  // What the specification requires of the exchange.
  const exchange = company.requests.findLast(({ path }) => path === "/token")?.parameters;
  expect(Object.fromEntries(exchange ?? [])).toMatchObject({
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    requested_token_type: "urn:ietf:params:oauth:token-type:id-jag",
    subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
    audience: authorization.issuer,
    resource: SERVER,
    scope: "issues:write",
  });
});

test("the MCP SDK's own client gets a token from the same two servers", async () => {
  const { jwtAuthGrant } = await discoverAndRequestJwtAuthGrant({
    idpUrl: company.issuer,
    audience: authorization.issuer,
    resource: SERVER,
    idToken: await company.idTokenOf("ada"),
    ...APP,
    scope: "issues:read",
  });
  const { access_token: token } = await exchangeJwtAuthGrant({
    tokenEndpoint: `${authorization.issuer}/token`,
    jwtAuthGrant,
    ...AT_SERVER,
  });
  expect(await authorization.scopesOf(token)).toEqual(["issues:read"]);
});

test("a user whose company refuses gets no card, and the model learns who can change it", async () => {
  company.notAllowed.add("ada");
  const { ada, model, store, errors } = setUp({ administrator: "IT Service (it@acme.example)" });
  const stream = await ada.send("c1");
  await stream.done;
  expect(cardsOf(stream.chunks)).toEqual([]);
  expect(JSON.stringify(toolResultsSeen(model))).toContain(
    "the user's company does not allow this app to use Issues. The user was not asked, and cannot change it. Tell them that IT Service (it@acme.example) can.",
  );
  expect(await store.get("issues", "ada")).toBeUndefined();
  expect(errors).toEqual([]);
});

test.each<[string, SetUp, number]>([
  ["who is not of the company", { identityAssertion: async () => undefined }, 0],
  ["whose ID token is refused", { identityAssertion: async () => "forged.id.token" }, 1],
  [
    "whose application cannot read the ID token",
    { identityAssertion: () => Promise.reject(new Error("down")) },
    1,
  ],
])("a user %s gets the card", async (_, options, reported) => {
  const { ada, runtime, errors } = setUp(options);
  const stream = await ada.send("c1");
  const { mode } = await stream.request();
  expect(mode).toBe("url");
  expect(errors).toHaveLength(reported);
  expect(JSON.stringify(errors.map(String))).not.toContain("forged.id.token");
  await runtime.close();
});

const exchangesAt = ({ requests }: TestProvider) => requests.filter(({ path }) => path === "/token");

test.each<[string, SetUp, boolean]>([
  ["when the operator has registered no client", { clients: () => [] }, false],
  [
    "when clients are registered for another server and at another issuer",
    {
      clients: (own) => [
        { ...own, server: "https://other.example.com/mcp" },
        { ...own, issuer: "https://other.example.com" },
      ],
    },
    false,
  ],
  ["when the server takes no such grants", { isUnmanaged: true }, false],
  [
    "when the company replies with an access token instead of a grant",
    { change: { issued_token_type: "urn:ietf:params:oauth:token-type:access_token" } },
    true,
  ],
  ["when the grant of the company is malformed", { change: { access_token: "gr\nant" } }, true],
])("%s, no grant is sent to the server, and the user gets the card", async (_, options, isAsked) => {
  const before = [company, authorization, unmanaged].map((one) => exchangesAt(one).length);
  const idToken = await company.idTokenOf("ada");
  before[0] = exchangesAt(company).length;
  const { ada, runtime } = setUp({ ...options, identityAssertion: async () => idToken });
  await (await ada.send("c1")).request();
  const [atCompany = 0, ...atServers] = before;
  expect(exchangesAt(company)).toHaveLength(atCompany + (isAsked ? 1 : 0));
  expect([authorization, unmanaged].map((one) => exchangesAt(one).length)).toEqual(atServers);
  await runtime.close();
});

test("for a server that names no scopes, none are requested", async () => {
  const { ada, runtime } = setUp({ supported: [] });
  await (await ada.send("c1")).request();
  for (const one of [company, authorization]) {
    expect(exchangesAt(one).at(-1)?.parameters.get("resource")).toBe(SERVER);
    expect(exchangesAt(one).at(-1)?.parameters.has("scope")).toBe(false);
  }
  await runtime.close();
});

test("a company cannot be configured with an issuer over plain http", () => {
  const identityAssertion = async () => undefined;
  const enterprise = { issuer: "http://company.example.com", ...APP, identityAssertion };
  const create = () => createMcpSignIn({ origin: PAGE, fetch, client: { name: "Demo agent" }, enterprise });
  expect(create).toThrow("elicit-kit: an issuer must be https");
});

test("a token that has expired is replaced without a card", async () => {
  const { ada, model, clock, store } = setUp({
    steps: [{ issues_create_issue: {} }, "Done.", { issues_create_issue: {} }, "Done."],
  });
  await (
    await ada.send("c1")
  ).done;
  const first = await store.get("issues", "ada");
  clock.advance(3_600_000);
  const stream = await ada.send("c1");
  await stream.done;
  expect(cardsOf(stream.chunks)).toEqual([]);
  expect(toolResultsSeen(model)).toEqual(DONE);
  expect((await store.get("issues", "ada"))?.accessToken).not.toBe(first?.accessToken);
});

test("a call that needs more scopes gets them without a card", async () => {
  const { ada, store } = setUp({ steps: [{ issues_read_issue: {} }, { issues_create_issue: {} }, "Done."] });
  const stream = await ada.send("c1");
  await stream.done;
  expect(cardsOf(stream.chunks)).toEqual([]);
  expect((await store.get("issues", "ada"))?.scope?.split(" ").toSorted()).toEqual([
    "issues:read",
    "issues:write",
  ]);
});

test("a server that refuses the obtained token makes the user be asked, once", async () => {
  const { ada, runtime, store, server } = setUp();
  const scopesOf = authorization.scopesOf.bind(authorization);
  authorization.scopesOf = async () => undefined;
  const stream = await ada.send("c1");
  await stream.request();
  authorization.scopesOf = scopesOf;
  expect(server.calls).toHaveLength(2);
  expect(await store.get("issues", "ada")).toBeUndefined();
  await runtime.close();
});
