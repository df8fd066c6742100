import { ElicitationRequestSchema, createMCPClient } from "@ai-sdk/mcp";
import { inputRequired, inputResponse } from "@modelcontextprotocol/server";
import { UrlElicitationRequiredError } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { z } from "zod";
import { elicitationHandler, withRequiredPages } from "../../../src/agent/index.ts";
import { createChatClient } from "../../stages/chat-client.ts";
import { createTestRuntime, text } from "../../stages/test-runtime.ts";
import { type ServedMcp, serveV1, serveV2 } from "./servers.ts";

const CRM = { name: "crm", service: "CRM" };
const FORM = { type: "object" as const, properties: { name: { type: "string" as const } } };

/** A turn that calls the tool `ask` with the client of the AI SDK. */
async function turnOn({ url }: ServedMcp) {
  const runtime = createTestRuntime(async function* run(turn) {
    const client = await createMCPClient({
      transport: { type: "http", url },
      capabilities: { elicitation: {} },
    });
    client.onElicitationRequest(ElicitationRequestSchema, elicitationHandler(turn, CRM));
    const { ask } = await client.tools();
    const result = await withRequiredPages(turn, CRM, async () =>
      ask?.execute({}, { toolCallId: "call", messages: [], context: {} }),
    );
    await client.close();
    yield* text(JSON.stringify(result));
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  return { runtime, ada, stream: await ada.send("c1") };
}

test.each(["2025-11-25", "2026-07-28"] as const)(
  "a client of @ai-sdk/mcp answers a form in %s",
  async (revision) => {
    const served = await serveV2((server) => {
      server.registerTool("ask", { inputSchema: z.object({}) }, async (_, ctx) => {
        const answer = inputResponse(ctx.mcpReq.inputResponses, "who");
        if (answer.kind === "elicit") return { content: [{ type: "text", text: JSON.stringify(answer) }] };
        return inputRequired({
          inputRequests: { who: inputRequired.elicit({ message: "Who?", requestedSchema: FORM }) },
        });
      });
    }, revision);
    const { ada, stream } = await turnOn(served);
    const { elicitationId, requester } = await stream.request();
    expect(requester).toEqual({ name: "CRM" });
    await ada.answer("c1", { elicitationId, action: "accept", content: { name: "Ada" } });
    await stream.done;
    expect(JSON.stringify(stream.chunks)).toContain("Ada");
  },
);

test("a call that needs a page first (-32042) is repeated when the user has finished the page", async () => {
  let calls = 0;
  const served = await serveV1((server) => {
    server.registerTool("ask", {}, async () => {
      calls += 1;
      if (calls > 1) return { content: [{ type: "text", text: "paid" }] };
      const url = "https://pay.example.com";
      throw new UrlElicitationRequiredError([{ mode: "url", message: "Pay", url, elicitationId: "e1" }]);
    });
  });
  const { ada, stream } = await turnOn(served);
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "accept" });
  await ada.answer("c1", { elicitationId, action: "accept" });
  await stream.done;
  expect(JSON.stringify(stream.chunks)).toContain("paid");
  expect(calls).toBe(2);
});
