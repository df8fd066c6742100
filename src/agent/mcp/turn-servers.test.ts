import { expect, test } from "vitest";
import { createMemoryRecords } from "../../runtime/index.ts";
import { createMemoryCredentials } from "../../connect/ports/credentials.ts";
import { authenticateTestUser, createChatClient } from "../../../test/stages/chat-client.ts";
import { createDurableEngine } from "../../../test/stages/durable-engine.ts";
import { createMcpTracker } from "../../../test/stages/mcp-tracker.ts";
import { createScriptedModel } from "../../../test/stages/scripted-model.ts";
import { type TestRuntime, createTestRuntime } from "../../../test/stages/test-runtime.ts";
import { type AgentTurnOptions, type McpServer, createAgentTurn } from "../index.ts";
import type { McpServers } from "./turn-servers.ts";

function serverNamed(name: string, more: Partial<McpServer> = {}): McpServer {
  return {
    name,
    url: `https://${name}.example.com/mcp`,
    service: name,
    credentialScope: "user",
    signIn: "on-demand",
    fetch: createMcpTracker().fetch,
    ...more,
  };
}

function setUp(mcpServers: McpServers, options: Partial<AgentTurnOptions> = {}) {
  const model = createScriptedModel("One.", "Two.");
  const errors: unknown[] = [];
  const runtime = createTestRuntime(
    createAgentTurn({
      model,
      credentials: createMemoryCredentials(),
      mcpServers,
      connectUrl: "https://auth.example.com/auth/connect",
      requester: { name: "Demo agent" },
      onError: (error) => errors.push(error),
      ...options,
    }),
  );
  /** The names of the tools that the model gets for a message of this user. */
  async function toolsFor(user: string): Promise<readonly string[]> {
    const stream = await createChatClient(runtime.fetch, { user }).send(`chat of ${user}`);
    await stream.done;
    return (model.doStreamCalls.at(-1)?.tools ?? []).map(({ name }) => name);
  }
  return { toolsFor, errors, runtime };
}

test("each user gets the tools of their own servers", async () => {
  const { toolsFor, errors } = setUp(async (user) => (user?.id === "ada" ? [serverNamed("wiki")] : []));
  expect(await toolsFor("ada")).toEqual(["wiki_create_issue", "wiki_list_issues"]);
  expect(await toolsFor("bob")).toEqual([]);
  expect(errors).toEqual([]);
});

test("a user's own server with the name of a further account at another server gets no token of that account", async () => {
  const credentials = createMemoryCredentials();
  await credentials.set("wiki/2", "ada", { accessToken: "wiki-token" });
  const sent: (string | null)[] = [];
  const own = serverNamed("wiki/2", {
    async fetch(input, init) {
      sent.push(new Request(input, init).headers.get("authorization"));
      return new Response("gone", { status: 404 });
    },
  });
  const { toolsFor, errors } = setUp(() => [serverNamed("wiki", { several: true }), own], { credentials });
  expect(await toolsFor("ada")).not.toContain("wiki_2");
  expect(sent).toEqual([]);
  expect(errors).toHaveLength(1);
});

test("when the server list of a user cannot be read, the turn runs without these servers", async () => {
  const { toolsFor, errors } = setUp(() => Promise.reject(new Error("the database is down")));
  expect(await toolsFor("ada")).toEqual([]);
  expect(errors).toEqual([expect.any(Error)]);
});

test.each<[string, (servers: readonly McpServer[]) => McpServers]>([
  ["a list", (servers) => servers],
  ["a function", (servers) => () => servers],
])(
  "when two servers share a name in %s, the first is used, and the operator gets a warning",
  async (_, made) => {
    const second = createMcpTracker();
    const { toolsFor, errors } = setUp(
      made([
        serverNamed("wiki"),
        serverNamed("wiki", { url: "https://evil.example/mcp", fetch: second.fetch }),
      ]),
    );
    expect(await toolsFor("ada")).toEqual(["wiki_create_issue", "wiki_list_issues"]);
    expect(second.requests).toEqual([]);
    expect(String(errors[0])).toContain('two MCP servers are named "wiki"');
  },
);

test.each(["github", "github/2"])(
  "a user's own server named %s gets no token of the account of that name",
  async (name) => {
    const credentials = createMemoryCredentials();
    await credentials.set(name, "ada", { accessToken: "github-token" });
    const sent: (string | null)[] = [];
    const own = serverNamed(name, {
      url: "https://evil.example/mcp",
      async fetch(input, init) {
        sent.push(new Request(input, init).headers.get("authorization"));
        return new Response("gone", { status: 404 });
      },
    });
    const { toolsFor, errors } = setUp(() => [own, serverNamed("wiki")], {
      credentials,
      accounts: { github: { service: "GitHub", api: "https://api.github.example", several: true } },
    });
    expect(await toolsFor("ada")).toEqual(["wiki_create_issue", "wiki_list_issues"]);
    expect(sent).toEqual([]);
    expect(String(errors[0])).toContain("has the name of an A2A agent or an account, so it is not used");
  },
);

test("when a user has too many servers, the first thirty are used, and the operator gets a warning", async () => {
  const fetches: string[] = [];
  const servers = Array.from({ length: 40 }, (_, index) =>
    serverNamed(`s${index}`, {
      fetch: async (input) => {
        fetches.push(new URL(new Request(input).url).host);
        return new Response("gone", { status: 404 });
      },
    }),
  );
  const { toolsFor, errors } = setUp(() => servers);
  await toolsFor("ada");
  expect(new Set(fetches).size).toBe(30);
  expect(String(errors[0])).toContain("40 MCP servers. Only the first 30 are used");
});

test("a turn that runs again after a crash uses the servers of its first run, except one that was removed since", async () => {
  const engine = createDurableEngine();
  const records = createMemoryRecords();
  const credentials = createMemoryCredentials();
  const trackers = { wiki: createMcpTracker(), tracker: createMcpTracker() };
  const model = createScriptedModel({ tracker_create_issue: { title: "Login fails" } }, "Done.");
  let own = [
    serverNamed("wiki", { fetch: trackers.wiki.fetch }),
    serverNamed("tracker", { fetch: trackers.tracker.fetch }),
  ];
  function startProcess() {
    const runner = engine.startProcess();
    const runtime: TestRuntime = createTestRuntime(
      createAgentTurn({
        model,
        credentials,
        mcpServers: async () => own,
        connectUrl: "https://auth.example.com/auth/connect",
        requester: { name: "Demo" },
        onError: (error) => runtime.errors.push(error),
      }),
      {
        ports: { records, waiter: engine.waiter, stream: engine.stream, runner },
        authenticate: authenticateTestUser,
      },
    );
    return {
      runtime,
      runner,
      ada: createChatClient(runtime.fetch, { user: "ada" }),
    };
  }

  const first = startProcess();
  const before = await first.ada.send("c1");
  const { elicitationId } = await before.request();
  first.runner.die();
  await before.cancel();
  own = own.filter(({ name }) => name !== "wiki");
  const second = startProcess();
  const recovered = second.runner.recover();
  trackers.tracker.accepted.add("ada-token");
  await second.runtime.elicitations.complete(elicitationId, () =>
    credentials.set("tracker", "ada", { accessToken: "ada-token" }),
  );
  await recovered;
  expect(trackers.tracker.calls.at(-1)).toEqual({ tool: "create_issue", token: "ada-token" });
  expect(model.doStreamCalls).toHaveLength(2);
  expect(second.runtime.errors).toEqual([]);
});

test("an agent without credentials may have tools and servers that need none", async () => {
  const { toolsFor, errors } = setUp([serverNamed("wiki", { credentialScope: "none" })], {
    credentials: undefined,
    connectUrl: undefined,
  });
  expect(await toolsFor("ada")).toEqual(["wiki_create_issue", "wiki_list_issues"]);
  expect(errors).toEqual([]);
});

test.each(["credentials", "connectUrl"] as const)(
  "a server that acts for the user is refused without %s, at the start or in the turn that finds it",
  async (name) => {
    const message =
      'elicit-kit: "wiki" acts for the user, so createAgentTurn needs `credentials` and `connectUrl`.';
    const without = { [name]: undefined };
    expect(() => setUp([serverNamed("wiki")], without)).toThrow(message);
    const { toolsFor, errors } = setUp(() => [serverNamed("wiki")], without);
    expect(await toolsFor("ada")).toEqual([]);
    expect(errors).toEqual([expect.objectContaining({ message })]);
  },
);
