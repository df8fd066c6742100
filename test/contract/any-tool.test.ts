import { readFileSync } from "node:fs";
import { createAgentTurn } from "elicit-kit/agent";
import { createMemoryCredentials } from "elicit-kit/connect";
import { describe, expect, it } from "vitest";
import { listRepositories } from "../../docs/examples/github-repos.ts";
import { createChatClient } from "../stages/chat-client.ts";
import { noErrors } from "../stages/no-errors.ts";
import { createScriptedModel, toolResultsSeen } from "../stages/scripted-model.ts";
import { createTestRuntime } from "../stages/test-runtime.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

describe("docs/accounts/any-tool.md", () => {
  it("contains its example unchanged", () => {
    const example = "docs/examples/github-repos.ts";
    expect(read("docs/accounts/any-tool.md")).toContain(`\`\`\`ts\n// ${example}\n${read(example)}\`\`\``);
  });

  it("contains a tool that asks for the account, waits for it, and lists its data, in one call", async () => {
    const calls: { url: string; token: string | null }[] = [];
    const credentials = createMemoryCredentials();
    const model = createScriptedModel({ list_repositories: {} }, "Here they are.");
    const runtime = createTestRuntime((turn) => runTurn(turn));
    const runTurn = createAgentTurn({
      model,
      tools: { list_repositories: listRepositories },
      accounts: {
        github: {
          service: "GitHub",
          api: "https://api.github.com",
          fetch: async (input, init) => {
            const { url, headers } = new Request(input, init);
            calls.push({ url, token: headers.get("authorization") });
            return Response.json([{ full_name: "ada/engine" }, { full_name: "ada/notes" }]);
          },
        },
      },
      credentials,
      connectUrl: "https://auth.example.com/auth/connect",
      requester: { name: "Your assistant" },
      clock: runtime.clock,
      onError: noErrors(),
    });
    const stream = await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
    const request = await stream.request();
    expect(request).toMatchObject({ mode: "url", service: { name: "GitHub" } });
    await runtime.elicitations.complete(request.elicitationId, () =>
      credentials.set("github", "ada", { accessToken: "gho_1" }),
    );
    await stream.done;
    expect(calls).toEqual([
      { url: "https://api.github.com/user/repos?sort=updated&per_page=20", token: "Bearer gho_1" },
    ]);
    expect(JSON.stringify(toolResultsSeen(model))).toContain("ada/engine");
    expect(JSON.stringify(model)).not.toContain("gho_1");
  });
});
