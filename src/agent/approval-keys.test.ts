import { tool } from "ai";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { createChatClient } from "../../test/stages/chat-client.ts";
import { createScriptedModel } from "../../test/stages/scripted-model.ts";
import { createTestRuntime } from "../../test/stages/test-runtime.ts";
import { type AgentTurnOptions, createAgentTurn } from "./index.ts";

const refund = tool({ inputSchema: z.object({}), execute: async () => "Refunded." });

/** An agent with the tool `refund` and a server that can read and delete a file. */
function setUp(
  toolApproval: Readonly<Record<string, "user-approval" | "approved" | "denied">>,
  { calls = [], ...more }: Partial<AgentTurnOptions> & { calls?: readonly string[] } = {},
) {
  const called: string[] = [];
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "files", version: "1" });
    for (const [name, readOnlyHint] of [
      ["read", true],
      ["delete", false],
    ] as const) {
      server.registerTool(name, { inputSchema: z.object({}), annotations: { readOnlyHint } }, () => {
        called.push(name);
        return { content: [{ type: "text", text: "Done." }] };
      });
    }
    return server;
  });
  const fetch = vi.fn<typeof globalThis.fetch>((input, init) => handler.fetch(new Request(input, init)));
  const files = {
    name: "files",
    service: "Files",
    url: "https://files.example.com/mcp",
    credentialScope: "none",
    fetch,
  } as const;
  const errors: unknown[] = [];
  const agent = createAgentTurn({
    model: createScriptedModel(...calls.map((name) => ({ [name]: {} })), "Done.", "Done."),
    settings: { toolApproval },
    tools: { refund },
    mcpServers: [files],
    requester: { name: "Agent" },
    onError: (error) => errors.push(error),
    ...more,
  });
  const ada = createChatClient(createTestRuntime(agent).fetch, { user: "ada" });
  return { ada, called, errors, fetch, files };
}

test.each([
  [
    "refnd",
    /^elicit-kit: `toolApproval` has the key "refnd", which names no tool of this agent.*Did you mean "refund"\?/,
  ],
  ["fils_delete", /"fils_delete", which names no tool of this agent.*or "files_…"\.$/],
  ["files", /"files", which names an MCP server, so it would ask nothing\..*"files_…".*askFirst/],
])("an agent with the key %s of toolApproval is not created, because it would ask nothing", (key, words) => {
  expect(() => setUp({ [key]: "user-approval" })).toThrow(words);
});

test.each([
  ["2fa_verify", /"2fa_verify", which names no tool of this agent.*"s_2fa_…", or "my_files_…"\.$/],
  ["my.files_delete", /"my.files_delete", which names no tool of this agent.*"s_2fa_…", or "my_files_…"\.$/],
  ["my.files", /"my.files", which names an MCP server.*"my_files_…"/],
  ["2fa", /"2fa", which names an MCP server.*"s_2fa_…"/],
])(
  "the error for the key %s has the names that the tools of the servers have for the model",
  (key, words) => {
    const { files } = setUp({});
    const mcpServers = [
      { ...files, name: "2fa" },
      { ...files, name: "my.files" },
    ];
    expect(() => setUp({ [key]: "user-approval" }, { mcpServers })).toThrow(words);
  },
);

test("when the settings of a turn have such a key, the turn fails, and no tool is called", async () => {
  const { ada, fetch } = setUp(
    {},
    { settings: () => ({ toolApproval: { refnd: "user-approval" } }), calls: ["refund"] },
  );
  const stream = await ada.send("c1");
  await stream.done;
  expect(stream.chunks.map(({ type }) => type)).toContain("error");
  expect(fetch).not.toHaveBeenCalled();
});

test("when a server does not list the tool of a key, its tools that may change something ask, and the log says why", async () => {
  const { ada, called, errors } = setUp(
    { files_delte: "user-approval" },
    { calls: ["files_read", "files_delete"] },
  );
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  expect(called).toEqual(["read"]);
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect(called).toEqual(["read"]);
  await (
    await ada.send("c2")
  ).done;
  expect(errors.map(String)).toEqual([
    'Error: elicit-kit: `toolApproval` has the key "files_delte", which names no tool that Files lists. Did you mean "files_delete"? Until the key is right, the tools of this server that may change something ask first.',
  ]);
});

test("a server that cannot be reached makes no key wrong", async () => {
  const { files } = setUp({});
  const away = { ...files, fetch: async () => new Response("gone", { status: 404 }) };
  const { ada, errors } = setUp({ files_delete: "user-approval" }, { mcpServers: [away] });
  await (
    await ada.send("c1")
  ).done;
  expect(errors.map(String).filter((text) => text.includes("toolApproval"))).toEqual([]);
});

test("with servers of each user, a key may name the server of another user", async () => {
  const { files } = setUp({});
  const { ada, errors } = setUp(
    { wiki_delete: "user-approval", fils_delete: "user-approval" },
    { mcpServers: () => [files] },
  );
  await (
    await ada.send("c1")
  ).done;
  expect(errors).toEqual([]);
});

test("a key of a tool that the agent does not get from its server is no mistake", async () => {
  const { files, called } = setUp({});
  const { ada, errors } = setUp(
    { files_read: "user-approval" },
    { mcpServers: [{ ...files, tools: ["delete"] }], calls: ["files_delete"] },
  );
  await (
    await ada.send("c1")
  ).done;
  expect(called).toEqual(["delete"]);
  expect(errors).toEqual([]);
});

test.each([
  ["files_read_2", { files_read: refund }],
  ["files_read_3", { files_read: refund, files_read_2: refund }],
])("a key may have the number of a tool whose name another tool has: %s", async (key, tools) => {
  const { ada, called, errors } = setUp({ [key]: "denied" }, { tools, calls: ["files_delete", key] });
  await (
    await ada.send("c1")
  ).done;
  expect(called).toEqual(["delete"]);
  expect(errors).toEqual([]);
});

test.each([
  ["files_delete_2", { files_delete_hook: refund, files_delete_key: refund }],
  ["files_delete_3", { files_delete: refund }],
])("a key with a number that no tool can have is reported: %s", async (key, tools) => {
  const { ada, errors } = setUp({ [key]: "denied" }, { tools });
  await (
    await ada.send("c1")
  ).done;
  expect(errors.map(String)).toEqual([expect.stringContaining('Did you mean "files_delete"?')]);
});

test("after a key with a wrong number, the tool that it has meant asks", async () => {
  const { ada, called } = setUp({ files_delete_2: "user-approval" }, { calls: ["files_delete"] });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect(called).toEqual([]);
});

test("a key that could not ask makes no tool ask, even if it names none", async () => {
  const { ada, called, errors } = setUp(
    { files_raed: "approved", refnd: "approved" },
    { calls: ["files_delete"] },
  );
  await (
    await ada.send("c1")
  ).done;
  expect(called).toEqual(["delete"]);
  expect(errors).toEqual([]);
});

test("a tool with a key of its own does not ask because of another key", async () => {
  const { ada, called, errors } = setUp(
    { files_delete: "approved", files_raed: "denied" },
    { calls: ["files_delete"] },
  );
  await (
    await ada.send("c1")
  ).done;
  expect(called).toEqual(["delete"]);
  expect(errors.map(String)).toEqual([expect.stringContaining('"files_raed"')]);
});
