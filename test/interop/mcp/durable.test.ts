/** A turn that runs again has the tools that its MCP servers returned in the first list. */
import { expect, test } from "vitest";
import { type McpServer, createAgentTurn, elicitationTools } from "../../../src/agent/index.ts";
import { createMemoryRecords } from "../../../src/runtime/index.ts";
import { createMemoryCredentials } from "../../../src/connect/ports/credentials.ts";
import { systemClock } from "../../../src/base/clock.ts";
import { authenticateTestUser, createChatClient, readStream } from "../../stages/chat-client.ts";
import { createDurableEngine } from "../../stages/durable-engine.ts";
import { createMcpTracker } from "../../stages/mcp-tracker.ts";
import { type Step, createScriptedModel } from "../../stages/scripted-model.ts";
import { type TestRuntime, createTestRuntime } from "../../stages/test-runtime.ts";
import { serveV1 } from "./servers.ts";

function createProcesses(
  server: Pick<McpServer, "url" | "credentialScope" | "fetch">,
  steps: readonly Step[],
) {
  const engine = createDurableEngine();
  const records = createMemoryRecords();
  const credentials = createMemoryCredentials();
  const model = createScriptedModel(...steps);
  function startProcess() {
    const runner = engine.startProcess();
    const { waiter, stream } = engine;
    const runtime: TestRuntime = createTestRuntime(
      createAgentTurn({
        model,
        tools: elicitationTools(),
        mcpServers: [{ name: "srv", service: "Server", ...server }],
        credentials,
        connectUrl: "https://auth.example.com/auth/connect",
        requester: { name: "Demo" },
        onError: (error) => runtime.errors.push(error),
      }),
      { ports: { records, waiter, stream, runner, clock: systemClock }, authenticate: authenticateTestUser },
    );
    return { runner, runtime, ada: createChatClient(runtime.fetch, { user: "ada" }) };
  }
  const first = startProcess();
  return {
    ...first,
    credentials,
    toolsOffered: () => model.doStreamCalls.at(-1)?.tools?.map(({ name }) => name),
    /** The process dies, and another one continues the turn when the user agrees. */
    async continueElsewhere(elicitationId: string) {
      first.runner.die();
      const second = startProcess();
      const recovered = second.runner.recover();
      const stream = readStream(await second.ada.fetch("/run/api/chat/c1/stream"));
      await second.ada.answer("c1", { elicitationId, action: "accept", content: { answer: true } });
      await stream.done;
      await recovered;
      return { stream, errors: second.runtime.errors };
    },
  };
}

const CONFIRM: Step = { elicit_confirm: { question: "Go on?" } };
const isForm = ({ mode }: { mode: string }) => mode === "form";

test("a turn that runs again still has the tools that a server has added during a call", async () => {
  let isUnlocked = false;
  const { url } = await serveV1((server) => {
    const reply = async () => ({ content: [{ type: "text" as const, text: "opened" }] });
    if (isUnlocked) server.registerTool("open", {}, reply);
    server.registerTool("unlock", {}, async ({ sendNotification }) => {
      isUnlocked = true;
      await sendNotification({ method: "notifications/tools/list_changed" });
      return { content: [{ type: "text", text: "unlocked" }] };
    });
  });
  const { ada, toolsOffered, continueElsewhere } = createProcesses({ url, credentialScope: "none" }, [
    { srv_unlock: {} },
    CONFIRM,
    "Done.",
  ]);
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  expect(toolsOffered()).toContain("srv_open");
  isUnlocked = false;
  const { errors } = await continueElsewhere(elicitationId);
  expect(toolsOffered()).toContain("srv_open");
  expect(errors).toEqual([]);
});

test("a turn that runs again still has the tools that a server has shown after the user connected", async () => {
  const tracker = createMcpTracker({ listing: "closed" });
  const server = {
    url: "https://srv.example.com/mcp",
    credentialScope: "user" as const,
    fetch: tracker.fetch,
  };
  const { ada, runtime, credentials, toolsOffered, continueElsewhere } = createProcesses(server, [
    { srv: {} },
    CONFIRM,
    "Done.",
  ]);
  const stream = await ada.send("c1");
  const connect = await stream.request(0, ({ mode }) => mode === "url");
  tracker.accepted.add("ada-token");
  await runtime.elicitations.complete(connect.elicitationId, () =>
    credentials.set("srv", "ada", { accessToken: "ada-token" }),
  );
  const { elicitationId } = await stream.request(0, isForm);
  tracker.accepted.clear();
  const { stream: after, errors } = await continueElsewhere(elicitationId);
  expect(toolsOffered()).toContain("srv_create_issue");
  expect(after.chunks.filter(({ type }) => type === "tool-output-error")).toEqual([]);
  expect(errors).toEqual([]);
});
