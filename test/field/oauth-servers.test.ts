/** What existing OAuth servers reply, beside or against the specifications. */
import { expect } from "vitest";
import { createManualClock } from "../../src/base/testing/manual-clock.ts";
import { createMemoryCredentials } from "../../src/connect/ports/credentials.ts";
import { createMcpSignIn, withConnectors } from "../../src/connect/index.ts";
import { createConfiguredSignIn } from "../../src/connect/oauth/configured-sign-in.ts";
import { isConnected, readChallenge, scopesOf } from "../../src/connect/oauth/challenge.ts";
import type { PresetClient } from "../../src/connect/oauth/choose-client.ts";
import { createOAuthFlow } from "../../src/connect/oauth/oauth-flow.ts";
import { lastFailure } from "../../src/connect/page/sign-in/faults.ts";
import { en } from "../../src/words/page/en.ts";
import { fieldCase } from "./field-case.ts";

const ISSUER = "https://accounts.example.com";
const PAGE = "https://auth.example.com";
const SERVER = "https://mcp.example.com/mcp";
const TRACKER = { service: "Tracker", issuer: ISSUER, clientId: "agent", scopes: ["repo"] };
const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  registration_endpoint: `${ISSUER}/register`,
  code_challenge_methods_supported: ["S256"],
};
const TOKEN = { access_token: "token", token_type: "Bearer" };

/** An authorization server whose token endpoint replies with `token`: a function of the form, a response, or JSON. */
function provider(token: unknown): { fetch: typeof globalThis.fetch; exchanges: () => number } {
  let exchanges = 0;
  return {
    exchanges: () => exchanges,
    async fetch(input, init) {
      const request = new Request(input, init);
      if (!request.url.endsWith("/token")) return Response.json(METADATA);
      exchanges += 1;
      const form = new URLSearchParams(await request.text());
      const reply: unknown = typeof token === "function" ? token(form) : token;
      return reply instanceof Response ? reply.clone() : Response.json(reply);
    },
  };
}

async function signInWith(token: unknown) {
  const clock = createManualClock();
  const signIn = createConfiguredSignIn(TRACKER, { clock, fetch: provider(token).fetch });
  const { state, trip } = await signIn.start(await signIn.discover(undefined), new Set(), PAGE);
  return signIn.finish(trip, state, new URLSearchParams({ code: "code", state }));
}

async function refreshWith(reply: unknown) {
  const { fetch, exchanges } = provider(reply);
  const inner = createMemoryCredentials();
  const old = { accessToken: "old", refreshToken: "old", expiresAt: 1, scope: "repo" };
  await inner.set("tracker", "ada", old);
  const clock = createManualClock();
  clock.advance(3_600_000);
  const store = withConnectors(inner, { providers: { tracker: TRACKER }, clock, fetch });
  return { read: () => store.get("tracker", "ada"), inner, exchanges };
}

/** An MCP server and its authorization server. Each URL has its JSON; all others are 404. */
function discovering(site: Readonly<Record<string, unknown>>, clients: readonly PresetClient[] = []) {
  const asked: string[] = [];
  const signIn = createMcpSignIn({
    origin: PAGE,
    client: { name: "Demo agent" },
    clients,
    clock: createManualClock(),
    async fetch(input) {
      const { url } = new Request(input);
      asked.push(url);
      const found = site[url];
      return found === undefined ? new Response("no", { status: 404 }) : Response.json(found);
    },
  });
  return { signIn, asked };
}

for (const error of ["bad_refresh_token", "invalid_grant"]) {
  fieldCase(
    { sources: ["lelylan/simple-oauth2#459", "getsentry/junior#620"], before: "failed" },
    `a refresh that is refused with status 200 and ${error} ends the connection, and the user can connect again`,
    async () => {
      const { read, inner, exchanges } = await refreshWith({ error, error_description: "expired" });
      expect(await read()).toBeUndefined();
      expect(await read()).toBeUndefined();
      expect(await inner.get("tracker", "ada")).toBeUndefined();
      expect(exchanges()).toBe(1);
    },
  );
}

fieldCase(
  { sources: ["lelylan/simple-oauth2#459"], before: "failed" },
  "a refresh that is refused with ok: false ends the connection",
  async () => {
    const { read, inner } = await refreshWith({ ok: false, error: "invalid_refresh_token" });
    expect(await read()).toBeUndefined();
    expect(await inner.get("tracker", "ada")).toBeUndefined();
  },
);

for (const error of ["incorrect_client_credentials", "ratelimited"]) {
  fieldCase(
    { sources: ["lelylan/simple-oauth2#459"], before: "failed" },
    `a refresh that fails with status 200 and ${error} keeps the connection, because the token is not the cause`,
    async () => {
      const { read, inner } = await refreshWith({ ok: false, error });
      await expect(read()).rejects.toMatchObject({ name: "SignInError", code: error });
      expect(await inner.get("tracker", "ada")).toBeDefined();
    },
  );
}

fieldCase(
  { sources: ["getsentry/junior#620"], before: "failed" },
  "a code that is refused with status 200 fails the sign-in with the server's error code",
  async () => {
    await expect(signInWith({ error: "bad_verification_code" })).rejects.toMatchObject({
      name: "SignInError",
      code: "bad_verification_code",
    });
  },
);

fieldCase(
  {
    sources: ["modelcontextprotocol/python-sdk#1502", "pow-auth/assent#112", "openhab/openhab-core#5284"],
    before: "failed",
  },
  "a token reply with status 201 signs the user in",
  async () => {
    expect(await signInWith(Response.json(TOKEN, { status: 201 }))).toMatchObject({ accessToken: "token" });
  },
);

fieldCase(
  { sources: ["kanidm/kanidm#4470"], before: "failed" },
  "a refresh that is refused with JSON as plain text ends the connection, and the user can connect again",
  async () => {
    const body = JSON.stringify({ error: "invalid_grant" });
    const { read, inner } = await refreshWith(new Response(body, { status: 400 }));
    expect(await read()).toBeUndefined();
    expect(await inner.get("tracker", "ada")).toBeUndefined();
  },
);

for (const [how, body] of Object.entries({
  "without an error code": { status: "BAD_REFRESH_TOKEN", message: "missing or invalid refresh token" },
  "with an object as its error": { error: { code: 400, message: "The token has expired" } },
  "with a code in capitals": { error: "INVALID_REFRESH" },
})) {
  fieldCase(
    { sources: ["HGData/mk-node-hubspot#64", "supaglue-labs/supaglue#1935"], before: "failed" },
    `after a refresh that is refused ${how}, the user is asked to connect again`,
    async () => {
      const { read } = await refreshWith(Response.json(body, { status: 400 }));
      expect(await read()).toBeUndefined();
    },
  );
}

for (const [how, reply] of Object.entries({
  "a gateway": Response.json({ message: "Unauthorized" }, { status: 401 }),
  "a server in capitals": Response.json({ error: "INVALID_CLIENT" }, { status: 400 }),
})) {
  fieldCase(
    { sources: ["supaglue-labs/supaglue#1935"], before: "failed" },
    `no user is asked again for a refresh that ${how} refuses because of the client`,
    async () => {
      const { read, inner } = await refreshWith(reply);
      await expect(read()).rejects.toThrow("elicit-kit: the sign-in to Tracker");
      expect(await inner.get("tracker", "ada")).toBeDefined();
    },
  );
}

fieldCase(
  {
    sources: [
      "modelcontextprotocol/typescript-sdk#2718",
      "punkpeye/mcp-remote#357",
      "open-webui/open-webui#22359",
    ],
    before: "failed",
  },
  "a server that refreshes only with the granted scopes refreshes, and the user is not asked",
  async () => {
    const { read, exchanges } = await refreshWith((form: URLSearchParams) =>
      form.get("scope") === "repo"
        ? Response.json(TOKEN)
        : Response.json({ error: "invalid_request" }, { status: 400 }),
    );
    expect(await read()).toMatchObject({ accessToken: "token" });
    expect(exchanges()).toBe(2);
  },
);

const REPLIES: Readonly<Record<string, readonly [unknown, Record<string, unknown>]>> = {
  "without a token type": [{ access_token: "token" }, { accessToken: "token" }],
  "with an empty token type": [{ ...TOKEN, token_type: "" }, { accessToken: "token" }],
  "with a lifetime as text": [{ ...TOKEN, expires_in: "3600" }, { expiresAt: expect.any(Number) }],
  "with an empty lifetime": [{ ...TOKEN, expires_in: "" }, { accessToken: "token" }],
  "with an empty scope": [{ ...TOKEN, scope: "" }, { scope: "repo" }],
  "with a list of scopes": [{ ...TOKEN, scope: ["repo", "user"] }, { scope: "repo user" }],
  "with an empty ID token": [{ ...TOKEN, id_token: "" }, { accessToken: "token" }],
};
for (const [how, [reply, credential]] of Object.entries(REPLIES)) {
  fieldCase(
    { sources: ["anomalyco/openauth#318", "cmd-johnson/deno-oauth2-client#37"], before: "failed" },
    `a token reply ${how} signs the user in`,
    async () => {
      expect(await signInWith(reply)).toMatchObject(credential);
    },
  );
}

fieldCase(
  { sources: ["cmd-johnson/deno-oauth2-client#37"], before: "passed" },
  "a token of an unknown type is refused, because it must not be sent as a bearer token",
  async () => {
    await expect(signInWith({ ...TOKEN, token_type: "dpop" })).rejects.toMatchObject({ name: "SignInError" });
  },
);

fieldCase(
  { sources: ["anomalyco/openauth#318"], before: "passed" },
  "a lifetime of 0 means that the token does not expire, until the service refuses it",
  async () => {
    expect(await signInWith({ ...TOKEN, expires_in: 0 })).not.toHaveProperty("expiresAt");
  },
);

for (const scope of ["repo,read:user", "repo, read:user", "repo read:user"]) {
  fieldCase(
    { sources: ["redhat-data-and-ai/template-agent#265"], before: "failed" },
    `an account with the granted scopes "${scope}" is connected`,
    async () => {
      const credentials = createMemoryCredentials();
      await credentials.set("tracker", "ada", { accessToken: "token", scope });
      const signIn = { url: SERVER, service: "Tracker", scope: "repo read:user" };
      const asked = { tool: { id: "tracker", name: "tracker" }, user: { id: "ada" }, signIn };
      expect(await isConnected(credentials)(asked)).toBe(true);
      expect(scopesOf(scope)).toEqual(["repo", "read:user"]);
    },
  );
}

fieldCase(
  { sources: ["getsentry/sentry-mcp#837"], before: "failed" },
  "the metadata of a server whose address has a query is found under its path and query",
  async () => {
    const url = `${SERVER}?org=acme`;
    const place = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp?org=acme";
    const { signIn, asked } = discovering({
      [place]: { resource: url, authorization_servers: [ISSUER] },
      [`${ISSUER}/.well-known/oauth-authorization-server`]: METADATA,
    });
    expect(await signIn.discover({ url, service: "Tracker" })).toMatchObject({ resource: url });
    expect(asked[0]).toBe(place);
  },
);

fieldCase(
  { sources: ["getsentry/sentry-mcp#837"], before: "passed" },
  "a server that keeps one metadata document for all queries works, too",
  async () => {
    const place = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";
    const { signIn } = discovering({
      [place]: { resource: SERVER, authorization_servers: [ISSUER] },
      [`${ISSUER}/.well-known/oauth-authorization-server`]: METADATA,
    });
    expect(await signIn.discover({ url: `${SERVER}?org=acme`, service: "Tracker" })).toMatchObject({
      resource: SERVER,
    });
  },
);

const SPELLINGS = [ISSUER, `${ISSUER}/`];
for (const listed of SPELLINGS) {
  for (const issuer of SPELLINGS) {
    for (const registered of SPELLINGS) {
      fieldCase(
        {
          sources: ["github/copilot-cli#4606"],
          before: "failed",
        },
        `a client registered by hand for ${registered} is used, with ${listed} in the server's metadata and ${issuer} in that of the issuer`,
        async () => {
          const { signIn } = discovering(
            {
              "https://mcp.example.com/.well-known/oauth-protected-resource/mcp": {
                resource: SERVER,
                authorization_servers: [listed],
              },
              [`${ISSUER}/.well-known/oauth-authorization-server`]: {
                ...METADATA,
                issuer,
                registration_endpoint: undefined,
              },
              [`${ISSUER}/token`]: { ...TOKEN, refresh_token: "next" },
            },
            [{ server: SERVER, issuer: registered, clientId: "by-hand" }],
          );
          const plan = await signIn.discover({ url: SERVER, service: "Tracker" });
          const { trip, method, state } = await signIn.start(plan, new Set());
          expect([method, trip.client.clientId]).toEqual(["preset", "by-hand"]);
          const credential = await signIn.finish(trip, state, new URLSearchParams({ code: "c", state }));
          expect(await signIn.refresh(credential)).toMatchObject({ accessToken: "token" });
        },
      );
    }
  }
}

fieldCase(
  { sources: ["github/copilot-cli#4606"], before: "failed" },
  "an issuer with a path may be written with a slash in one place and without it in the other",
  async () => {
    const { signIn } = discovering({
      "https://mcp.example.com/.well-known/oauth-protected-resource/mcp": {
        resource: SERVER,
        authorization_servers: [`${ISSUER}/realms/acme/`],
      },
      [`${ISSUER}/.well-known/oauth-authorization-server/realms/acme/`]: {
        ...METADATA,
        issuer: `${ISSUER}/realms/acme`,
      },
      [`${ISSUER}/.well-known/oauth-authorization-server/realms/acme`]: {
        ...METADATA,
        issuer: `${ISSUER}/realms/acme`,
      },
    });
    const { server } = await signIn.discover({ url: SERVER, service: "Tracker" });
    expect(server.issuer).toBe(`${ISSUER}/realms/acme`);
  },
);

fieldCase(
  { sources: ["github/copilot-cli#4606"], before: "passed" },
  "an issuer with another path is another issuer",
  async () => {
    const { signIn } = discovering({
      "https://mcp.example.com/.well-known/oauth-protected-resource/mcp": {
        resource: SERVER,
        authorization_servers: [ISSUER],
      },
      [`${ISSUER}/.well-known/oauth-authorization-server`]: { ...METADATA, issuer: `${ISSUER}/other` },
    });
    await expect(signIn.discover({ url: SERVER, service: "Tracker" })).rejects.toMatchObject({
      name: "SignInError",
    });
  },
);

fieldCase(
  { sources: ["github/copilot-cli#4606"], before: "failed" },
  "a dead address in the challenge is no end: the metadata is found at the well-known address",
  async () => {
    const dead = "https://mcp.example.com/gone";
    const challenge = await readChallenge(
      `Bearer resource_metadata="${dead}", Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"`,
    );
    const { signIn, asked } = discovering({
      "https://mcp.example.com/.well-known/oauth-protected-resource/mcp": {
        resource: SERVER,
        authorization_servers: [ISSUER],
      },
      [`${ISSUER}/.well-known/oauth-authorization-server`]: METADATA,
    });
    const target = { url: SERVER, service: "Tracker", resourceMetadata: challenge?.resourceMetadata };
    expect(await signIn.discover(target)).toMatchObject({ resource: SERVER });
    expect(asked[0]).toBe(dead);
  },
);

fieldCase(
  { sources: ["modelcontextprotocol/modelcontextprotocol#2352"], before: "failed" },
  "after a sign-in, the next one goes to the authorization server that the server names by then",
  async () => {
    const place = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";
    const other = "https://other.example.com";
    const site: Record<string, unknown> = {
      [place]: { resource: SERVER, authorization_servers: [ISSUER] },
      [`${ISSUER}/.well-known/oauth-authorization-server`]: METADATA,
      [`${ISSUER}/register`]: { client_id: "first" },
      [`${ISSUER}/token`]: TOKEN,
      [`${other}/.well-known/oauth-authorization-server`]: {
        ...METADATA,
        issuer: other,
        authorization_endpoint: `${other}/authorize`,
        token_endpoint: `${other}/token`,
        registration_endpoint: `${other}/register`,
      },
      [`${other}/register`]: { client_id: "second" },
    };
    const { signIn, asked } = discovering(site);
    const target = { url: SERVER, service: "Tracker" };
    const { trip, state } = await signIn.start(await signIn.discover(target), new Set());
    await signIn.finish(trip, state, new URLSearchParams({ code: "c", state }));
    site[place] = { resource: SERVER, authorization_servers: [other] };
    await signIn.start(await signIn.discover(target), new Set());
    expect(asked).toContain(`${other}/register`);
  },
);

const ADMINISTRATOR: Readonly<Record<string, Record<string, string>>> = {
  "Google's code": { error: "admin_policy_enforced" },
  "Microsoft's description": { error: "access_denied", error_description: "AADSTS90094: grant permission." },
  "words of a service": {
    error: "access_denied",
    error_description: "An administrator must approve this app.",
  },
  "GitHub's request to the owners": { setup_action: "request" },
};
for (const [what, query] of Object.entries(ADMINISTRATOR)) {
  fieldCase(
    { sources: ["polarsource/polar#690", "lightdash/lightdash#11987"], before: "failed" },
    `a callback with ${what} tells the user that an administrator must approve first`,
    async () => {
      const clock = createManualClock();
      const signIn = createConfiguredSignIn(TRACKER, { clock, fetch: provider(TOKEN).fetch });
      const credentials = createMemoryCredentials();
      const offline = () => ({ scopes: [] });
      const flow = createOAuthFlow({
        service: "Tracker",
        signIn,
        offline,
        sameGrant: async () => [],
        credentials,
        clock,
      });
      const { state, trip } = await signIn.start(await signIn.discover(undefined), new Set(), PAGE);
      const ended = await flow.finish({
        account: { toolId: "tracker", userId: "ada" },
        user: { id: "ada" },
        data: trip,
        state,
        redirectUri: trip.redirectUri,
        parameters: new URLSearchParams({ ...query, state }),
      });
      expect(ended).toMatchObject({ ok: false, reason: "not-approved" });
      if (ended.ok) return;
      expect(String(ended.error)).toContain("an administrator there must approve this app first");
      expect(lastFailure({ lastError: "x", lastErrorCause: ended }, "Tracker", en)?.text).toContain(
        "An administrator of Tracker must approve this first",
      );
    },
  );
}

fieldCase(
  { sources: ["polarsource/polar#690"], before: "passed" },
  "a user who refuses is not sent to an administrator",
  async () => {
    const clock = createManualClock();
    const signIn = createConfiguredSignIn(TRACKER, { clock, fetch: provider(TOKEN).fetch });
    const { state, trip } = await signIn.start(await signIn.discover(undefined), new Set(), PAGE);
    const denied = { error: "access_denied", error_description: "The user has denied access.", state };
    await expect(signIn.finish(trip, state, new URLSearchParams(denied))).rejects.toMatchObject({
      code: "access_denied",
      needsApproval: false,
    });
  },
);

fieldCase(
  {
    sources: [
      "knowsuchagency/mcp2cli#58",
      "modelcontextprotocol/python-sdk#2274",
      "dnplus/streamlit-oauth#87",
    ],
    before: "passed",
  },
  "a refresh without a new refresh token and without a scope keeps the ones of before",
  async () => {
    const { read, inner } = await refreshWith({ ...TOKEN, expires_in: 1 });
    const scope = "repo";
    const old = await inner.get("tracker", "ada");
    if (old !== undefined) await inner.set("tracker", "ada", { ...old, scope });
    await read();
    expect(await inner.get("tracker", "ada")).toMatchObject({
      accessToken: "token",
      refreshToken: "old",
      scope,
    });
  },
);

fieldCase(
  { sources: ["stevenmaguire/oauth2-microsoft#31"], before: "passed" },
  "a refresh that Microsoft refuses for want of consent asks the user to connect again",
  async () => {
    const { read } = await refreshWith({ error: "invalid_grant", suberror: "consent_required" });
    expect(await read()).toBeUndefined();
  },
);

for (const body of [
  { error: "interaction_required", error_codes: [50076] },
  { error: "login_required" },
  { error: "consent_required" },
]) {
  fieldCase(
    { sources: ["zmartzone/lua-resty-openidc#50"], before: "failed" },
    `a refresh that is refused with ${body.error} because the user must be there asks the user to connect again`,
    async () => {
      const { read, inner } = await refreshWith(body);
      expect(await read()).toBeUndefined();
      expect(await inner.get("tracker", "ada")).toBeUndefined();
    },
  );
}

fieldCase(
  { sources: ["anomalyco/opencode#50036", "SparkDevNetwork/Rock#6974", "expo/expo#49053"], before: "passed" },
  "a server is found whose two documents write its issuer with and without a slash",
  async () => {
    for (const [named, issuer] of [
      [ISSUER, `${ISSUER}/`],
      [`${ISSUER}/`, ISSUER],
    ]) {
      const { signIn } = discovering({
        "https://mcp.example.com/.well-known/oauth-protected-resource/mcp": {
          resource: SERVER,
          authorization_servers: [named],
        },
        [`${ISSUER}/.well-known/oauth-authorization-server`]: { ...METADATA, issuer },
      });
      expect(await signIn.discover({ url: SERVER, service: "Tracker" })).toMatchObject({ resource: SERVER });
    }
  },
);

fieldCase(
  { sources: ["vercel/ai#20236"], before: "passed" },
  "a server whose document claims the issuer of another host is refused",
  async () => {
    const { signIn } = discovering({
      "https://mcp.example.com/.well-known/oauth-protected-resource/mcp": {
        resource: SERVER,
        authorization_servers: [ISSUER],
      },
      [`${ISSUER}/.well-known/oauth-authorization-server`]: {
        ...METADATA,
        issuer: "https://honest.example/",
      },
    });
    await expect(signIn.discover({ url: SERVER, service: "Tracker" })).rejects.toThrow(/elicit-kit: /);
  },
);

fieldCase(
  { sources: ["panva/openid-client#103"], before: "passed" },
  "the metadata of an issuer with a path is found behind the path, as Okta and Keycloak serve it",
  async () => {
    const issuer = `${ISSUER}/oauth2/a1`;
    const { signIn } = discovering({
      "https://mcp.example.com/.well-known/oauth-protected-resource/mcp": {
        resource: SERVER,
        authorization_servers: [issuer],
      },
      [`${issuer}/.well-known/openid-configuration`]: { ...METADATA, issuer },
    });
    expect(await signIn.discover({ url: SERVER, service: "Tracker" })).toMatchObject({ resource: SERVER });
  },
);

fieldCase(
  { sources: ["MicrosoftDocs/azure-docs#59872"], before: "failed" },
  "a user who cancels Microsoft's question for consent has refused, and no error is reported",
  async () => {
    const clock = createManualClock();
    const signIn = createConfiguredSignIn(TRACKER, { clock, fetch: provider(TOKEN).fetch });
    const { state, trip } = await signIn.start(await signIn.discover(undefined), new Set(), PAGE);
    const flow = createOAuthFlow({
      service: "Tracker",
      signIn,
      offline: () => ({ scopes: [] }),
      sameGrant: async () => [],
      credentials: createMemoryCredentials(),
      clock,
    });
    const cancelled = {
      error: "consent_required",
      error_description: "AADSTS65004: User declined to consent.",
      state,
    };
    const ended = await flow.finish({
      account: { toolId: "tracker", userId: "ada" },
      user: { id: "ada" },
      data: trip,
      state,
      redirectUri: trip.redirectUri,
      parameters: new URLSearchParams(cancelled),
    });
    expect(ended).toMatchObject({ ok: false, reason: "denied" });
  },
);

fieldCase(
  {
    sources: ["modelcontextprotocol/typescript-sdk#1923", "anthropics/claude-code#88049"],
    before: "failed",
  },
  "an authorization server whose metadata has null for endpoints that it lacks is used",
  async () => {
    const clients = [{ server: SERVER, issuer: ISSUER, clientId: "agent" }];
    const lacking = { registration_endpoint: null, revocation_endpoint: null, scopes_supported: null };
    const site = (metadata: object) => ({
      "https://mcp.example.com/.well-known/oauth-protected-resource/mcp": {
        resource: SERVER,
        authorization_servers: [ISSUER],
      },
      [`${ISSUER}/.well-known/oauth-authorization-server`]: metadata,
    });
    const start = (metadata: object, known: readonly PresetClient[] = clients) =>
      discovering(site(metadata), known).signIn.discover({ url: SERVER, service: "Tracker" });
    expect(await start({ ...METADATA, ...lacking })).toMatchObject({ resource: SERVER });
    await expect(start({ ...METADATA, token_endpoint: null })).rejects.toThrow("token endpoint");
    const unlisted = { ...METADATA, code_challenge_methods_supported: null };
    await expect(start(unlisted, [])).rejects.toThrow("PKCE");
  },
);
