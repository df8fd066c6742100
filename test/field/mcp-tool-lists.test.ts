/** Lists of tools that the specification of MCP does not allow. */
import { expect } from "vitest";
import { createAgentTurn } from "../../src/agent/index.ts";
import { isObject } from "../../src/contract/json.ts";
import { createChatClient } from "../stages/chat-client.ts";
import { createScriptedModel } from "../stages/scripted-model.ts";
import { createTestRuntime } from "../stages/test-runtime.ts";
import { fieldCase } from "./field-case.ts";

const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
const GOOD = { name: "good", inputSchema: { type: "object", properties: { city: { type: "string" } } } };

/** What the model and the operator get of a server with this list, by the names of the tools. */
async function listed(list: Readonly<Record<string, unknown>>, revision: (typeof REVISIONS)[number]) {
  const isNewest = revision === "2026-07-28";
  const about = { capabilities: { tools: {} }, serverInfo: { name: "files", version: "1" } };
  const cached = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
  const results: Readonly<Record<string, unknown>> = {
    ...(isNewest
      ? { "server/discover": { ...cached, ...about, supportedVersions: [revision] } }
      : { initialize: { ...about, protocolVersion: revision } }),
    "tools/list": { ...(isNewest && cached), ...list },
  };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const message: unknown = request.method === "POST" ? await request.json() : undefined;
    if (!isObject(message)) return new Response(null, { status: 405 });
    const { id, method } = message;
    if (id === undefined) return new Response(null, { status: 202 });
    const result = results[String(method)];
    const error = { code: -32601, message: "Method not found" };
    return Response.json({ jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) });
  };
  const errors: unknown[] = [];
  const model = createScriptedModel("Done.");
  const runTurn = createAgentTurn({
    model,
    mcpServers: [
      { name: "files", url: "https://files.example/mcp", service: "Files", credentialScope: "none", fetch },
    ],
    requester: { name: "Demo agent" },
    onError: (error) => errors.push(error),
  });
  await (
    await createChatClient(createTestRuntime(runTurn).fetch, { user: "ada" }).send("c1")
  ).done;
  const tools = (model.doStreamCalls[0]?.tools ?? []).map(
    (tool) =>
      [
        tool.name.replace("files_", ""),
        tool.type === "function" ? { ...tool.inputSchema } : undefined,
      ] as const,
  );
  return { tools: Object.fromEntries(tools), errors: errors.map(String) };
}

fieldCase(
  {
    sources: ["anthropics/claude-code#88049", "ThinkInAIXYZ/deepchat#2075", "google-gemini/gemini-cli#23382"],
    before: "failed",
  },
  "a tool whose schema is no object is left out and reported by its name, and the model gets the others",
  async () => {
    for (const revision of REVISIONS) {
      const odd = [
        { name: "text", inputSchema: { type: "string" } },
        { name: "true", inputSchema: true },
        { name: "properties", inputSchema: { type: "object", properties: ["a"] } },
        { name: "required", inputSchema: { type: "object", required: "a" } },
        { inputSchema: { type: "object" } },
        "no tool",
      ];
      const { tools, errors } = await listed({ tools: [...odd, GOOD] }, revision);
      expect(tools).toEqual({ good: GOOD.inputSchema });
      expect(errors).toEqual([expect.stringContaining("Files lists 6 of 7 tools")]);
      expect(errors[0]).toContain("text, true, properties, required");
    }
  },
);

fieldCase(
  {
    sources: ["anthropics/claude-code#88049", "opentokenz/mcpx#28", "anthropics/claude-code#25081"],
    before: "failed",
  },
  "a tool stays although something of it is missing or malformed that a call does not need",
  async () => {
    const odd = [
      { name: "untyped", inputSchema: { properties: { city: { type: "string" } } } },
      { name: "nullable", inputSchema: { type: ["object", "null"] } },
      { name: "without", description: null, annotations: { title: 1, readOnlyHint: "yes" } },
      { name: "php", inputSchema: { type: "object", properties: [], required: null, $schema: null } },
      {
        name: "output",
        inputSchema: { type: "object" },
        outputSchema: { type: "array" },
        icons: "x",
        _meta: 1,
      },
    ];
    for (const revision of REVISIONS) {
      const { tools, errors } = await listed({ tools: [...odd, GOOD], nextCursor: null }, revision);
      expect(tools).toEqual({
        untyped: { type: "object", properties: { city: { type: "string" } } },
        nullable: { type: "object" },
        without: { type: "object" },
        php: { type: "object" },
        output: { type: "object" },
        good: GOOD.inputSchema,
      });
      expect(errors).toEqual([]);
    }
  },
);

fieldCase(
  {
    sources: [
      "anthropics/claude-code#88049",
      "anthropics/claude-code#95504",
      "evoila/meho#905",
      "zereight/gitlab-mcp#550",
    ],
    before: "failed",
  },
  "a tool whose schema has choices at its root reaches the model with the properties of all choices",
  async () => {
    const byId = { type: "object", properties: { kind: { const: "id" }, id: { type: "string" } } };
    const byName = { type: "object", properties: { kind: { const: "name" }, name: { type: "string" } } };
    const inputSchema = {
      properties: { dry: { type: "boolean" } },
      required: ["dry"],
      oneOf: [{ ...byId, required: ["kind", "id"] }, { $ref: "#/$defs/byName" }],
      allOf: [
        { required: ["reason"], properties: { reason: { type: "string" } } },
        { if: {}, else: {} },
      ],
      $defs: { byName: { ...byName, required: ["kind", "name"] } },
    };
    const itself = { $ref: "#/$defs/node", $defs: { node: { anyOf: [{ $ref: "#/$defs/node" }, byId] } } };
    const nothing = { anyOf: [{}, 1], allOf: 2 };
    const elsewhere = { anyOf: [{ $ref: "https://x.example" }, byId] };
    for (const revision of REVISIONS) {
      const { tools, errors } = await listed(
        {
          tools: [
            { name: "find", inputSchema },
            { name: "typed", inputSchema: { ...inputSchema, type: "object" } },
            { name: "itself", inputSchema: itself },
            { name: "nothing", inputSchema: nothing },
            { name: "elsewhere", inputSchema: elsewhere },
          ],
        },
        revision,
      );
      expect(tools).toEqual({
        find: {
          type: "object",
          properties: {
            dry: { type: "boolean" },
            reason: { type: "string" },
            kind: { anyOf: [{ const: "id" }, { const: "name" }] },
            id: { type: "string" },
            name: { type: "string" },
          },
          required: ["dry", "reason", "kind"],
          $defs: inputSchema.$defs,
        },
        typed: tools["find"],
        itself: { type: "object", properties: byId.properties, $defs: itself.$defs },
        nothing: { type: "object", properties: {} },
      });
      expect(errors).toEqual([expect.stringContaining("Files lists 1 of 5 tools")]);
      expect(errors[0]).toContain("elsewhere");
    }
  },
);
