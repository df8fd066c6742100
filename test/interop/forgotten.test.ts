import { TaskState } from "@a2a-js/sdk";
import { acceptedContent, inputRequired } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { z } from "zod";
import { createManualClock } from "../../src/base/testing/manual-clock.ts";
import { countHeld } from "../stages/garbage.ts";
import { serveAgent } from "./a2a/agents.ts";
import { serveV1, serveV2 } from "./mcp/servers.ts";
import { FORM } from "./recorded/questions.ts";
import { type RelayedChatOptions, createRelayedChat } from "./relayed-chat.ts";

const TURNS = 10;
const NAME = { type: "object" as const, properties: { name: { type: "string" as const } } };
const SERVER = { name: "srv", service: "Survey", credentialScope: "none" as const };
/** The last turn may still be in use. */
const MOST = 1;

type Peer = Pick<RelayedChatOptions, "mcpServers" | "a2aAgents" | "steps">;

const PEERS: readonly (readonly [name: string, serve: () => Promise<Peer>])[] = [
  ["an MCP server of 2025-11-25", async () => mcp(await askingV1())],
  ["an MCP server of 2026-07-28", async () => mcp(await askingV2())],
  [
    "an A2A agent",
    async () => {
      const { url } = await serveAgent(
        (task) => {
          if (task.isNew) return task.ask([{ elicitationId: "f1", mode: "form", ...FORM }]);
          task.status(TaskState.TASK_STATE_COMPLETED);
        },
        { transport: "JSONRPC", streaming: true },
      );
      return {
        a2aAgents: [{ name: "srv", service: "Survey", description: "Books trips.", url }],
        steps: [{ srv: { message: "Book" } }, "Done."],
      };
    },
  ],
];

test.for(PEERS)("turns with a question of %s leave nothing in memory", async ([, serve]) => {
  const peer = await serve();
  const turns: WeakRef<object>[] = [];
  async function turn(): Promise<void> {
    const chat = createRelayedChat({
      ...peer,
      clock: createManualClock(),
      runtime: { onTurnEnd: ({ messages }) => void turns.push(new WeakRef(messages)) },
    });
    const stream = await chat.send();
    await stream.request();
    await chat.answer(stream, "decline");
    await stream.done;
    expect(chat.errors).toEqual([]);
    await chat.runtime.close();
  }
  for (let count = 0; count < TURNS; count += 1) await turn();
  expect(turns).toHaveLength(TURNS);
  expect(await countHeld(turns)).toBeLessThanOrEqual(MOST);
});

function mcp({ url }: { url: string }): Peer {
  return { mcpServers: [{ ...SERVER, url }], steps: [{ srv_ask: {} }, "Done."] };
}

function askingV1() {
  return serveV1((server) => {
    server.registerTool("ask", {}, async (extra) => {
      const asked = { message: "Who?", requestedSchema: NAME };
      const result = await server.server.elicitInput(asked, { relatedRequestId: extra.requestId });
      return { content: [{ type: "text", text: result.action }] };
    });
  });
}

function askingV2() {
  return serveV2((server) => {
    server.registerTool("ask", { inputSchema: z.object({}) }, async (_, ctx) => {
      if (ctx.mcpReq.inputResponses !== undefined)
        return {
          content: [
            { type: "text", text: JSON.stringify(acceptedContent(ctx.mcpReq.inputResponses, "who")) ?? "" },
          ],
        };
      return inputRequired({
        inputRequests: { who: inputRequired.elicit({ message: "Who?", requestedSchema: NAME }) },
      });
    });
  }, "2026-07-28");
}
