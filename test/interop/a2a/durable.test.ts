import { TaskState } from "@a2a-js/sdk";
import { InMemoryTaskStore } from "@a2a-js/sdk/server";
import { expect, test } from "vitest";
import { readAnswers } from "../../../src/a2a/wire/translate.ts";
import { createAgentTurn, elicitationTools } from "../../../src/agent/index.ts";
import type { A2aAgent } from "../../../src/agent/a2a/a2a-agent.ts";
import { createMemoryRecords } from "../../../src/runtime/index.ts";
import { createMemoryCredentials } from "../../../src/connect/ports/credentials.ts";
import { systemClock } from "../../../src/base/clock.ts";
import { authenticateTestUser, createChatClient, readStream } from "../../stages/chat-client.ts";
import { createDurableEngine } from "../../stages/durable-engine.ts";
import { type Step, createScriptedModel, toolResultsSeen } from "../../stages/scripted-model.ts";
import { type TestRuntime, createTestRuntime } from "../../stages/test-runtime.ts";
import { CONTENT, FORM } from "../recorded/questions.ts";
import { type Script, serveAgent } from "./agents.ts";
import { BOOK } from "./chat.ts";

const askThenBook: Script = (task) => {
  if (task.isNew) return task.ask([{ elicitationId: "f1", mode: "form", ...FORM }]);
  task.artifact("Booked");
  task.status(TaskState.TASK_STATE_COMPLETED);
};

/** Processes whose agent calls another agent, on the ports of an engine that survives them. */
function createProcesses(agent: Pick<A2aAgent, "url" | "credentialScope">, steps: readonly Step[] = BOOK) {
  const engine = createDurableEngine();
  const records = createMemoryRecords();
  const credentials = createMemoryCredentials();
  const model = createScriptedModel(...steps);
  function startProcess() {
    const runner = engine.startProcess();
    const runtime: TestRuntime = createTestRuntime(
      createAgentTurn({
        model,
        tools: elicitationTools(),
        a2aAgents: [{ name: "travel", service: "Travel", description: "Books trips.", ...agent }],
        credentials,
        connectUrl: "https://auth.example.com/auth/connect",
        requester: { name: "Demo" },
        onError: (error) => runtime.errors.push(error),
      }),
      {
        ports: { records, waiter: engine.waiter, stream: engine.stream, runner, clock: systemClock },
        authenticate: authenticateTestUser,
      },
    );
    return { runner, runtime, ada: createChatClient(runtime.fetch, { user: "ada" }) };
  }
  return { model, credentials, startProcess };
}

const CRASHES = [
  ["after a crash, another process continues the turn with the same task and the same card", false],
  ["after a crash of both, ours and the agent's, they continue with the same task and the same card", true],
] as const;

test.each(CRASHES)("after a crash: %s", async (_, agentCrashes) => {
  const store = new InMemoryTaskStore();
  let agent = await serveAgent(askThenBook, { store });
  const { url, messages: started } = agent;
  const { model, startProcess } = createProcesses({ url });
  const first = startProcess();
  const stream = await first.ada.send("c1");
  const asked = await stream.request();
  first.runner.die();
  if (agentCrashes) {
    await agent.crash();
    agent = await serveAgent(askThenBook, { store, port: Number(new URL(url).port) });
  }

  const second = startProcess();
  const recovered = second.runner.recover();
  const again = readStream(await second.ada.fetch("/run/api/chat/c1/stream"));
  expect((await again.request()).elicitationId).toBe(asked.elicitationId);
  const answer = { elicitationId: asked.elicitationId, action: "accept", content: CONTENT };
  expect((await second.ada.answer("c1", answer)).status).toBe(200);
  await again.done;
  await recovered;
  expect(JSON.stringify(toolResultsSeen(model))).toContain("Booked");
  // The agent got two messages: the task, and one answer.
  const messages = agentCrashes ? [...started, ...agent.messages] : agent.messages;
  expect(messages).toHaveLength(2);
  expect(readAnswers(messages[1] ?? {})).toMatchObject({
    value: [{ action: "accept", content: CONTENT }],
  });
  expect(agent.cancelled).toEqual([]);
  expect(second.runtime.errors).toEqual([]);
});

test("after a crash, a turn in which the user has connected an account continues with the same task and the same card", async () => {
  const agent = await serveAgent(askThenBook, {
    intercept({ path, headers }, response, next) {
      const isRefused = path.startsWith("/rpc") && headers.authorization !== "Bearer token-1234";
      if (isRefused) response.status(401).set("www-authenticate", "Bearer").end();
      else next();
    },
  });
  const { model, credentials, startProcess } = createProcesses({ url: agent.url, credentialScope: "user" });
  const first = startProcess();
  const stream = await first.ada.send("c1");
  const connect = await stream.request(0, ({ mode }) => mode === "url");
  await credentials.set("travel", "ada", { accessToken: "token-1234" });
  await first.runtime.elicitations.complete(connect.elicitationId);
  const asked = await stream.request(0, ({ mode }) => mode === "form");
  first.runner.die();

  const second = startProcess();
  const recovered = second.runner.recover();
  const again = readStream(await second.ada.fetch("/run/api/chat/c1/stream"));
  expect((await again.request(0, ({ mode }) => mode === "form")).elicitationId).toBe(asked.elicitationId);
  await second.ada.answer("c1", { elicitationId: asked.elicitationId, action: "accept", content: CONTENT });
  await again.done;
  await recovered;
  expect(JSON.stringify(toolResultsSeen(model))).toContain("Booked");
  expect(agent.messages).toHaveLength(2);
  const cards = again.chunks.filter(({ type }) => type === "data-elicitation-request").map(({ id }) => id);
  expect(new Set(cards)).toEqual(new Set([connect.elicitationId, asked.elicitationId]));
  expect(second.runtime.errors).toEqual([]);
});

test("after a crash, a later call in the turn continues the conversation with the agent", async () => {
  const agent = await serveAgent((task) => {
    task.artifact("Booked");
    task.status(TaskState.TASK_STATE_COMPLETED);
  });
  const { startProcess } = createProcesses({ url: agent.url }, [
    { travel: { message: "Book Rome" } },
    { elicit_confirm: { question: "And Oslo?" } },
    { travel: { message: "Book Oslo" } },
    "Booked.",
  ]);
  const first = startProcess();
  const asked = await (await first.ada.send("c1")).request();
  first.runner.die();

  const second = startProcess();
  const recovered = second.runner.recover();
  const again = readStream(await second.ada.fetch("/run/api/chat/c1/stream"));
  await second.ada.answer("c1", { ...asked, action: "accept", content: { answer: true } });
  await again.done;
  await recovered;
  const contexts = agent.messages.map(({ contextId }) => contextId);
  expect(contexts).toHaveLength(2);
  // The agent's SDK puts the id of a new conversation into its first message.
  expect(contexts[1]).toBe(contexts[0]);
  expect(second.runtime.errors).toEqual([]);
});
