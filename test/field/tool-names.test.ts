/** Names of tools that some model providers refuse. */
import { expect } from "vitest";
import { createAgentTurn, inspectMcpServer } from "../../src/agent/index.ts";
import { createMemoryCredentials } from "../../src/connect/ports/credentials.ts";
import { createChatClient } from "../stages/chat-client.ts";
import { type Step, createScriptedModel, toolResultsSeen } from "../stages/scripted-model.ts";
import { createTestRuntime } from "../stages/test-runtime.ts";
import { handleV2 } from "../interop/mcp/servers.ts";
import { fieldCase } from "./field-case.ts";

/** The strictest rule of a provider. */
const ACCEPTED = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;
const LONG = "a_tool_with_a_name_of_sixty_characters_which_is_very_long_x";

/** A turn in which the agent has the servers, and the credentials that their calls had. */
async function turnWith(servers: readonly string[], ...steps: readonly Step[]) {
  const sent: (string | null)[] = [];
  const handle = handleV2((server) => {
    for (const name of ["list_items", LONG]) {
      server.registerTool(name, {}, () => ({ content: [{ type: "text", text: `The result of ${name}.` }] }));
    }
  }, "2026-07-28");
  const credentials = createMemoryCredentials();
  for (const name of servers) await credentials.set(name, "ada", { accessToken: `token-of-${name}` });
  const model = createScriptedModel(...steps, "Done.");
  const errors: unknown[] = [];
  const runTurn = createAgentTurn({
    model,
    credentials,
    connectUrl: "https://auth.example.com/auth/connect",
    mcpServers: servers.map((name) => ({
      name,
      url: "https://srv.example/mcp",
      service: name,
      credentialScope: "user",
      fetch: async (input, init) => {
        const request = new Request(input, init);
        sent.push(request.headers.get("authorization"));
        return handle(request);
      },
    })),
    requester: { name: "Demo agent" },
    onError: (error) => errors.push(error),
  });
  await (
    await createChatClient(createTestRuntime(runTurn).fetch, { user: "ada" }).send("c1")
  ).done;
  const names = model.doStreamCalls[0]?.tools?.map(({ name }) => name) ?? [];
  return { names, results: toolResultsSeen(model), sent: new Set(sent), errors };
}

fieldCase(
  {
    sources: [
      "diegosouzapw/OmniRoute#13715",
      "NoeFabris/opencode-antigravity-auth#280",
      "cline/cline#7339",
      "QwenLM/qwen-code#6970",
    ],
    before: "failed",
  },
  "the tools of a server whose name begins with a digit have names that each model provider accepts",
  async () => {
    const found = await inspectMcpServer("https://1password.example/mcp", {
      fetch: async () => new Response(null, { status: 401 }),
    });
    const name = found.ok ? found.server.name : "";
    const { names, results, sent, errors } = await turnWith([name, "-a", "_b", "c"], {
      [`s_${name}_list_items`]: {},
    });
    expect(names).toHaveLength(8);
    expect(names.filter((one) => !ACCEPTED.test(one))).toEqual([]);
    expect(names).toContain("c_list_items");
    expect(results).toEqual([{ type: "text", value: "The result of list_items." }]);
    // Credentials stay where they are: under the name of the server.
    expect(sent).toContain(`Bearer token-of-${name}`);
    expect(errors).toEqual([]);
  },
);
