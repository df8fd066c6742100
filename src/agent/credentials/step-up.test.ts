import { expect, test } from "vitest";
import { type Credential, createMemoryCredentials } from "../../connect/ports/credentials.ts";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { type Step, createScriptedModel, toolResultsSeen } from "../../../test/stages/scripted-model.ts";
import { type Refuse, createSignInServer } from "../../../test/stages/sign-in-server.ts";
import { createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { createAgentTurn } from "../index.ts";

const URL_OF_SERVER = "https://issues.example.com/mcp";
const WRITE = { issues_create_issue: {} };

function setUp(steps: readonly Step[], options: { refuse?: Refuse; signIn?: "first" } = {}) {
  const tokens = new Map<string, readonly string[]>();
  const server = createSignInServer({
    url: URL_OF_SERVER,
    authorizationServers: ["https://login.example.com"],
    scopesOf: async (token) => tokens.get(token),
    refuse: options.refuse,
  });
  const credentials = createMemoryCredentials();
  const model = createScriptedModel(...steps);
  const agentErrors: unknown[] = [];
  const runtime = createTestRuntime((turn) => runTurn(turn));
  const runTurn = createAgentTurn({
    model,
    credentials,
    mcpServers: [
      {
        name: "issues",
        url: URL_OF_SERVER,
        service: "Issues",
        credentialScope: "user",
        signIn: "on-demand",
        fetch: server.fetch,
        ...(options.signIn !== undefined && { signIn: options.signIn }),
      },
    ],
    connectUrl: "https://auth.example.com/auth/connect",
    requester: { name: "Demo agent" },
    clock: runtime.clock,
    onError: (error) => agentErrors.push(error),
  });
  /** Stores a credential whose token has these scopes at the server, and which lists its granted scopes. */
  async function grant(accessToken: string, scopes: string, more: Partial<Credential> = {}) {
    tokens.set(accessToken, scopes.split(" "));
    await credentials.set("issues", "ada", { accessToken, scope: scopes, ...more });
  }
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const recordOf = async (elicitationId: string) => (await runtime.elicitations.get(elicitationId))?.signIn;
  return { runtime, server, credentials, model, ada, grant, recordOf, agentErrors };
}

test("the server is called first, and the request to sign in contains the server's challenge", async () => {
  const { ada, server, runtime, grant, recordOf, model } = setUp([WRITE, "Done."]);
  const stream = await ada.send("c1");
  const { elicitationId, message } = await stream.request();
  expect(server.calls).toEqual([{ tool: "create_issue", token: undefined }]);
  expect(message).toBe("To continue with your Issues account.");
  expect(await recordOf(elicitationId)).toEqual({
    url: URL_OF_SERVER,
    service: "Issues",
    resourceMetadata: "https://issues.example.com/.well-known/oauth-protected-resource/mcp",
    scope: "issues:write",
  });
  expect(JSON.stringify(stream.chunks)).not.toContain("well-known");
  await runtime.elicitations.complete(elicitationId, () => grant("t1", "issues:write"));
  await stream.done;
  expect(toolResultsSeen(model)).toEqual([{ type: "text", value: "create_issue done" }]);
});

test("with signIn: first, no call is made before the user has connected", async () => {
  const { ada, server, runtime, grant } = setUp([WRITE, "Done."], { signIn: "first" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  expect(server.calls).toEqual([]);
  await runtime.elicitations.complete(elicitationId, () => grant("t1", "issues:write"));
  await stream.done;
  expect(server.calls).toEqual([{ tool: "create_issue", token: "t1" }]);
});

test("a call that needs more scopes asks for all of them at once, and is then repeated", async () => {
  const { ada, server, runtime, grant, recordOf, model, credentials } = setUp([WRITE, "Done."]);
  await grant("t1", "issues:read");
  const stream = await ada.send("c1");
  const { elicitationId, message } = await stream.request();
  expect(message).toBe("To continue with more access to your Issues account: issues:write.");
  expect((await recordOf(elicitationId))?.scope).toBe("issues:read issues:write");
  expect((await credentials.get("issues", "ada"))?.accessToken).toBe("t1");
  await runtime.elicitations.complete(elicitationId, () => grant("t2", "issues:read issues:write"));
  await stream.done;
  expect(server.calls.map(({ token }) => token)).toEqual(["t1", "t2"]);
  expect(toolResultsSeen(model)).toEqual([{ type: "text", value: "create_issue done" }]);
});

test("a call is repeated also if the provider adds the scopes to the token that the user has", async () => {
  const { ada, server, runtime, grant, model } = setUp([WRITE, "Done."]);
  await grant("t1", "issues:read");
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await runtime.elicitations.complete(elicitationId, () => grant("t1", "issues:read issues:write"));
  const ticking = setInterval(() => runtime.clock.advance(500), 5);
  await stream.done;
  clearInterval(ticking);
  expect(server.calls.map(({ token }) => token)).toEqual(["t1", "t1"]);
  expect(toolResultsSeen(model)).toEqual([{ type: "text", value: "create_issue done" }]);
});

test("the card names only the scopes that the account lacks, when the server lists all that the call needs", async () => {
  const header = 'Bearer error="insufficient_scope", scope="issues:read issues:write"';
  const refuse: Refuse = () => Response.json({}, { status: 403, headers: { "www-authenticate": header } });
  const { ada, grant } = setUp([WRITE, "Done."], { refuse });
  await grant("t1", "issues:read");
  const stream = await ada.send("c1");
  const { elicitationId, message } = await stream.request();
  expect(message).toBe("To continue with more access to your Issues account: issues:write.");
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
});

test("a user who declines more scopes keeps their current connection", async () => {
  const { ada, grant, credentials, model } = setUp([WRITE, { issues_read_issue: {} }, "I see."]);
  await grant("t1", "issues:read");
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect((await credentials.get("issues", "ada"))?.accessToken).toBe("t1");
  expect(toolResultsSeen(model)).toEqual([
    { type: "text", value: expect.stringContaining("declined to connect Issues") },
    { type: "text", value: "read_issue done" },
  ]);
});

test("when a provider grants less than requested, the user is not asked for the same scopes again", async () => {
  const { ada, server, runtime, grant, model } = setUp([WRITE, "Sorry."]);
  await grant("t1", "issues:read");
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await runtime.elicitations.complete(elicitationId, () => grant("t2", "issues:read"));
  await stream.done;
  expect(server.calls).toHaveLength(2);
  expect(toolResultsSeen(model)).toEqual([
    { type: "text", value: expect.stringContaining("asks for access that it was not given") },
  ]);
});

test("a server that demands different scopes each time gets at most two step-ups", async () => {
  let count = 0;
  const refuse: Refuse = () => {
    count += 1;
    const header = `Bearer error="insufficient_scope", scope="extra-${count}"`;
    return Response.json({}, { status: 403, headers: { "www-authenticate": header } });
  };
  const { ada, server, runtime, grant, recordOf } = setUp([WRITE, "Sorry."], { refuse });
  await grant("t0", "none");
  const stream = await ada.send("c1");
  const seen: string[] = [];
  for (const token of ["t1", "t2"]) {
    const { elicitationId } = await stream.request(0, (request) => !seen.includes(request.elicitationId));
    seen.push(elicitationId);
    await runtime.elicitations.complete(elicitationId, () => grant(token, "none"));
  }
  await stream.done;
  expect(server.calls.map(({ token }) => token)).toEqual(["t0", "t1", "t2"]);
  expect((await recordOf(seen[1] ?? ""))?.scope).toBe("none extra-1 extra-2");
});

test("when a request completes without a new credential, the call is not repeated, and the model learns why", async () => {
  const { ada, server, runtime, grant, model } = setUp([WRITE, "Sorry."]);
  await grant("t1", "issues:read");
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await runtime.elicitations.complete(elicitationId, async () => {});
  const ticking = setInterval(() => runtime.clock.advance(500), 5);
  await stream.done;
  clearInterval(ticking);
  expect(server.calls).toHaveLength(1);
  expect(toolResultsSeen(model)).toEqual([
    { type: "text", value: expect.stringContaining("no credential was stored") },
  ]);
});

test("if the needed scopes were stored during the refused call, the request completes with them", async () => {
  let isStored = false;
  const refuse: Refuse = () => {
    if (!isStored) void grant("t2", "issues:read issues:write");
    isStored = true;
    const header = 'Bearer error="insufficient_scope", scope="issues:write"';
    return Response.json({}, { status: 403, headers: { "www-authenticate": header } });
  };
  const { ada, server, runtime, grant, model } = setUp([WRITE, "Done."], { refuse });
  await grant("t1", "issues:read");
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await runtime.elicitations.complete(elicitationId, async () => {});
  const ticking = setInterval(() => runtime.clock.advance(500), 5);
  await stream.done;
  clearInterval(ticking);
  expect(server.calls.map(({ token }) => token)).toEqual(["t1", "t2"]);
  expect(toolResultsSeen(model)).toEqual([{ type: "text", value: "create_issue done" }]);
});

test.each<[string, () => Response]>([
  [
    "400 with invalid_token",
    () => new Response("", { status: 400, headers: { "www-authenticate": 'Bearer error="invalid_token"' } }),
  ],
  [
    "403 with invalid_token",
    () => new Response("", { status: 403, headers: { "www-authenticate": 'Bearer error="invalid_token"' } }),
  ],
  ["401 without a challenge", () => new Response("", { status: 401 })],
  [
    "401 with a body of its own",
    () =>
      Response.json({ jsonrpc: "2.0", id: null, error: { code: -32001, message: "no" } }, { status: 401 }),
  ],
])("%s makes the runtime ask for a sign-in", async (_, refuse) => {
  const { ada, runtime } = setUp([WRITE, "Sorry."], { refuse });
  const stream = await ada.send("c1");
  expect((await stream.request()).message).toContain("with your Issues account");
  await runtime.close();
});

test("a challenge in a call's result makes the runtime ask for a sign-in, and the call is repeated once", async () => {
  const refuse: Refuse = ({ id }) =>
    Response.json({
      jsonrpc: "2.0",
      id,
      result: {
        resultType: "complete",
        isError: true,
        content: [],
        _meta: { "mcp/www_authenticate": ['Bearer scope="issues:write"'] },
      },
    });
  const { ada, runtime, recordOf, grant, model } = setUp([WRITE, "Done."], { refuse });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  expect((await recordOf(elicitationId))?.scope).toBe("issues:write");
  await runtime.elicitations.complete(elicitationId, () => grant("t1", "issues:write"));
  await stream.done;
  expect(toolResultsSeen(model)).toEqual([{ type: "text", value: "create_issue done" }]);
});

test.each<[string, () => Response]>([
  ["403 without a challenge", () => new Response("no", { status: 403 })],
  [
    "403 with another scheme",
    () => new Response("no", { status: 403, headers: { "www-authenticate": "Basic" } }),
  ],
  ["400", () => new Response("bad", { status: 400 })],
  ["500", () => new Response("bad", { status: 500 })],
  [
    "a redirect",
    () => new Response(null, { status: 302, headers: { location: "https://login.example.com" } }),
  ],
])("%s is a tool error, and the user is not asked", async (_, refuse) => {
  const { ada } = setUp([WRITE, "Sorry."], { refuse });
  const stream = await ada.send("c1");
  await stream.done;
  expect(stream.chunks.filter(({ type }) => type === "data-elicitation-request")).toEqual([]);
  expect(stream.chunks).toContainEqual(expect.objectContaining({ type: "tool-output-error" }));
});

test("a credential is never sent to a server other than its own", async () => {
  const { ada, server, grant } = setUp([WRITE, "Sorry."]);
  const binding = {
    serverUrl: "https://other.example.com/mcp",
    issuer: "https://login.example.com",
    resource: "https://other.example.com/mcp",
    clientId: "c",
  };
  await grant("others-token", "issues:write", { binding });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect(server.calls).toEqual([{ tool: "create_issue", token: undefined }]);
});
