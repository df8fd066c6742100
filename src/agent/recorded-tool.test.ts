import { tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { ElicitorError } from "../runtime/index.ts";
import { createChatClient } from "../../test/stages/chat-client.ts";
import { createScriptedModel } from "../../test/stages/scripted-model.ts";
import { createTestRuntime } from "../../test/stages/test-runtime.ts";
import { type AgentTool, createAgentTurn } from "./index.ts";

/** Asks for two seats in parallel, with the same message. */
const twice: AgentTool = ({ elicitor }) =>
  tool({
    inputSchema: z.object({}),
    execute: async (_, { toolCallId }) => {
      const seats = [1, 2].map(() => elicitor(toolCallId).confirm("A window seat?"));
      const results = await Promise.all(seats);
      return results.map(({ outcome }) => outcome).join();
    },
  });

test("the operator's log has the error of a tool that asks the same question twice without keys", async () => {
  const errors: unknown[] = [];
  const runTurn = createAgentTurn({
    model: createScriptedModel({ twice: {} }, "Sorry"),
    tools: { twice },
    requester: { name: "Demo agent" },
    onError: (error) => errors.push(error),
  });
  const stream = await createChatClient(createTestRuntime(runTurn).fetch, { user: "ada" }).send("c1");
  await stream.done;
  expect(errors).toEqual([expect.any(ElicitorError)]);
  expect(String(errors[0])).toContain('a call of "twice" asks the same question more than once');
});
