import { expect, test } from "vitest";
import { createManualClock } from "../../base/testing/manual-clock.ts";
import type { CredentialBinding } from "../ports/credentials.ts";
import type { ClientMethod, PresetClient } from "./choose-client.ts";
import { createMemoryRegistrations } from "../ports/client-registrations.ts";
import { type McpSignIn, type McpSignInOptions, createMcpSignIn } from "./mcp-sign-in.ts";
import type { SignInPlan } from "./oauth-client.ts";

const SERVER = "https://mcp.example.com/team/mcp";
const ISSUER = "https://login.example.com";
const PAGE = "https://auth.example.com";
const TARGET = { url: SERVER, service: "Tracker" };
const NONE: ReadonlySet<ClientMethod> = new Set();

const RESOURCE = { resource: SERVER, authorization_servers: [ISSUER] };
const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  registration_endpoint: `${ISSUER}/register`,
  code_challenge_methods_supported: ["S256"],
};
const RESOURCE_PLACE = "https://mcp.example.com/.well-known/oauth-protected-resource/team/mcp";
const METADATA_PLACE = `${ISSUER}/.well-known/oauth-authorization-server`;
const OPENID_PLACE = `${ISSUER}/.well-known/openid-configuration`;

interface Asked {
  url: string;
  body: string;
  headers: Headers;
  redirect: RequestRedirect;
}
type Site = Readonly<Record<string, unknown>>;

/** The web in these tests: JSON by URL, and the requested URLs. A function gets the body of the request. */
function web(site: Site, options: Partial<McpSignInOptions> = {}) {
  const asked: Asked[] = [];
  const clock = createManualClock();
  const registrations = createMemoryRegistrations();
  const signIn = createMcpSignIn({
    origin: PAGE,
    client: { name: "Demo agent" },
    registrations,
    clock,
    async fetch(input, init) {
      const request = new Request(input, init);
      const body = await request.text();
      const { url, headers, redirect } = request;
      asked.push({ url, body, headers, redirect });
      const found = site[request.url];
      const answer: unknown = typeof found === "function" ? found(body) : found;
      if (answer instanceof Response) return answer;
      return answer === undefined ? new Response("no", { status: 404 }) : Response.json(answer);
    },
    ...options,
  });
  return { signIn, asked, clock, registrations };
}

let registrationCount = 0;
const GOOD: Site = {
  [RESOURCE_PLACE]: RESOURCE,
  [METADATA_PLACE]: METADATA,
  [`${ISSUER}/register`]: () =>
    Response.json({ client_id: `client-${(registrationCount += 1)}` }, { status: 201 }),
  [`${ISSUER}/token`]: { access_token: "token", token_type: "Bearer", refresh_token: "refresh" },
};

async function startWith(site: Site, options: Partial<McpSignInOptions> = {}, scope?: string) {
  const { signIn, ...rest } = web({ ...GOOD, ...site }, options);
  const plan = await signIn.discover({ ...TARGET, ...(scope !== undefined && { scope }) });
  return { signIn, plan, ...rest, ...(await signIn.start(plan, NONE)) };
}

test("the URL of a server is enough: its metadata contains the sign-in address, and a client is registered", async () => {
  const client = {
    name: "Demo agent",
    uri: "https://agent.example.com/",
    logoUri: "https://agent.example.com/logo.png",
  };
  const { url, trip, method, asked, plan } = await startWith({}, { client });
  expect(plan).toMatchObject({ serverUrl: SERVER, resource: SERVER, scopes: [] });
  expect(asked.map((one) => one.url)).toEqual([RESOURCE_PLACE, METADATA_PLACE, `${ISSUER}/register`]);
  expect(method).toBe("dynamic");
  expect(trip.redirectUri).toMatch(/^https:\/\/auth\.example\.com\/auth\/mcp\/callback\/[\w-]{43}$/);
  expect(JSON.parse(asked[2]?.body ?? "")).toEqual({
    client_name: "Demo agent",
    client_uri: client.uri,
    logo_uri: client.logoUri,
    redirect_uris: [trip.redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    application_type: "web",
    token_endpoint_auth_method: "client_secret_basic",
  });
  expect(url.origin + url.pathname).toBe(`${ISSUER}/authorize`);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: "code",
    client_id: trip.client.clientId,
    redirect_uri: trip.redirectUri,
    resource: SERVER,
    code_challenge_method: "S256",
  });
  expect(url.searchParams.has("scope")).toBe(false);
});

test("metadata is read from the URL in the challenge, or else from the well-known URL of the path, or else of the origin", async () => {
  const named = "https://mcp.example.com/elsewhere";
  const byChallenge = web({ ...GOOD, [named]: RESOURCE });
  await byChallenge.signIn.discover({ ...TARGET, resourceMetadata: named });
  expect(byChallenge.asked[0]?.url).toBe(named);

  const atOrigin = "https://mcp.example.com/.well-known/oauth-protected-resource";
  const { signIn, asked } = web({
    ...GOOD,
    [RESOURCE_PLACE]: undefined,
    [atOrigin]: { ...RESOURCE, resource: "https://mcp.example.com" },
  });
  expect(await signIn.discover(TARGET)).toMatchObject({ resource: "https://mcp.example.com" });
  expect(asked.map((one) => one.url)).toEqual([RESOURCE_PLACE, atOrigin, METADATA_PLACE]);
});

test.each<[string, string | undefined, unknown, readonly string[]]>([
  ["the challenge", "a b", ["c"], ["a", "b"]],
  ["the metadata, if the challenge names none", undefined, ["c"], ["c"]],
  ["neither, if neither names any", undefined, undefined, []],
])("sign-in requests the scopes of %s", async (_, scope, supported, scopes) => {
  const { plan } = await startWith(
    { [RESOURCE_PLACE]: { ...RESOURCE, scopes_supported: supported } },
    {},
    scope,
  );
  expect(plan.scopes).toEqual(scopes);
});

test("sign-in requests offline access if the server supports it and any scope is requested", async () => {
  const offline = { [METADATA_PLACE]: { ...METADATA, scopes_supported: ["offline_access"] } };
  const { url } = await startWith(offline, {}, "a");
  expect(url.searchParams.get("scope")).toBe("a offline_access");
  expect(url.searchParams.get("prompt")).toBe("consent");
  expect((await startWith(offline)).url.searchParams.has("scope")).toBe(false);
  expect((await startWith({}, {}, "a")).url.searchParams.get("scope")).toBe("a");
});

test.each<[string, Site, string]>([
  ["has no metadata", { [RESOURCE_PLACE]: undefined }, "status 404"],
  ["has metadata that is not JSON", { [RESOURCE_PLACE]: () => new Response("<html>") }, "not JSON"],
  [
    "has metadata for another origin",
    { [RESOURCE_PLACE]: { ...RESOURCE, resource: "https://bank.example.com/mcp" } },
    "for another resource",
  ],
  [
    "has metadata for another path",
    { [RESOURCE_PLACE]: { ...RESOURCE, resource: "https://mcp.example.com/te" } },
    "for another resource",
  ],
  [
    "names no authorization server",
    { [RESOURCE_PLACE]: { resource: SERVER } },
    "names no authorization server",
  ],
  [
    "names an authorization server over http",
    { [RESOURCE_PLACE]: { ...RESOURCE, authorization_servers: ["http://login.example.com"] } },
    "must be an https URL",
  ],
  [
    "names an authorization server on the person's own machine",
    { [RESOURCE_PLACE]: { ...RESOURCE, authorization_servers: ["http://127.0.0.1:8080"] } },
    "must be an https URL",
  ],
  ...[
    "https://user@login.example.com",
    "https://:password@login.example.com",
    "https://login.example.com?tenant=1",
    "https://login.example.com#tenant",
  ].map((issuer): [string, Site, string] => [
    `names ${issuer} as its authorization server`,
    { [RESOURCE_PLACE]: { ...RESOURCE, authorization_servers: [issuer] } },
    "must be an https URL without user name, query and fragment",
  ]),
  [
    "names an authorization server whose metadata writes the issuer in another way",
    { [METADATA_PLACE]: { ...METADATA, issuer: "https://LOGIN.example.com:443" } },
    "another issuer",
  ],
  [
    "names an authorization server whose metadata belongs to another issuer",
    { [METADATA_PLACE]: { ...METADATA, issuer: "https://bank.example.com" } },
    "attribute mismatch|does not match|another issuer",
  ],
  [
    "names an authorization server without PKCE",
    { [METADATA_PLACE]: { ...METADATA, code_challenge_methods_supported: undefined } },
    "PKCE with S256",
  ],
  [
    "names an authorization server that only supports plain PKCE",
    { [METADATA_PLACE]: { ...METADATA, code_challenge_methods_supported: ["plain"] } },
    "PKCE with S256",
  ],
  [
    "names an authorization server with a token endpoint over http",
    { [METADATA_PLACE]: { ...METADATA, token_endpoint: "http://login.example.com/token" } },
    "token_endpoint is not an https URL",
  ],
  [
    "names an authorization server without a URL",
    { [RESOURCE_PLACE]: { ...RESOURCE, authorization_servers: ["login"] } },
    "it is not a URL",
  ],
  ...["token", 7].map((token_endpoint): [string, Site, string] => [
    `names an authorization server with the token endpoint ${token_endpoint}`,
    { [METADATA_PLACE]: { ...METADATA, token_endpoint } },
    "token_endpoint is not an https URL",
  ]),
  [
    "names an authorization server with a javascript: URL",
    { [METADATA_PLACE]: { ...METADATA, authorization_endpoint: "javascript:alert(1)" } },
    "authorization_endpoint is not an https URL",
  ],
  [
    "names an authorization server whose people sign in at another one that may not send iss",
    { [METADATA_PLACE]: { ...METADATA, authorization_endpoint: "https://honest.example.com/authorize" } },
    "authorization_endpoint is on another origin.+register a client there by hand",
  ],
  [
    "names an authorization server whose tokens come from another one that may not send iss",
    { [METADATA_PLACE]: { ...METADATA, token_endpoint: "https://honest.example.com/token" } },
    "token_endpoint is on another origin",
  ],
  ...[
    "scope=admin",
    "scope%5B%5D=admin",
    "user_scope=admin",
    "resource%5B0%5D=https://bank.example.com/",
    "include_granted_scopes=true",
    "Resource=https://bank.example.com/",
    "request_uri=https://x.example/",
    "x=1&prompt=none",
  ].map((query): [string, Site, string] => [
    `adds ${query} to what the page shows`,
    { [METADATA_PLACE]: { ...METADATA, authorization_endpoint: `${ISSUER}/authorize?${query}` } },
    "in its query",
  ]),
  ...[
    ["a user name before its own host", "https://bank.example.com@mcp.example.com/team/mcp"],
    ["a backslash that other parsers read as a host", "https://mcp.example.com\\@bank.example.com/team/mcp"],
    ["a path that only looks like its own", "https://mcp.example.com/bank/../team/mcp"],
    ["a blob of its own host", `blob:${SERVER}`],
  ].map(([what, resource]): [string, Site, string] => [
    `claims ${what}`,
    { [RESOURCE_PLACE]: { ...RESOURCE, resource } },
    "for another resource",
  ]),
  [
    "claims the whole host, which has other tenants",
    { [RESOURCE_PLACE]: { ...RESOURCE, resource: "https://mcp.example.com" } },
    "for another resource",
  ],
  [
    "claims the path above its own, which has other tenants",
    { [RESOURCE_PLACE]: { ...RESOURCE, resource: "https://mcp.example.com/team" } },
    "for another resource",
  ],
])("the user is not redirected to sign in when the server %s", async (_, site, words) => {
  const { signIn } = web({ ...GOOD, ...site });
  const failed: unknown = await signIn.discover(TARGET).catch((error: unknown) => error);
  expect(failed).toMatchObject({ name: "SignInError", message: expect.stringMatching(words) });
  expect(String(failed)).toMatch(/^SignInError: elicit-kit: /);
});

test.each([
  ["a line of its own", "https://login.example.com/\n2026-11-20 ERROR all is lost"],
  ["a code that clears the terminal", "x\u001b[2J"],
  ["a line that reads backwards", "https://login.example.com/\u202efdp"],
  ["a separator of lines", "https://login.example.com/\u2028"],
])("metadata cannot write %s into the operator's log", async (_, named) => {
  const { signIn } = web({ ...GOOD, [RESOURCE_PLACE]: { ...RESOURCE, authorization_servers: [named] } });
  const failed: unknown = await signIn.discover(TARGET).catch((error: unknown) => error);
  expect(failed).toMatchObject({ name: "SignInError" });
  expect(String(failed)).toMatch(/^[\x20-\x7e]+$/);
});

test.each(["", "/"])(
  "the metadata of an authorization server with a path is read from its three well-known URLs, in order, with '%s' at its end",
  async (end) => {
    const issuer = `${ISSUER}/tenant`;
    const last = `${issuer}/.well-known/openid-configuration`;
    const { signIn, asked } = web({
      [RESOURCE_PLACE]: { ...RESOURCE, authorization_servers: [issuer + end] },
      [last]: { ...METADATA, issuer },
    });
    expect((await signIn.discover(TARGET)).server.issuer).toBe(issuer);
    expect(asked.slice(1).map(({ url }) => url)).toEqual([
      `${ISSUER}/.well-known/oauth-authorization-server/tenant`,
      `${ISSUER}/.well-known/openid-configuration/tenant`,
      last,
    ]);
  },
);

test.each<[string, Site, string]>([
  [
    "names another issuer",
    { [METADATA_PLACE]: undefined, [OPENID_PLACE]: { ...METADATA, issuer: `${ISSUER}/x` } },
    "another issuer",
  ],
  [
    "is no JSON",
    { [METADATA_PLACE]: () => new Response("<html>"), [OPENID_PLACE]: undefined },
    "it is not JSON",
  ],
  ["is missing", { [METADATA_PLACE]: undefined }, "it answered with status 404"],
])(
  "when a document of the authorization server %s, the operator gets that reason",
  async (_, site, words) => {
    await expect(web({ ...GOOD, ...site }).signIn.discover(TARGET)).rejects.toThrow(words);
  },
);

test("a tenant cannot claim the whole host with its own document", async () => {
  const own = "https://mcp.example.com/team/metadata";
  const { signIn } = web({ ...GOOD, [own]: { ...RESOURCE, resource: "https://mcp.example.com/" } });
  const discovering = signIn.discover({ ...TARGET, resourceMetadata: own });
  await expect(discovering).rejects.toThrow("for another resource");
});

test("when a challenge names metadata without a URL, the operator gets that reason", async () => {
  const { signIn } = web({});
  const discovering = signIn.discover({ ...TARGET, resourceMetadata: "metadata" });
  await expect(discovering).rejects.toThrow("the address of its metadata is not a URL");
});

const HOST_PLACE = "https://mcp.example.com/.well-known/oauth-protected-resource";

test.each([
  ["the whole host", HOST_PLACE, "https://mcp.example.com/"],
  ["the path above its own", `${HOST_PLACE}/team`, "https://mcp.example.com/team"],
])("a server may name %s as its resource if the document there confirms that", async (_, place, resource) => {
  const { signIn } = web({ ...GOOD, [place]: { ...RESOURCE, resource } });
  expect(await signIn.discover({ ...TARGET, resourceMetadata: place })).toMatchObject({ resource });
});

const BANK_PLACE = "https://bank.example.com/.well-known/oauth-protected-resource";

test.each([
  ["another host", BANK_PLACE, "https://bank.example.com/"],
  ["a path of another host", `${BANK_PLACE}/team`, "https://bank.example.com/team"],
  ["another path of its host", `${HOST_PLACE}/bank`, "https://mcp.example.com/bank"],
  ["a path with which its own only begins", `${HOST_PLACE}/te`, "https://mcp.example.com/te"],
  ["a query of the path above", `${HOST_PLACE}/team`, "https://mcp.example.com/team?bank"],
  ["its host with a user name", HOST_PLACE, "https://bank@mcp.example.com/"],
  ["its host with a password", HOST_PLACE, "https://:bank@mcp.example.com/"],
  ["its host with a fragment", HOST_PLACE, "https://mcp.example.com/#bank"],
])(
  "a server that names the metadata of %s gets no token for it, even if the document is genuine",
  async (_, place, resource) => {
    const { signIn, asked } = web({ ...GOOD, [place]: { ...RESOURCE, resource } });
    const discovering = signIn.discover({ ...TARGET, resourceMetadata: place });
    await expect(discovering).rejects.toThrow("for another resource");
    // An attempt to mislead ends the search.
    expect(asked.map(({ url }) => url)).toEqual([place]);
  },
);

test("a server that replies to every query with the metadata of its path works", async () => {
  const { signIn } = web({ ...GOOD, [`${RESOURCE_PLACE}?org=acme`]: RESOURCE });
  const target = { ...TARGET, url: `${SERVER}?org=acme` };
  expect(await signIn.discover(target)).toMatchObject({ resource: SERVER });
});

test("the metadata of a server without a path is read from one well-known URL", async () => {
  const resource = "https://mcp.example.com/";
  const { signIn, asked } = web({ ...GOOD, [HOST_PLACE]: { ...RESOURCE, resource } });
  expect(await signIn.discover({ ...TARGET, url: resource })).toMatchObject({ resource });
  expect(asked.map(({ url }) => url)).toEqual([HOST_PLACE, METADATA_PLACE]);
});

test("of several authorization servers, the one where the operator has registered a client for the server is used", async () => {
  const first = "https://first.example.com";
  const metadata = {
    issuer: first,
    authorization_endpoint: `${first}/authorize`,
    token_endpoint: `${first}/token`,
    code_challenge_methods_supported: ["S256"],
  };
  const site = {
    [RESOURCE_PLACE]: { ...RESOURCE, authorization_servers: [first, ISSUER] },
    [METADATA_PLACE]: METADATA,
    [`${first}/.well-known/oauth-authorization-server`]: metadata,
  };
  const own = { server: SERVER, issuer: ISSUER, clientId: "own" };
  const foreign = { ...own, server: "https://other.example.com/mcp" };
  const used = async (clients: readonly (typeof own)[]) =>
    (await web(site, { clients }).signIn.discover(TARGET)).server.issuer;
  expect([await used([]), await used([foreign]), await used([foreign, own])]).toEqual([first, first, ISSUER]);
});

test("endpoints on other origins are used if the issuer names itself in the callback", async () => {
  const { url } = await startWith({
    [METADATA_PLACE]: {
      ...METADATA,
      authorization_endpoint: "https://accounts.example.net/authorize?tenant=7",
      authorization_response_iss_parameter_supported: true,
    },
  });
  expect(url.origin).toBe("https://accounts.example.net");
  expect(url.searchParams.get("tenant")).toBe("7");
});

test("endpoints on other origins are used if the operator has registered a client manually", async () => {
  const clients = [{ server: SERVER, issuer: ISSUER, clientId: "by-hand" }];
  const elsewhere = { ...METADATA, token_endpoint: "https://oauth2.example.net/token" };
  expect((await startWith({ [METADATA_PLACE]: elsewhere }, { clients })).method).toBe("preset");
});

const CIMD = { [METADATA_PLACE]: { ...METADATA, client_id_metadata_document_supported: true } };

test("a manually registered client is preferred, then the client metadata document, then dynamic registration", async () => {
  const preset = { server: SERVER, issuer: ISSUER, clientId: "by-hand" };
  expect(await startWith(CIMD, { clients: [preset] })).toMatchObject({
    method: "preset",
    trip: { client: { clientId: "by-hand" } },
  });
  const byDocument = await startWith(CIMD);
  expect(byDocument.method).toBe("metadata-document");
  const { clientId } = byDocument.trip.client;
  expect(byDocument.signIn.clientDocument(new URL(clientId).pathname)).toEqual({
    client_id: clientId,
    client_name: "Demo agent",
    redirect_uris: [byDocument.trip.redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    application_type: "web",
    token_endpoint_auth_method: "none",
  });
  expect((await startWith({})).method).toBe("dynamic");
});

test("a client registered manually for one server is not used for another, or at another issuer", async () => {
  const clients = [
    { server: "https://other.example.com/mcp", issuer: ISSUER, clientId: "other-server" },
    { server: SERVER, issuer: "https://other.example.com", clientId: "other-issuer" },
  ];
  expect((await startWith({}, { clients })).method).toBe("dynamic");
});

test("without a public address there is no client metadata document, and the error says so", async () => {
  const alone = { ...CIMD[METADATA_PLACE], registration_endpoint: undefined };
  const starting = startWith({ [METADATA_PLACE]: alone }, { origin: "http://localhost:4000" });
  await expect(starting).rejects.toThrow("only from a public https origin");
});

test("when no client can be registered, the error tells the operator what to register and where", async () => {
  const starting = startWith({ [METADATA_PLACE]: { ...METADATA, registration_endpoint: undefined } });
  await expect(starting).rejects.toThrow(
    /It takes neither client id metadata documents nor dynamic registration\. Register a client there by hand, with the redirect URI https:\/\/auth\.example\.com\/auth\/mcp\/callback\/[\w-]{43}, and add \{ server: "https:\/\/mcp/,
  );
});

test.each([
  [
    "refuses the registration, also without scopes",
    () => Response.json({ error: "invalid_client_metadata" }, { status: 400 }),
    "invalid_client_metadata",
    2,
  ],
  [
    "cannot process the registration, also without scopes",
    () => Response.json({ error: "invalid_client_metadata" }, { status: 422 }),
    "invalid_client_metadata",
    2,
  ],
  ["is busy", () => new Response("hunter2", { status: 429 }), "takes no more registrations", 1],
])(
  "when the server %s, the operator gets an error without text from the server",
  async (_, answer, words, times) => {
    let asked = 0;
    const register = () => {
      asked += 1;
      return answer();
    };
    const failed: unknown = await startWith({ [`${ISSUER}/register`]: register }, {}, "read").catch(
      (error: unknown) => error,
    );
    expect(String(failed)).toContain(words);
    expect(String(failed)).not.toContain("hunter2");
    expect(asked).toBe(times);
  },
);

test("one registration serves all users, but only for this server at this issuer", async () => {
  const other = "https://mcp.example.com/other";
  const elsewhere = "https://login.example.net";
  const { signIn, asked } = web({
    ...GOOD,
    "https://mcp.example.com/.well-known/oauth-protected-resource/other": { ...RESOURCE, resource: other },
    [`${elsewhere}/.well-known/oauth-authorization-server`]: {
      ...METADATA,
      issuer: elsewhere,
      registration_endpoint: `${elsewhere}/register`,
    },
    [`${elsewhere}/register`]: () => Response.json({ client_id: "elsewhere" }, { status: 201 }),
  });
  const plan = await signIn.discover(TARGET);
  const first = await signIn.start(plan, NONE);
  const second = await signIn.start(await signIn.discover(TARGET), NONE);
  expect(second.trip.client).toEqual(first.trip.client);
  const third = await signIn.start(await signIn.discover({ url: other, service: "Other" }), NONE);
  expect(third.trip.client).not.toEqual(first.trip.client);
  expect(third.trip.redirectUri).not.toBe(first.trip.redirectUri);
  const moved = await signIn.start(
    {
      ...plan,
      server: { ...plan.server, issuer: elsewhere, registration_endpoint: `${elsewhere}/register` },
    },
    NONE,
  );
  expect(moved.trip.client.clientId).toBe("elsewhere");
  expect(moved.trip.redirectUri).not.toBe(first.trip.redirectUri);
  expect(asked.filter(({ url }) => url.endsWith("/register"))).toHaveLength(3);
});

test("when a user does not return from a sign-in, the next one uses another way to register the client, and then a new registration", async () => {
  const { signIn, clock } = web({ ...GOOD, ...CIMD });
  const plan = await signIn.discover(TARGET);
  expect((await signIn.start(plan, NONE)).method).toBe("metadata-document");
  const second = await signIn.start(plan, new Set(["metadata-document"] as const));
  expect(second.method).toBe("dynamic");
  clock.advance(10 * 60_000);
  const third = await signIn.start(plan, new Set(["metadata-document", "dynamic"] as const));
  expect(third.method).toBe("dynamic");
  expect(third.trip.client).not.toEqual(second.trip.client);
});

test("two users who connect at the same time share the first registration", async () => {
  const { signIn } = web(GOOD);
  const plan = await signIn.discover(TARGET);
  const starts = await Promise.all([signIn.start(plan, NONE), signIn.start(plan, NONE)]);
  expect(starts[0].trip.client).toEqual(starts[1].trip.client);
});

test("a registration whose secret has expired is replaced", async () => {
  const { signIn, clock } = web({
    ...GOOD,
    [`${ISSUER}/register`]: () =>
      Response.json(
        {
          client_id: `client-${(registrationCount += 1)}`,
          client_secret: "s",
          client_secret_expires_at: Math.round(clock.now() / 1000) + 60,
        },
        { status: 201 },
      ),
  });
  const plan = await signIn.discover(TARGET);
  const first = await signIn.start(plan, NONE);
  clock.advance(59_999);
  expect((await signIn.start(plan, NONE)).trip.client).toEqual(first.trip.client);
  clock.advance(1);
  expect((await signIn.start(plan, NONE)).trip.client).not.toEqual(first.trip.client);
});

async function cameBack(site: Site = {}, query: Record<string, string> = {}, scope?: string) {
  const begun = await startWith(site, {}, scope);
  const parameters = new URLSearchParams({ code: "code", state: begun.state, ...query });
  // The started sign-in, as a store that another process reads would keep it.
  const trip: typeof begun.trip = JSON.parse(JSON.stringify(begun.trip));
  return { ...begun, credential: await begun.signIn.finish(trip, begun.state, parameters) };
}

test("the credential is bound to the server, the issuer, the resource and the client", async () => {
  const { credential, trip, asked } = await cameBack({}, {}, "a b");
  expect(credential).toEqual({
    accessToken: "token",
    refreshToken: "refresh",
    scope: "a b",
    binding: {
      serverUrl: SERVER,
      issuer: ISSUER,
      resource: SERVER,
      clientId: trip.client.clientId,
      registeredClient: {},
    },
  });
  expect(Object.fromEntries(new URLSearchParams(asked.at(-1)?.body))).toMatchObject({
    grant_type: "authorization_code",
    resource: SERVER,
    code_verifier: trip.codeVerifier,
    redirect_uri: trip.redirectUri,
  });
});

test("unusual token responses of real servers are accepted", async () => {
  const { credential } = await cameBack({
    [`${ISSUER}/register`]: {
      client_id: 7,
      client_secret: "a-b",
      client_secret_expires_at: "0",
      redirect_uris: null,
    },
    [`${ISSUER}/token`]: Response.json({
      access_token: "token",
      token_type: "bearer",
      id_token: "not one",
      refresh_token: null,
      scope: null,
      expires_in: null,
    }),
  });
  expect(credential).toMatchObject({ accessToken: "token", binding: { clientId: "7" } });
  expect(credential).not.toHaveProperty("refreshToken");
});

const BOTH = ["client_secret_basic", "client_secret_post"];
test.each([
  [["client_secret_basic"], undefined, "header"],
  [undefined, undefined, "header"],
  [["client_secret_post"], undefined, "form"],
  [BOTH, undefined, "form"],
  [BOTH, "client_secret_basic", "header"],
  [BOTH, "private_key_jwt", "form"],
  [["none"], undefined, "nowhere"],
])(
  "where a server supports %s and registers the method %s, the client sends its secret in the %s",
  async (methods, registered, place) => {
    const { asked } = await cameBack({
      [METADATA_PLACE]: { ...METADATA, token_endpoint_auth_methods_supported: methods },
      [`${ISSUER}/register`]: {
        client_id: "cl",
        client_secret: "a-b/c",
        token_endpoint_auth_method: registered,
      },
    });
    const exchange = asked.at(-1);
    expect(exchange?.headers.get("authorization")).toBe(place === "header" ? "Basic Y2w6YS1iJTJGYw==" : null);
    expect(new URLSearchParams(exchange?.body).get("client_secret")).toBe(place === "form" ? "a-b/c" : null);
  },
);

const NAMED = { [METADATA_PLACE]: { ...METADATA, authorization_response_iss_parameter_supported: true } };

test.each<[string, Site, Record<string, string>]>([
  ["another state", {}, { state: "another" }],
  ["another issuer", {}, { iss: "https://evil.example" }],
  ["no issuer although the metadata promises one", NAMED, {}],
  ["an issuer that differs by a slash", NAMED, { iss: `${ISSUER}/` }],
  [
    "an error from another issuer",
    NAMED,
    { iss: "https://evil.example", error: "hunter2", error_description: "hunter2" },
  ],
])("a callback with %s gets no token, and its text is not repeated", async (_, site, query) => {
  const asked: string[] = [];
  const failed: unknown = await cameBack(
    { ...site, [`${ISSUER}/token`]: () => asked.push("token") },
    query,
  ).catch((error: unknown) => error);
  expect(failed).toMatchObject({ name: "SignInError" });
  expect(String(failed)).not.toContain("hunter2");
  expect(asked).toEqual([]);
});

test("when the user denies access, the error has the provider's code", async () => {
  await expect(cameBack({}, { error: "access_denied" })).rejects.toMatchObject({ code: "access_denied" });
});

test.each(["serverUrl", "resource"])(
  "a sign-in that began without a %s, at a configured provider, sends its code nowhere",
  async (name) => {
    const { signIn, trip, state, asked } = await startWith({});
    asked.length = 0;
    const back = new URLSearchParams({ code: "code", state });
    const finishing = signIn.finish({ ...trip, [name]: undefined }, state, back);
    await expect(finishing).rejects.toThrow("began at a provider that was configured then");
    expect(asked).toEqual([]);
  },
);

test("a token is refreshed at the issuer that granted it, even if the server now names another", async () => {
  const { signIn, credential, asked, trip, clock } = await cameBack();
  clock.advance(60 * 60_000);
  asked.length = 0;
  const fresh = await signIn.refresh(credential);
  expect(asked.map(({ url }) => url)).toEqual([METADATA_PLACE, `${ISSUER}/token`]);
  expect(Object.fromEntries(new URLSearchParams(asked[1]?.body))).toMatchObject({
    grant_type: "refresh_token",
    refresh_token: "refresh",
    resource: SERVER,
    client_id: trip.client.clientId,
  });
  expect(fresh).toEqual(credential);
});

test("a client that the authorization server no longer knows is registered again at the next sign-in", async () => {
  const { signIn, credential, plan, trip, asked } = await cameBack({
    [`${ISSUER}/token`]: (body: string) =>
      body.includes("grant_type=refresh_token")
        ? Response.json(
            { error: "invalid_client" },
            { status: 401, headers: { "www-authenticate": "Basic" } },
          )
        : { access_token: "token", token_type: "Bearer", refresh_token: "refresh" },
  });
  const refreshing = () => signIn.refresh(credential);
  await expect(refreshing()).rejects.toMatchObject({ code: "invalid_client" });
  await expect(refreshing()).rejects.toMatchObject({ code: "invalid_grant" });
  // Each refresh asks the server again, because a reply about one user's client need not apply to all users.
  expect(asked.filter(({ body }) => body.includes("grant_type=refresh_token"))).toHaveLength(2);
  expect((await signIn.start(plan, NONE)).trip.client).not.toEqual(trip.client);
});

const BY_HAND = { server: SERVER, issuer: ISSUER, clientId: "by-hand", clientSecret: "secret" };

test.each<[string, Site, readonly PresetClient[], string | null]>([
  ["registered by hand", {}, [BY_HAND], `Basic ${btoa("by-hand:secret")}`],
  ["described by a document", CIMD, [], null],
])(
  "the secret of a client that was %s is not stored, and the client is never given up",
  async (_, site, clients, authorization) => {
    let isKnown = true;
    const unknown = () => Response.json({ error: "invalid_client" }, { status: 401 });
    const token = () => (isKnown ? GOOD[`${ISSUER}/token`] : unknown());
    const { signIn, trip, state, asked } = await startWith(
      { ...site, [`${ISSUER}/token`]: token },
      { clients },
    );
    const credential = await signIn.finish(trip, state, new URLSearchParams({ code: "code", state }));
    const { clientId } = trip.client;
    expect(credential.binding).toEqual({ serverUrl: SERVER, issuer: ISSUER, resource: SERVER, clientId });
    expect(await signIn.refresh(credential)).toEqual(credential);
    expect(asked.at(-1)?.headers.get("authorization")).toBe(authorization);
    isKnown = false;
    const refreshing = () => signIn.refresh(credential);
    await expect(refreshing()).rejects.toMatchObject({ code: "invalid_client" });
    await expect(refreshing()).rejects.toMatchObject({ code: "invalid_client" });
  },
);

test.each<[string, readonly PresetClient[]]>([
  ["the operator has removed", []],
  [
    "the operator has registered elsewhere",
    [
      { ...BY_HAND, server: "https://other.example.com/mcp" },
      { ...BY_HAND, issuer: "https://other.example.com" },
      { ...BY_HAND, clientId: "another" },
    ],
  ],
])(
  "the token of a client that %s goes nowhere, and the user is asked to connect again",
  async (_, clients) => {
    const { signIn, asked } = await startWith(
      { [METADATA_PLACE]: { ...METADATA, revocation_endpoint: `${ISSUER}/revoke` } },
      { clients },
    );
    asked.length = 0;
    const binding = { serverUrl: SERVER, issuer: ISSUER, resource: SERVER, clientId: "by-hand" };
    const credential = { accessToken: "token", refreshToken: "refresh", binding };
    const message = expect.stringContaining("mcp.example.com cannot be refreshed");
    await expect(signIn.refresh(credential)).rejects.toMatchObject({ code: "invalid_grant", message });
    await signIn.revoke(credential);
    expect(asked).toEqual([]);
  },
);

const CONFIDENTIAL: Site = {
  [METADATA_PLACE]: { ...METADATA, revocation_endpoint: `${ISSUER}/revoke` },
  [`${ISSUER}/register`]: () => {
    registrationCount += 1;
    return { client_id: `client-${registrationCount}`, client_secret: `secret-${registrationCount}` };
  },
  [`${ISSUER}/revoke`]: {},
};
const DYNAMIC: ReadonlySet<ClientMethod> = new Set(["dynamic"]);

/** Ada has signed in, and ten minutes later `happens` affects another user. */
async function adaAfter(happens: (signIn: McpSignIn, plan: SignInPlan) => Promise<void>, site: Site = {}) {
  const ada = await cameBack({ ...CONFIDENTIAL, ...site });
  ada.clock.advance(10 * 60_000);
  await happens(ada.signIn, ada.plan);
  ada.asked.length = 0;
  const sent = () => {
    const { url, body, headers } = ada.asked.at(-1) ?? {};
    return { url, token: body && new URLSearchParams(body), authorization: headers?.get("authorization") };
  };
  const { clientId, clientSecret } = ada.trip.client;
  return { ...ada, sent, itsAuthorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` };
}

test("a new registration after a user did not return leaves all other users connected", async () => {
  const ada = await adaAfter(async (signIn, plan) => {
    await signIn.start(plan, DYNAMIC);
  });
  expect((await ada.signIn.start(ada.plan, NONE)).trip.client).not.toEqual(ada.trip.client);
  const fresh = await ada.signIn.refresh(ada.credential);
  expect(fresh).toEqual(ada.credential);
  expect(ada.sent()).toMatchObject({ url: `${ISSUER}/token`, authorization: ada.itsAuthorization });
  await ada.signIn.revoke(fresh);
  expect(ada.sent()).toMatchObject({ url: `${ISSUER}/revoke`, authorization: ada.itsAuthorization });
});

test.each(["invalid_client", "unauthorized_client"])(
  "a callback with %s, which a user may have forged, leaves all other users connected",
  async (error) => {
    const ada = await adaAfter(async (signIn, plan) => {
      const { trip, state } = await signIn.start(plan, NONE);
      const callback = new URLSearchParams({ error, state });
      await expect(signIn.finish(trip, state, callback)).rejects.toMatchObject({ code: error });
    });
    await expect(ada.signIn.refresh(ada.credential)).resolves.toEqual(ada.credential);
    expect(ada.sent()).toMatchObject({ authorization: ada.itsAuthorization });
  },
);

test("a client that is unknown to the authorization server is registered again, unless that was done in the last ten minutes", async () => {
  const unknown = () => Response.json({ error: "invalid_client" }, { status: 401 });
  const { signIn, plan, trip, state, clock } = await startWith({ [`${ISSUER}/token`]: unknown });
  const comeBack = () => signIn.finish(trip, state, new URLSearchParams({ code: "code", state }));
  await expect(comeBack()).rejects.toMatchObject({ code: "invalid_client" });
  expect((await signIn.start(plan, NONE)).trip.client).toEqual(trip.client);
  clock.advance(10 * 60_000);
  await expect(comeBack()).rejects.toMatchObject({ code: "invalid_client" });
  expect((await signIn.start(plan, NONE)).trip.client).not.toEqual(trip.client);
});

test("a user who refuses leaves the client in use", async () => {
  const { signIn, plan, trip, state, clock } = await startWith({});
  clock.advance(10 * 60_000);
  const refused = new URLSearchParams({ error: "access_denied", state });
  await expect(signIn.finish(trip, state, refused)).rejects.toMatchObject({ code: "access_denied" });
  expect((await signIn.start(plan, NONE)).trip.client).toEqual(trip.client);
});

test("redirects of documents are followed, and those of requests with a code, a secret or a token are not", async () => {
  const { signIn, credential, asked } = await cameBack(CONFIDENTIAL);
  await signIn.refresh(credential);
  await signIn.revoke(credential);
  expect(asked.map(({ url, redirect }) => [url, redirect])).toEqual([
    [RESOURCE_PLACE, "follow"],
    [METADATA_PLACE, "follow"],
    [`${ISSUER}/register`, "manual"],
    [`${ISSUER}/token`, "manual"],
    [`${ISSUER}/token`, "manual"],
    [`${ISSUER}/revoke`, "manual"],
  ]);
});

test("a registration names a hundred scopes at most, however many a server asks for over time", async () => {
  const { signIn, asked, clock } = web(GOOD);
  for (const round of ["a", "b", "c"]) {
    const scope = Array.from({ length: 50 }, (_, index) => round + index).join(" ");
    await signIn.start(await signIn.discover({ ...TARGET, scope }), NONE);
    clock.advance(10 * 60_000);
  }
  const registrations = asked.filter(({ url }) => url.endsWith("/register"));
  const named = registrations.map(({ body }) => String(JSON.parse(body)["scope"]).split(" "));
  expect(named.map((scopes) => scopes.length)).toEqual([50, 100, 100]);
});

test("a client is registered every ten minutes at most, however often users do not return", async () => {
  const { signIn, clock, asked } = web(GOOD);
  const plan = await signIn.discover(TARGET);
  for (let minute = 0; minute <= 20; minute += 1) {
    await signIn.start(plan, minute === 0 ? NONE : DYNAMIC);
    await signIn.start(plan, DYNAMIC);
    clock.advance(60_000);
  }
  expect(asked.filter(({ url }) => url.endsWith("/register"))).toHaveLength(3);
});

test("a credential that was stored without its client is refreshed with the stored client, and then keeps it", async () => {
  const ada = await cameBack(CONFIDENTIAL);
  const { registeredClient, ...old } = boundTo(ada.credential);
  expect(registeredClient).toEqual({
    clientSecret: ada.trip.client.clientSecret,
    authMethod: "client_secret_basic",
  });
  const fresh = await ada.signIn.refresh({ ...ada.credential, binding: old });
  expect(fresh.binding).toEqual({ ...old, registeredClient });
});

/** How often the metadata of the authorization server was read. */
const readings = (asked: readonly Asked[]) => asked.filter(({ url }) => url === METADATA_PLACE).length;

test("the metadata of an authorization server is cached for five minutes, for all users", async () => {
  const { signIn, asked, clock } = web(GOOD);
  await Promise.all([signIn.discover(TARGET), signIn.discover(TARGET)]);
  await signIn.discover(TARGET);
  expect(readings(asked)).toBe(1);
  clock.advance(5 * 60_000);
  await signIn.discover(TARGET);
  expect(readings(asked)).toBe(2);
});

test("the metadata of an MCP server is cached for only ten seconds, because its authorization server may change", async () => {
  const { signIn, asked, clock } = web(GOOD);
  await signIn.discover(TARGET);
  await signIn.discover(TARGET);
  expect(asked.filter(({ url }) => url === RESOURCE_PLACE)).toHaveLength(1);
  clock.advance(10_000);
  await signIn.discover(TARGET);
  expect(asked.filter(({ url }) => url === RESOURCE_PLACE)).toHaveLength(2);
});

test.each([
  ["the server itself", {}],
  ["somebody else's host", { resourceMetadata: "https://victim.example.com/metadata" }],
])(
  "two hundred views of a page whose metadata is missing at %s cause one HTTP request to each place",
  async (_, named) => {
    const { signIn, asked } = web({});
    for (let view = 0; view < 200; view += 1) {
      await expect(signIn.discover({ ...TARGET, ...named })).rejects.toThrow("cannot be used");
    }
    // After a dead address, the well-known ones are read once. A server without any may be its own authorization server.
    expect(asked.length).toBeLessThanOrEqual(4);
  },
);

test("two hundred views of a page whose authorization server is down cause one HTTP request to each of its three URLs", async () => {
  const victim = "https://victim.example.com/tenant";
  const { signIn, asked } = web({
    [RESOURCE_PLACE]: { ...RESOURCE, authorization_servers: [victim] },
  });
  for (let view = 0; view < 200; view += 1) {
    await expect(signIn.discover(TARGET)).rejects.toThrow("cannot be used");
  }
  expect(asked.filter(({ url }) => url.startsWith("https://victim.example.com/"))).toHaveLength(3);
});

test("a failed read of metadata is repeated after ten seconds", async () => {
  let isUp = false;
  const { signIn, clock } = web({
    ...GOOD,
    [METADATA_PLACE]: () => (isUp ? METADATA : new Response("", { status: 503 })),
  });
  await expect(signIn.discover(TARGET)).rejects.toThrow("cannot be used");
  isUp = true;
  clock.advance(10_000);
  await expect(signIn.discover(TARGET)).resolves.toMatchObject({ server: { issuer: ISSUER } });
});

test("metadata is read again after a failure at the authorization server or an unfinished sign-in", async () => {
  const failing = { [`${ISSUER}/token`]: () => Response.json({ error: "server_error" }, { status: 500 }) };
  const { signIn, asked, trip, state, plan } = await startWith(failing);
  await signIn.start(plan, NONE);
  await signIn.discover(TARGET);
  expect(readings(asked)).toBe(1);
  const back = new URLSearchParams({ code: "code", state });
  await expect(signIn.finish(trip, state, back)).rejects.toThrow("failed");
  await signIn.discover(TARGET);
  expect(readings(asked)).toBe(2);
  await signIn.start(plan, new Set<ClientMethod>(["dynamic"]));
  await signIn.discover(TARGET);
  expect(readings(asked)).toBe(3);
});

function boundTo({ binding }: { binding?: CredentialBinding | undefined }): CredentialBinding {
  if (binding === undefined) throw new Error("the credential is bound to nothing");
  return binding;
}
