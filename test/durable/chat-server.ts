/**
 * A runtime with durable turns whose streams end after 400 ms. Its agent asks for a city. The process dies in the middle
 * of the model's first reply to the answer. Its arguments: the connection string, and `sweepMs`.
 */
import { tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { Client } from "pg";
import { z } from "zod";
import { type AgentTool, createAgentTurn } from "../../src/agent/index.ts";
import { createRuntime } from "../../src/runtime/index.ts";
import { serve } from "../../src/node/index.ts";
import { createDurablePorts } from "../stages/durable-ports.ts";
import { authenticateTestUser } from "../stages/chat-client.ts";
import { createScriptedModel } from "../stages/scripted-model.ts";

const [, , connectionString = "", sweepMs] = process.argv;
const calls = new Client(connectionString);
await calls.connect();

const ask: AgentTool = ({ elicitor }) =>
  tool({
    inputSchema: z.object({}),
    execute: async (_, { toolCallId }) => (await elicitor(toolCallId).text("Which city?")).outcome,
  });

const model = new MockLanguageModelV4({
  async doStream(options) {
    if (!options.prompt.some(({ role }) => role === "tool")) {
      return createScriptedModel({ ask: {} }).doStream(options);
    }
    const { rows } = await calls.query("insert into calls default values returning id");
    if (rows[0].id > 1) return createScriptedModel("It is sunny.").doStream(options);
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue({ type: "stream-start", warnings: [] });
        controller.enqueue({ type: "text-start", id: "t1" });
        controller.enqueue({ type: "text-delta", id: "t1", delta: "The weather in Ro" });
      },
    });
    return { stream };
  },
});

const ports = await createDurablePorts({
  connectionString,
  sweepMs: Number(sweepMs),
  retryForMs: 5000,
  onError: console.error,
});
const runtime = createRuntime({
  ports,
  platform: { maxStreamMs: 400 },
  authenticate: authenticateTestUser,
  allowedOrigins: ["https://chat.example.com"],
  answerKey: Buffer.alloc(32, 1),
  onError: console.error,
  runTurn: createAgentTurn({
    model,
    tools: { ask },
    requester: { name: "Demo" },
    onError: console.error,
  }),
});
const server = await serve({ fetch: runtime.fetch });
console.log(server.url);
