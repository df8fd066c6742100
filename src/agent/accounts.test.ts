import { tool } from "ai";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { createChatClient } from "../../test/stages/chat-client.ts";
import { createScriptedModel, toolResultsSeen } from "../../test/stages/scripted-model.ts";
import { createTestRuntime } from "../../test/stages/test-runtime.ts";
import { createMemoryCredentials } from "../connect/ports/credentials.ts";
import type { Account, AccountOptions } from "./accounts.ts";
import { type AgentTurnOptions, createAgentTurn } from "./index.ts";

const API = "https://api.github.example";

/** An API that accepts some tokens. `/repos` requires the scope `repo`. */
function createApi() {
  const tokens = new Map<string, readonly string[]>();
  const calls: string[] = [];
  const api: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const token = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
    const path = new URL(request.url).pathname;
    calls.push(`${path} ${token}`);
    const rights = tokens.get(token);
    if (rights === undefined) return new Response("Bad credentials", { status: 401 });
    if (path === "/repos" && !rights.includes("repo")) {
      const challenge = 'Bearer error="insufficient_scope", scope="repo"';
      return new Response(null, { status: 403, headers: { "www-authenticate": challenge } });
    }
    return path === "/missing" ? new Response("Not found", { status: 404 }) : Response.json({ path });
  };
  return { fetch: api, tokens, calls };
}

type Use = (account: Account) => Promise<string>;

/** An agent with a tool `github_tool` that uses the account `github`. */
function setUp(use: Use, more: Partial<AgentTurnOptions> = {}) {
  const api = createApi();
  const stored = createMemoryCredentials();
  const renew = vi.fn<NonNullable<typeof stored.renew>>(async () => undefined);
  const credentials = { ...stored, renew };
  const model = createScriptedModel({ github_tool: {} }, "Done.");
  const runtime = createTestRuntime((turn) => runTurn(turn));
  const github: AccountOptions = { service: "GitHub", api: API, fetch: api.fetch };
  const runTurn = createAgentTurn({
    model,
    credentials,
    connectUrl: "https://auth.example.com/auth/connect",
    accounts: { github },
    tools: {
      github_tool: ({ account }) =>
        tool({
          inputSchema: z.object({}),
          execute: async (_input, { toolCallId }) => use(account("github", toolCallId)),
        }),
    },
    requester: { name: "Demo agent" },
    clock: runtime.clock,
    onError: () => {},
    ...more,
  });
  async function grant(accessToken: string, scope = "") {
    api.tokens.set(accessToken, scope.split(" "));
    await stored.set("github", "ada", { accessToken, scope });
  }
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  return { ada, api, credentials, grant, model, renew, runtime };
}

const requestsOf = ({ chunks }: { chunks: readonly { type?: unknown; id?: unknown }[] }) => [
  ...new Set(chunks.flatMap(({ type, id }) => (type === "data-elicitation-request" ? [id] : []))),
];

const readUser: Use = async (account) => {
  const user = await account.fetch("/user");
  return user.ok ? JSON.stringify(await user.value.json()) : user.text;
};

test("a tool gets the account that the user has connected, without a question", async () => {
  const { ada, api, grant, model } = setUp(readUser);
  await grant("t1");
  const stream = await ada.send("c1");
  await stream.done;
  expect(api.calls).toEqual(["/user t1"]);
  expect(toolResultsSeen(model)).toEqual([{ type: "text", value: '{"path":"/user"}' }]);
});

test("without an account, the call waits until the user has connected it", async () => {
  const { ada, api, grant, model, runtime } = setUp(readUser);
  const stream = await ada.send("c1");
  const request = await stream.request();
  expect(request.message).toBe("To continue with your GitHub account.");
  expect(request).toMatchObject({ mode: "url", service: { name: "GitHub" }, purpose: "connect" });
  expect(api.calls).toEqual([]);
  await runtime.elicitations.complete(request.elicitationId, () => grant("t1"));
  await stream.done;
  expect(api.calls).toEqual(["/user t1"]);
  expect(toolResultsSeen(model)).toEqual([{ type: "text", value: '{"path":"/user"}' }]);
});

test("a user who declines is not asked again, and the model learns that they declined", async () => {
  const { ada, api, model } = setUp(async (account) => {
    const [one, two] = await Promise.all([account.fetch("/user"), account.fetch("/missing")]);
    return JSON.stringify([one.ok || one.text, two.ok]);
  });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect(api.calls).toEqual([]);
  expect(requestsOf(stream)).toHaveLength(1);
  expect(JSON.stringify(toolResultsSeen(model))).toContain("declined to connect GitHub");
});

test("calls that begin at the same time ask for the account once", async () => {
  const { ada, api, grant, runtime } = setUp(async (account) => {
    const found = await Promise.all([account.fetch("/a"), account.fetch("/b"), account.fetch("/c")]);
    return found.map(({ ok }) => ok).join();
  });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await runtime.elicitations.complete(elicitationId, () => grant("t1"));
  await stream.done;
  expect(requestsOf(stream)).toHaveLength(1);
  expect(api.calls).toEqual(["/a t1", "/b t1", "/c t1"]);
});

test("a token that the service refuses is refreshed without a question", async () => {
  const { ada, api, credentials, grant, renew } = setUp(readUser);
  await credentials.set("github", "ada", { accessToken: "old" });
  renew.mockImplementation(async () => {
    await grant("new");
    return { accessToken: "new" };
  });
  const stream = await ada.send("c1");
  await stream.done;
  expect(api.calls).toEqual(["/user old", "/user new"]);
  expect(requestsOf(stream)).toHaveLength(0);
});

test("for an account that was revoked at the service, the user is asked to connect again, and the call is repeated", async () => {
  const { ada, api, credentials, grant, runtime } = setUp(readUser);
  await credentials.set("github", "ada", { accessToken: "revoked" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  expect(await credentials.get("github", "ada")).toBeUndefined();
  await runtime.elicitations.complete(elicitationId, () => grant("t2"));
  await stream.done;
  expect(api.calls).toEqual(["/user revoked", "/user t2"]);
});

test("a call that needs more scopes asks for them", async () => {
  const { ada, api, grant, runtime } = setUp(async (account) => {
    const repos = await account.fetch("/repos");
    return repos.ok ? "read" : repos.text;
  });
  await grant("t1", "user");
  const stream = await ada.send("c1");
  const { elicitationId, message } = await stream.request();
  expect(message).toContain("with more access to your GitHub account: repo.");
  await runtime.elicitations.complete(elicitationId, () => grant("t2", "user repo"));
  await stream.done;
  expect(api.calls).toEqual(["/repos t1", "/repos t2"]);
});

test("a body that is a stream is sent again with the new token", async () => {
  const bodies: string[] = [];
  const upload: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    bodies.push(await request.text());
    return new Response(null, { status: request.headers.get("authorization") === "Bearer t2" ? 201 : 401 });
  };
  const { ada, grant, model, runtime } = setUp(
    async (account) => {
      const report = { method: "POST", body: new Blob(["a report"]).stream(), duplex: "half" };
      const sent = await account.fetch("/reports", report);
      return sent.ok ? String(sent.value.status) : sent.text;
    },
    { accounts: { github: { service: "GitHub", api: API, fetch: upload } } },
  );
  await grant("t1");
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await runtime.elicitations.complete(elicitationId, () => grant("t2"));
  await stream.done;
  expect(bodies).toEqual(["a report", "a report"]);
  expect(toolResultsSeen(model)).toEqual([{ type: "text", value: "201" }]);
});

test("a client library of the service gets the token, and the user is asked to connect again when it throws an error with status 401", async () => {
  const { ada, grant, model, runtime } = setUp(async (account) => {
    const login = await account.run(async (token) => {
      if (token === "revoked") throw Object.assign(new Error("Bad credentials"), { status: 401 });
      return `ada with ${token}`;
    });
    return login.ok ? login.value : login.text;
  });
  await grant("revoked");
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await runtime.elicitations.complete(elicitationId, () => grant("t2"));
  await stream.done;
  expect(toolResultsSeen(model)).toEqual([{ type: "text", value: "ada with t2" }]);
});

test("any other failure of the service reaches the tool unchanged", async () => {
  const { ada, grant, model } = setUp(async (account) => {
    const found = await account.fetch("/missing");
    return found.ok ? `status ${found.value.status}` : found.text;
  });
  await grant("t1");
  await (
    await ada.send("c1")
  ).done;
  expect(toolResultsSeen(model)).toEqual([{ type: "text", value: "status 404" }]);
});

test("the token is not sent to another host", async () => {
  const { ada, api, grant, model } = setUp(async (account) => {
    const found = await account.fetch("https://evil.example/user").catch(String);
    return typeof found === "string" ? found : "sent";
  });
  await grant("t1");
  await (
    await ada.send("c1")
  ).done;
  expect(api.calls).toEqual([]);
  expect(JSON.stringify(toolResultsSeen(model))).toContain("is not sent to https://evil.example");
});

test("a token that cannot be sent in a header reaches no model, and the user is asked to connect again", async () => {
  const { ada, credentials, grant, model, runtime } = setUp(readUser);
  await credentials.set("github", "ada", { accessToken: "broken\ntoken" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await runtime.elicitations.complete(elicitationId, () => grant("t1"));
  await stream.done;
  expect(toolResultsSeen(model)).toEqual([{ type: "text", value: '{"path":"/user"}' }]);
  expect(JSON.stringify([stream.chunks, model.doStreamCalls])).not.toContain("broken");
});

test("a call to another host does not ask the user to connect an account", async () => {
  const { ada, model } = setUp(async (account) => {
    const found = await account.fetch("https://evil.example/user").catch(String);
    return typeof found === "string" ? found : "sent";
  });
  const stream = await ada.send("c1");
  await stream.done;
  expect(requestsOf(stream)).toHaveLength(0);
  expect(JSON.stringify(toolResultsSeen(model))).toContain("is not sent to https://evil.example");
});

test("code that runs with a token may use the same account again", async () => {
  const { ada, api, grant, model } = setUp(async (account) => {
    const user = await account.run(async () => account.fetch("/user"));
    return user.ok && user.value.ok ? "read" : "not read";
  });
  await grant("t1");
  await (
    await ada.send("c1")
  ).done;
  expect(api.calls).toEqual(["/user t1"]);
  expect(toolResultsSeen(model)).toEqual([{ type: "text", value: "read" }]);
});

test("calls that begin at the same time with a revoked account ask once to connect it again", async () => {
  const { ada, api, credentials, grant, runtime } = setUp(async (account) => {
    const found = await Promise.all([account.fetch("/a"), account.fetch("/b")]);
    return found.map(({ ok }) => ok).join();
  });
  await credentials.set("github", "ada", { accessToken: "revoked" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await runtime.elicitations.complete(elicitationId, () => grant("t2"));
  await stream.done;
  expect(requestsOf(stream)).toHaveLength(1);
  expect(api.calls).toEqual(["/a revoked", "/a t2", "/b t2"]);
});

test("for an account that is not configured, the error lists the configured ones", async () => {
  const errors: unknown[] = [];
  const { ada, model } = setUp(readUser, {
    tools: {
      github_tool: ({ account }) =>
        tool({
          inputSchema: z.object({}),
          execute: async (_input, { toolCallId }) => readUser(account("gitlab", toolCallId)),
        }),
    },
    onError: (error) => errors.push(error),
  });
  await (
    await ada.send("c1")
  ).done;
  expect(String(errors[0])).toContain(
    'there is no account "gitlab". Name it in the option accounts, which has: github.',
  );
  expect(toolResultsSeen(model)).toHaveLength(1);
});

test("an agent with accounts needs a credential store, a hosted page, and unique names", () => {
  expect(() => setUp(readUser, { connectUrl: undefined })).toThrow(/"github" acts for the user/);
  const mcpServers = [
    { name: "github", url: "https://mcp.example.com", service: "GitHub", credentialScope: "user" },
  ] as const;
  expect(() => setUp(readUser, { mcpServers })).toThrow(/are named "github"/);
});

test("a tool removes the account, and its next use asks the user to connect", async () => {
  const { ada, credentials, grant, runtime } = setUp(async (account) => {
    const forgotten = await account.forget();
    return `${forgotten.ok} ${await readUser(account)}`;
  });
  await grant("t1");
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  expect(await credentials.get("github", "ada")).toBeUndefined();
  await runtime.elicitations.complete(elicitationId, () => grant("t2"));
  await stream.done;
});

test("when an account cannot be removed, it stays connected, and the model learns that", async () => {
  const errors: unknown[] = [];
  const credentials = createMemoryCredentials();
  await credentials.set("github", "ada", { accessToken: "t1" });
  const { ada, model } = setUp(
    async (account) => {
      const forgotten = await account.forget();
      return forgotten.ok ? "removed" : forgotten.text;
    },
    {
      credentials: { ...credentials, revoke: () => Promise.reject(new Error("down")) },
      onError: (error) => errors.push(error),
    },
  );
  await (
    await ada.send("c1")
  ).done;
  expect(JSON.stringify(toolResultsSeen(model))).toContain("cannot be removed at the moment");
  expect(await credentials.get("github", "ada")).toBeDefined();
  expect(errors).toHaveLength(1);
});

test("an account is removed even if its tokens cannot be revoked, and the log says why", async () => {
  const errors: unknown[] = [];
  const { ada, model } = setUp(async (account) => String((await account.forget()).ok), {
    credentials: {
      ...createMemoryCredentials(),
      revoke: async () => ({ isRevoked: false, error: new Error("down") }),
    },
    onError: (error) => errors.push(error),
  });
  await (
    await ada.send("c1")
  ).done;
  expect(toolResultsSeen(model)).toEqual([{ type: "text", value: "true" }]);
  expect(errors).toHaveLength(1);
});
