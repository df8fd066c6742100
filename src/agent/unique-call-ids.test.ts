import { MockLanguageModelV4 } from "ai/test";
import { tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { createChatClient, readStream } from "../../test/stages/chat-client.ts";
import { createMemoryProcesses } from "../../test/stages/memory-processes.ts";
import { type Step, createScriptedModel, toolResultsSeen } from "../../test/stages/scripted-model.ts";
import { createTestRuntime } from "../../test/stages/test-runtime.ts";
import { type AgentTool, createAgentTurn } from "./index.ts";

/** A model that numbers its calls from zero in each answer: `call_0`, `call_1`, and so on. */
function createForgetfulModel(...steps: readonly Step[]): MockLanguageModelV4 {
  const model = createScriptedModel(...steps);
  return new MockLanguageModelV4({
    async doStream(options) {
      const { stream } = await model.doStream(options);
      let calls = 0;
      return {
        stream: stream.pipeThrough(
          new TransformStream({
            transform(part, controller) {
              controller.enqueue(
                part.type === "tool-call" ? { ...part, toolCallId: `call_${calls++}` } : part,
              );
            },
          }),
        ),
      };
    },
  });
}

const ask: AgentTool = ({ elicitor, turn }) =>
  tool({
    inputSchema: z.object({ what: z.string() }),
    async execute({ what }, { toolCallId }) {
      const answered = await elicitor(toolCallId).text(`Which ${what}?`);
      return turn.runner.step("book", async () =>
        answered.outcome === "accepted" ? `${what} ${answered.value}` : answered.outcome,
      );
    },
  });

const STEPS: readonly Step[] = [
  { "ask#1": { what: "city" }, "ask#2": { what: "date" } },
  { ask: { what: "hotel" } },
  "Have a nice trip.",
];
const ANSWERS: Readonly<Record<string, string>> = {
  "Which city?": "Rome",
  "Which date?": "Monday",
  "Which hotel?": "Ritz",
};

function createAgent() {
  const model = createForgetfulModel(...STEPS);
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  return {
    model,
    errors,
    runTurn: createAgentTurn({ model, tools: { ask }, requester: { name: "Demo" }, onError }),
  };
}

const text = (value: string) => ({ type: "text", value });

test("when a provider reuses the ids of calls, each call is shown, can ask, and returns its own result", async () => {
  const { model, errors, runTurn } = createAgent();
  const ada = createChatClient(createTestRuntime(runTurn).fetch, { user: "ada" });
  const stream = await ada.send("c1");
  for (const message of Object.keys(ANSWERS)) {
    const request = await stream.request(0, (asked) => asked.message === message);
    await ada.answer("c1", { ...request, action: "accept", content: { answer: ANSWERS[message] } });
  }
  await stream.done;
  expect(stream.chunks.filter(({ type }) => type === "tool-output-available")).toMatchObject([
    { toolCallId: "call_0", output: "city Rome" },
    { toolCallId: "call_1", output: "date Monday" },
    { toolCallId: "call_0_2", output: "hotel Ritz" },
  ]);
  expect(toolResultsSeen(model)).toEqual(["city Rome", "date Monday", "hotel Ritz"].map(text));
  expect(errors).toEqual([]);
});

test("when a turn with reused ids runs again, each call gets its own record and its own answer", async () => {
  const { model, errors, runTurn } = createAgent();
  const startProcess = createMemoryProcesses();
  let process = startProcess(runTurn);
  let stream = await process.ada.send("c1");
  const recoveries: Promise<void>[] = [];
  for (const message of Object.keys(ANSWERS)) {
    const request = await stream.request(0, (asked) => asked.message === message);
    process.runner.die();
    process = startProcess(runTurn);
    recoveries.push(process.runner.recover());
    stream = readStream(await process.ada.fetch("/run/api/chat/c1/stream"));
    await process.ada.answer("c1", { ...request, action: "accept", content: { answer: ANSWERS[message] } });
  }
  await stream.done;
  expect(stream.chunks.filter(({ type }) => type === "tool-output-available")).toMatchObject([
    { toolCallId: "call_0", output: "city Rome" },
    { toolCallId: "call_1", output: "date Monday" },
    { toolCallId: "call_0_2", output: "hotel Ritz" },
  ]);
  expect(toolResultsSeen(model)).toEqual(["city Rome", "date Monday", "hotel Ritz"].map(text));
  expect(errors).toEqual([]);
});
