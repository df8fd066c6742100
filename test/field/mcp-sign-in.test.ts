/** What the authorization servers of MCP servers need from a client that they did not know before. */
import { expect } from "vitest";
import { createManualClock } from "../../src/base/testing/manual-clock.ts";
import { type McpSignInOptions, createMcpSignIn } from "../../src/connect/oauth/mcp-sign-in.ts";
import { createOAuthFlow } from "../../src/connect/oauth/oauth-flow.ts";
import { createMemoryCredentials } from "../../src/connect/ports/credentials.ts";
import { fieldCase } from "./field-case.ts";

const ISSUER = "https://login.example.com";
const SERVER = "https://mcp.example.com/mcp";
const RESOURCE_PLACE = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";
const METADATA_PLACE = `${ISSUER}/.well-known/oauth-authorization-server`;
const RESOURCE = { resource: SERVER, authorization_servers: [ISSUER] };
const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  registration_endpoint: `${ISSUER}/register`,
  code_challenge_methods_supported: ["S256"],
};
const TARGET = { url: SERVER, service: "Tracker" };
const TOKEN = { access_token: "token", token_type: "Bearer" };

type Site = Readonly<Record<string, unknown>>;
interface Asked {
  readonly url: string;
  readonly body: string;
  readonly authorization: string | null;
}

/** The web: JSON by URL. A function gets the request. */
function web(site: Site, options: Partial<McpSignInOptions> = {}) {
  const asked: Asked[] = [];
  const all: Site = { [RESOURCE_PLACE]: RESOURCE, [METADATA_PLACE]: METADATA, ...site };
  const clock = createManualClock();
  const signIn = createMcpSignIn({
    origin: "https://auth.example.com",
    client: { name: "Demo agent" },
    clock,
    async fetch(input, init) {
      const request = new Request(input, init);
      const { url, headers } = request;
      const one = { url, body: await request.text(), authorization: headers.get("authorization") };
      asked.push(one);
      const found = all[url];
      const reply: unknown = typeof found === "function" ? found(one) : found;
      if (reply instanceof Response) return reply;
      return reply === undefined ? new Response("no", { status: 404 }) : Response.json(reply);
    },
    ...options,
  });
  const leave = async (scope?: string) =>
    signIn.start(await signIn.discover({ ...TARGET, scope }), new Set());
  return { signIn, asked, clock, leave };
}

/** What a server registers: all that was asked for, and a secret. */
function registered({ body }: Asked): Response {
  const made = { client_id: "made", client_secret: "a-b/c", ...JSON.parse(body) };
  return Response.json(made, { status: 201 });
}

/** The token endpoint of the MCP Python SDK, which looks for the client's id in the form only. */
function formOnly({ body }: Asked): Response {
  if (new URLSearchParams(body).has("client_id")) return Response.json(TOKEN);
  const error = { error: "invalid_client", error_description: "Missing client_id" };
  return Response.json(error, { status: 401 });
}

fieldCase(
  {
    sources: [
      "modelcontextprotocol/python-sdk#1315",
      "modelcontextprotocol/python-sdk#3545",
      "archestra-ai/archestra#7977",
      "metatool-ai/metamcp#342",
    ],
    before: "failed",
  },
  "a user signs in at an authorization server of the MCP Python SDK, which reads the client only from the form",
  async () => {
    const { signIn, leave } = web({
      [METADATA_PLACE]: {
        ...METADATA,
        token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
      },
      [`${ISSUER}/register`]: registered,
      [`${ISSUER}/token`]: formOnly,
    });
    const { trip, state } = await leave();
    const back = new URLSearchParams({ code: "code", state });
    expect(await signIn.finish(trip, state, back)).toMatchObject({ accessToken: "token" });
  },
);

for (const methods of [["client_secret_basic"], undefined]) {
  fieldCase(
    {
      sources: ["modelcontextprotocol/python-sdk#3138", "modelcontextprotocol/python-sdk#3536"],
      before: "passed",
    },
    `a client that authenticates with HTTP Basic names itself only there, with ${String(methods)} in the metadata`,
    async () => {
      const { signIn, asked, leave } = web({
        [METADATA_PLACE]: { ...METADATA, token_endpoint_auth_methods_supported: methods },
        [`${ISSUER}/register`]: registered,
        [`${ISSUER}/token`]: TOKEN,
      });
      const { trip, state } = await leave();
      await signIn.finish(trip, state, new URLSearchParams({ code: "code", state }));
      const form = new URLSearchParams(asked.at(-1)?.body);
      expect(asked.at(-1)?.authorization).toBe(`Basic ${btoa("made:a-b%2Fc")}`);
      expect(form.has("client_id") || form.has("client_secret")).toBe(false);
    },
  );
}

fieldCase(
  { sources: ["modelcontextprotocol/python-sdk#1315"], before: "passed" },
  "a client that was registered by hand keeps HTTP Basic where both ways are listed, as it is registered by default",
  async () => {
    const clients = [{ server: SERVER, issuer: ISSUER, clientId: "by-hand", clientSecret: "a-b/c" }];
    const both = ["client_secret_post", "client_secret_basic"];
    const { signIn, asked, leave } = web(
      {
        [METADATA_PLACE]: { ...METADATA, token_endpoint_auth_methods_supported: both },
        [`${ISSUER}/token`]: TOKEN,
      },
      { clients },
    );
    const { trip, state } = await leave();
    await signIn.finish(trip, state, new URLSearchParams({ code: "code", state }));
    expect(asked.at(-1)?.authorization).toBe(`Basic ${btoa("by-hand:a-b%2Fc")}`);
  },
);

const OFFLINE = { ...METADATA, scopes_supported: ["offline_access"] };
const namedIn = (asked: readonly Asked[]) =>
  asked
    .filter(({ url }) => url === `${ISSUER}/register`)
    .map(({ body }): unknown => JSON.parse(body)["scope"]);

fieldCase(
  {
    sources: ["openai/codex#20503", "vercel/ai#19496", "can1357/oh-my-pi#5107", "ChronoAIProject/NyxID#1217"],
    before: "failed",
  },
  "a registration names the scopes of the call, all that the server lists, and offline access",
  async () => {
    const { asked, leave } = web({
      [RESOURCE_PLACE]: { ...RESOURCE, scopes_supported: ["read", "write"] },
      [METADATA_PLACE]: OFFLINE,
      [`${ISSUER}/register`]: registered,
    });
    const { url } = await leave("admin read");
    expect(url.searchParams.get("scope")).toBe("admin read offline_access");
    expect(namedIn(asked)).toEqual(["admin read offline_access write"]);
  },
);

fieldCase(
  { sources: ["openai/codex#20503"], before: "passed" },
  "a registration names no scope where none is asked for",
  async () => {
    const { asked, leave } = web({ [METADATA_PLACE]: OFFLINE, [`${ISSUER}/register`]: registered });
    await leave();
    expect(namedIn(asked)).toEqual([undefined]);
  },
);

fieldCase(
  { sources: ["archestra-ai/archestra#7311"], before: "passed" },
  "a server that refuses to register the scopes it lists is asked once without them",
  async () => {
    const { asked, leave } = web({
      [RESOURCE_PLACE]: { ...RESOURCE, scopes_supported: ["stale"] },
      [`${ISSUER}/register`]: (one: Asked) =>
        one.body.includes("stale")
          ? Response.json({ error: "invalid_client_metadata" }, { status: 400 })
          : registered(one),
    });
    expect((await leave()).method).toBe("dynamic");
    expect((await leave("more")).trip.client.clientId).toBe("made");
    expect(namedIn(asked)).toEqual(["stale", undefined]);
  },
);

fieldCase(
  { sources: ["vercel/ai#19496"], before: "passed" },
  "a call that needs a scope which the registration has not named registers again, with the scopes of before",
  async () => {
    const { asked, leave } = web({ [`${ISSUER}/register`]: registered });
    await leave("read");
    await leave("write");
    await leave("read");
    expect(namedIn(asked)).toEqual(["read", "write read"]);
  },
);

fieldCase(
  { sources: ["vercel/ai#19496"], before: "passed" },
  "while no further client can be registered, the one of before asks for the new scope",
  async () => {
    let isBusy = false;
    const { leave } = web({
      [`${ISSUER}/register`]: (one: Asked) => (isBusy ? new Response("", { status: 429 }) : registered(one)),
    });
    const first = await leave("read");
    isBusy = true;
    const second = await leave("write");
    expect(second.trip.client).toEqual(first.trip.client);
    expect(second.url.searchParams.get("scope")).toBe("write");
  },
);

fieldCase(
  { sources: ["can1357/oh-my-pi#5107"], before: "failed" },
  "a client that may not have the scopes of a call is registered again for the next try",
  async () => {
    let refusesScopes = true;
    const { signIn, asked, clock, leave } = web({
      [`${ISSUER}/register`]: (one: Asked) =>
        refusesScopes && one.body.includes('"scope"') ? new Response("", { status: 400 }) : registered(one),
    });
    await leave("read");
    refusesScopes = false;
    clock.advance(10 * 60_000);
    const { trip, state } = await leave("read");
    const back = new URLSearchParams({ error: "invalid_scope", state });
    await expect(signIn.finish(trip, state, back)).rejects.toMatchObject({ code: "invalid_scope" });
    await leave("read");
    expect(namedIn(asked)).toEqual(["read", undefined, "read"]);
  },
);

fieldCase(
  { sources: ["can1357/oh-my-pi#5107"], before: "failed" },
  "a call that needs a scope registers again at once where the client of before needed none",
  async () => {
    const { asked, leave } = web({ [`${ISSUER}/register`]: registered });
    await leave();
    await leave("read");
    expect(namedIn(asked)).toEqual([undefined, "read"]);
  },
);

fieldCase(
  { sources: ["vercel/ai#19496"], before: "failed" },
  "a server that asks for another scope each time gets one registration more, and another after ten minutes",
  async () => {
    const { asked, clock, leave } = web({ [`${ISSUER}/register`]: registered });
    for (const scope of ["a", "b", "c", "d"]) await leave(scope);
    expect(namedIn(asked)).toEqual(["a", "b a"]);
    clock.advance(10 * 60_000);
    await leave("e");
    expect(namedIn(asked)).toEqual(["a", "b a", "e b a"]);
  },
);

fieldCase(
  { sources: ["anthropics/claude-code#28258"], before: "failed" },
  "after a registration with more scopes, one wrong refusal of the earlier client ends no connection",
  async () => {
    let count = 0;
    const { signIn, leave } = web({
      [`${ISSUER}/register`]: (one: Asked) =>
        Response.json({ ...JSON.parse(one.body), client_id: `made-${(count += 1)}` }, { status: 201 }),
      [`${ISSUER}/token`]: ({ body }: Asked) =>
        body.includes("refresh_token=")
          ? Response.json({ error: "invalid_client" }, { status: 401 })
          : Response.json({ ...TOKEN, refresh_token: "again" }),
    });
    const { trip, state } = await leave("read");
    const credential = await signIn.finish(trip, state, new URLSearchParams({ code: "code", state }));
    expect((await leave("write")).trip.client.clientId).toBe("made-2");
    await expect(signIn.refresh(credential)).rejects.toMatchObject({ code: "invalid_client" });
    expect((await leave("write")).trip.client.clientId).toBe("made-2");
    await expect(signIn.refresh(credential)).rejects.toMatchObject({ code: "invalid_grant" });
  },
);

fieldCase(
  {
    sources: [
      "anomalyco/opencode#46361",
      "anthropics/claude-code#94804",
      "anthropics/claude-code#49722",
      "anthropics/claude-ai-mcp#104",
    ],
    before: "failed",
  },
  "a user signs in without a question for consent where the operator has registered the client, as an administrator may have consented for all",
  async () => {
    const clients = [{ server: SERVER, issuer: ISSUER, clientId: "by-hand" }];
    const { url } = await web({ [METADATA_PLACE]: OFFLINE }, { clients }).leave("read");
    expect(url.searchParams.get("scope")).toBe("read offline_access");
    expect(url.searchParams.has("prompt")).toBe(false);
  },
);

fieldCase(
  { sources: ["better-auth/better-auth#3411", "goauthentik/authentik#8660"], before: "passed" },
  "a client that was registered dynamically asks for consent with offline access, which servers refuse without",
  async () => {
    const { url } = await web({
      [METADATA_PLACE]: OFFLINE,
      [`${ISSUER}/register`]: registered,
    }).leave("read");
    expect(url.searchParams.get("prompt")).toBe("consent");
  },
);

/** The result of a callback at a server that promises to name itself in its callbacks. */
async function afterCallback(query: Readonly<Record<string, string>>) {
  const { signIn, leave, asked, clock } = web({
    [METADATA_PLACE]: { ...METADATA, authorization_response_iss_parameter_supported: true },
    [`${ISSUER}/register`]: registered,
    [`${ISSUER}/token`]: TOKEN,
  });
  const { state, trip } = await leave();
  const offline = () => ({ scopes: [] });
  const credentials = createMemoryCredentials();
  const flow = createOAuthFlow({
    service: "Tracker",
    signIn,
    offline,
    sameGrant: async () => [],
    credentials,
    clock,
  });
  const ended = await flow.finish({
    account: { toolId: "tracker", userId: "ada" },
    user: { id: "ada" },
    data: trip,
    state,
    redirectUri: trip.redirectUri,
    parameters: new URLSearchParams({ state, ...query }),
  });
  return { ended, exchanges: asked.filter(({ url }) => url === `${ISSUER}/token`).length };
}

fieldCase(
  { sources: ["n8n-io/n8n#34751", "Mnexa-AI/e2a#725"], before: "failed" },
  "a user who refuses has refused, also where the server names itself only beside a code",
  async () => {
    const { ended } = await afterCallback({ error: "access_denied" });
    expect(ended).toMatchObject({ ok: false, reason: "denied" });
  },
);

const STRANGE: Readonly<Record<string, Record<string, string>>> = {
  "a refusal in the name of another server": { error: "access_denied", iss: "https://evil.example" },
  "a refusal for another sign-in": { error: "access_denied", state: "another" },
  "a code beside a refusal": { error: "access_denied", code: "code" },
  "a code without the name of the server": { code: "code" },
};
for (const [what, query] of Object.entries(STRANGE)) {
  fieldCase(
    { sources: ["n8n-io/n8n#34751"], before: "passed" },
    `${what} is a fault, and no code is exchanged`,
    async () => {
      const { ended, exchanges } = await afterCallback(query);
      expect(ended).toMatchObject({ ok: false, reason: "unavailable" });
      expect(exchanges).toBe(0);
    },
  );
}

const HOST = "https://mcp.example.com";
const OWN_PLACE = `${HOST}/.well-known/oauth-authorization-server`;
/** A server of MCP 2025-03-26: it is its own authorization server, and has no protected resource metadata. */
const OLD_SERVER: Site = {
  [RESOURCE_PLACE]: undefined,
  [OWN_PLACE]: {
    ...METADATA,
    issuer: HOST,
    authorization_endpoint: `${HOST}/authorize`,
    token_endpoint: `${HOST}/token`,
    registration_endpoint: `${HOST}/register`,
  },
  [`${HOST}/register`]: registered,
  [`${HOST}/token`]: TOKEN,
};

for (const place of [OWN_PLACE, `${HOST}/.well-known/openid-configuration`]) {
  fieldCase(
    {
      sources: [
        "Cloudgeni-ai/opengeni#2191",
        "modelcontextprotocol/csharp-sdk#1374",
        "modelcontextprotocol/ruby-sdk#414",
        "atlassian/atlassian-mcp-server#148",
      ],
      before: "failed",
    },
    `a user signs in at a server of MCP 2025-03-26, which only has ${place}`,
    async () => {
      const { signIn, asked, leave } = web({
        ...OLD_SERVER,
        [OWN_PLACE]: undefined,
        [place]: OLD_SERVER[OWN_PLACE],
      });
      const { url, trip, state } = await leave("read");
      expect(url.origin).toBe(HOST);
      // MCP 2025-06-18 and later: it is sent whether or not the authorization server knows it.
      expect(url.searchParams.get("resource")).toBe(SERVER);
      const credential = await signIn.finish(trip, state, new URLSearchParams({ code: "code", state }));
      expect(credential.binding).toMatchObject({ serverUrl: SERVER, issuer: HOST, resource: SERVER });
      expect(new URLSearchParams(asked.at(-1)?.body).get("resource")).toBe(SERVER);
    },
  );
}

fieldCase(
  { sources: ["Cloudgeni-ai/opengeni#2191"], before: "failed" },
  "the key in the address of such a server reaches no browser",
  async () => {
    const { signIn } = web(OLD_SERVER);
    const plan = await signIn.discover({ ...TARGET, url: `${SERVER}?key=s3cret#part` });
    const { url } = await signIn.start(plan, new Set());
    expect(url.searchParams.get("resource")).toBe(SERVER);
    expect(url.href).not.toContain("s3cret");
  },
);

const NOT_OLD: Readonly<Record<string, readonly [Site, string | undefined]>> = {
  "whose own metadata names another issuer": [{ [OWN_PLACE]: { ...METADATA, issuer: ISSUER } }, undefined],
  "whose own metadata sends users to another origin": [
    { [OWN_PLACE]: { ...METADATA, issuer: HOST } },
    undefined,
  ],
  "whose resource metadata is down": [
    { [RESOURCE_PLACE]: () => new Response("", { status: 503 }) },
    undefined,
  ],
  "whose resource metadata is for another server": [
    { [RESOURCE_PLACE]: { ...RESOURCE, resource: "https://bank.example.com/mcp" } },
    undefined,
  ],
  "that names resource metadata which is gone": [{}, `${HOST}/gone`],
};
for (const [which, [site, resourceMetadata]] of Object.entries(NOT_OLD)) {
  fieldCase(
    { sources: ["Cloudgeni-ai/opengeni#2191"], before: "passed" },
    `a server ${which} is not taken for its own authorization server`,
    async () => {
      const { signIn } = web({ ...OLD_SERVER, ...site });
      await expect(signIn.discover({ ...TARGET, resourceMetadata })).rejects.toThrow(
        "its protected resource metadata (RFC 9728) cannot be used",
      );
    },
  );
}
