import { createServer } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect } from "../../test/stages/oauth-person.ts";
import { listen } from "../../test/stages/listen.ts";
import { type OAuthServer, startOAuthServer } from "./oauth-server.ts";
import type { CallStats, ProtectedMcp } from "./protected-mcp.ts";
import { startTracker } from "./tracker.ts";

const redirectUri = "http://127.0.0.1:2/auth/callback";

let oauth: OAuthServer;
let tracker: ProtectedMcp;
let before: CallStats;
beforeAll(async () => {
  oauth = await startOAuthServer({ port: 0 });
  tracker = await startTracker({ port: 0, oauth });
});
beforeEach(async () => {
  before = await stats();
});
afterAll(async () => {
  await tracker.close();
  await oauth.close();
});

async function stats(): Promise<CallStats> {
  const counts: CallStats = await (await fetch(new URL("/stats", tracker.url))).json();
  return counts;
}

/** The change of the counts since the test began. */
async function counted(): Promise<CallStats> {
  const now = await stats();
  return {
    withCredential: now.withCredential - before.withCredential,
    withBadCredential: now.withBadCredential - before.withBadCredential,
    withoutCredential: now.withoutCredential - before.withoutCredential,
  };
}

async function tokenFor(account: string): Promise<string> {
  const client = await oauth.registerClient({ name: "chat", redirectUri });
  const options = { issuer: oauth.issuer, client, redirectUri, scope: "issues:write", resource: tracker.url };
  return (await connect({ ...options, account })).access_token;
}

async function withClient<T>(
  run: (client: Client) => Promise<T>,
  { token, mode = "auto" }: { token?: string; mode?: "auto" | "legacy" } = {},
): Promise<T> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(
      new URL(tracker.url),
      token === undefined ? {} : { authProvider: { token: async () => token } },
    ),
  );
  try {
    return await run(client);
  } finally {
    await client.close();
  }
}

const create = (title: string) => (client: Client) =>
  client.callTool({ name: "create_issue", arguments: { title } });
const list = (client: Client) => client.callTool({ name: "list_issues", arguments: {} });

/** Sends a call without an MCP client, to see the raw response. */
const call = (headers: Record<string, string> = {}, body: unknown = toolCall(), url = tracker.url) =>
  fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify(body),
  });
const toolCall = (method = "tools/call") => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params: { name: "list_issues", arguments: {} },
});

describe.each(["auto", "legacy"] as const)("the tracker, to an MCP client (%s)", (mode) => {
  it("lists its tools without a token", async () => {
    const { tools } = await withClient((client) => client.listTools(), { mode });
    expect(tools.map(({ name }) => name)).toEqual(["create_issue", "list_issues"]);
    expect(await counted()).toEqual({ withCredential: 0, withBadCredential: 0, withoutCredential: 0 });
  });

  it("refuses a call without a token", async () => {
    await expect(withClient(create("nothing"), { mode })).rejects.toMatchObject({ status: 401 });
    expect(await counted()).toEqual({ withCredential: 0, withBadCredential: 0, withoutCredential: 1 });
  });

  it("creates an issue for the user of the token", async () => {
    const token = await tokenFor("alice");
    const title = `Login bug, ${mode}`;
    const created = await withClient(create(title), { mode, token });
    expect(created.content).toEqual([
      { type: "text", text: expect.stringMatching(`Created issue #\\d+: ${title}`) },
    ]);
    const listed = await withClient(list, { mode, token });
    expect(listed.structuredContent).toEqual({
      issues: expect.arrayContaining([created.structuredContent]),
    });
    expect(await counted()).toEqual({ withCredential: 2, withBadCredential: 0, withoutCredential: 0 });
  });
});

describe("issues", () => {
  it("are visible to their own user only", async () => {
    await withClient(create("Alice's own"), { token: await tokenFor("alice") });
    const { content } = await withClient(list, { token: await tokenFor("bob") });
    expect(content).toEqual([{ type: "text", text: "There are no issues." }]);
  });

  it("need a title", async () => {
    const result = await withClient(create(""), { token: await tokenFor("bob") });
    expect(result.isError).toBe(true);
  });
});

describe("a refusal", () => {
  it("has a URL in its header that leads to the OAuth server", async () => {
    const response = await call();
    expect(response.status).toBe(401);
    const { origin } = new URL(tracker.url);
    const document = `${origin}/.well-known/oauth-protected-resource/mcp`;
    expect(response.headers.get("www-authenticate")).toContain(`resource_metadata="${document}"`);
    expect(await (await fetch(document)).json()).toMatchObject({
      resource: tracker.url,
      authorization_servers: [oauth.issuer],
      scopes_supported: ["issues:write"],
    });
  });

  it("is also the reply to a call inside a batch", async () => {
    expect((await call({}, [toolCall("tools/list"), toolCall()])).status).toBe(401);
  });

  it.each(["Bearer", "Bearer nonsense", "Bearer a.b.c", "Basic YWxpY2U6"])(
    "is the reply to the authorization header %j",
    async (authorization) => {
      expect((await call({ authorization })).status).toBe(401);
      expect(await counted()).toEqual({ withCredential: 0, withBadCredential: 1, withoutCredential: 0 });
    },
  );

  it("is the reply to a token that was tampered with", async () => {
    const [header, payload = "", signature] = (await tokenFor("alice")).split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: "bob" })).toString("base64url");
    expect((await call({ authorization: `Bearer ${header}.${forged}.${signature}` })).status).toBe(401);
  });

  it("is the reply to requests from web pages and to requests for another host name of this machine", async () => {
    const authorization = `Bearer ${await tokenFor("alice")}`;
    expect((await call({ authorization, origin: "http://localhost:4100" })).status).toBe(403);
    const rebound = new URL(tracker.url);
    rebound.hostname = "localhost";
    expect((await fetch(new URL("/stats", rebound))).status).toBe(403);
  });

  it("is the reply to a body that is too large", async () => {
    expect((await call({}, { ...toolCall(), padding: "x".repeat(65 * 1024) })).status).toBe(413);
  });
});

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** An OAuth server that signs any token, also tokens that a real server would not issue. */
describe("a token of the right server", () => {
  let issuer: string;
  let keys: CryptoKeyPair;
  let other: ProtectedMcp;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    keys = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
    const jwk = {
      ...(await crypto.subtle.exportKey("jwk", keys.publicKey)),
      kid: "1",
      alg: "ES256",
      use: "sig",
    };
    const server = createServer((request, response) => {
      response.setHeader("content-type", "application/json");
      const metadata = {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ["code"],
      };
      response.end(JSON.stringify(request.url === "/jwks" ? { keys: [jwk] } : metadata));
    });
    ({ url: issuer, close: stop } = await listen(server));
    other = await startTracker({ port: 0, oauth: { issuer, registerResource: () => {} } });
  });
  afterAll(async () => {
    await other.close();
    await stop();
  });

  async function statusFor(
    claims: Record<string, unknown>,
    header: Record<string, unknown> = {},
  ): Promise<number> {
    const now = Math.floor(Date.now() / 1000);
    const payload = {
      iss: issuer,
      aud: other.url,
      sub: "alice",
      client_id: "chat",
      jti: "1",
      iat: now,
      exp: now + 60,
      scope: "issues:write",
      ...claims,
    };
    const signed = `${encode({ alg: "ES256", typ: "at+jwt", kid: "1", ...header })}.${encode(payload)}`;
    const algorithm = { name: "ECDSA", hash: "SHA-256" };
    const signature = await crypto.subtle.sign(algorithm, keys.privateKey, Buffer.from(signed));
    const token = `${signed}.${Buffer.from(signature).toString("base64url")}`;
    return (await call({ authorization: `Bearer ${token}` }, toolCall(), other.url)).status;
  }

  it("is accepted when all claims are valid", async () => {
    expect(await statusFor({})).toBe(200);
  });

  it.each([
    ["has expired", { exp: Math.floor(Date.now() / 1000) - 1 }],
    ["never expires", { exp: undefined }],
    ["names another issuer", { iss: "http://127.0.0.1:1" }],
    ["is for another resource", { aud: "http://127.0.0.1:1/mcp" }],
    ["is about nobody", { sub: undefined }],
  ])("is refused when it %s", async (_, claims) => {
    expect(await statusFor(claims)).toBe(401);
  });

  it("is refused when it is not an access token, or has no signature", async () => {
    expect(await statusFor({}, { typ: "JWT" })).toBe(401);
    expect(await statusFor({}, { alg: "none" })).toBe(401);
  });

  it.each([{ scope: "issues:read" }, { scope: "" }, { scope: undefined }])(
    "is refused without the scope (%j)",
    async (claims) => {
      expect(await statusFor(claims)).toBe(403);
    },
  );
});
