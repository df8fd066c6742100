import fc from "fast-check";
import { expect, test } from "vitest";
import { createMemoryCredentials } from "../../../src/runtime/core/index.ts";
import { createAgentTurn } from "../../../src/runtime/agent/index.ts";
import { createChatClient } from "../../../src/runtime/testing/chat-client.ts";
import { createScriptedModel } from "../../../src/runtime/testing/scripted-model.ts";
import { createTestRuntime } from "../../../src/runtime/testing/test-runtime.ts";
import { serveV1, serveV2 } from "./servers.ts";
import { inputRequired, inputResponse } from "@modelcontextprotocol/server";
import { z } from "zod";

/** `npm run test:long` sets 10,000. */
const RUNS = Number(process.env["FC_RUNS"] ?? 20);

const CODE = {
  type: "object" as const,
  properties: { code: { type: "string" as const } },
  required: ["code"],
};
const CALLS = 2;
const chats = ["ada/c1", "ada/c2", "bob/c1"] as const;

/** What each call was told, by the label that it was called with. */
type Heard = Map<string, unknown>;

/** One server for everybody. Every call asks for the code of its own label, and says what it heard. */
function serverOf(revision: "2025-11-25" | "2026-07-28", heard: Heard) {
  const inputSchema = { label: z.string() };
  const said = (label: string, content: unknown) => {
    heard.set(label, content);
    return { content: [{ type: "text" as const, text: label }] };
  };
  if (revision === "2025-11-25") {
    return serveV1((server) => {
      server.registerTool("ask", { inputSchema }, async ({ label }, extra) => {
        const answer = await server.server.elicitInput(
          { message: label, requestedSchema: CODE },
          { relatedRequestId: extra.requestId },
        );
        return said(label, answer.content);
      });
    });
  }
  return serveV2((server) => {
    server.registerTool("ask", { inputSchema: z.object(inputSchema) }, async ({ label }, ctx) => {
      const answer = inputResponse(ctx.mcpReq.inputResponses, "code");
      if (answer.kind === "elicit") return said(label, answer.content);
      return inputRequired({
        inputRequests: { code: inputRequired.elicit({ message: label, requestedSchema: CODE }) },
      });
    });
  }, revision);
}

test.each(["2025-11-25", "2026-07-28"] as const)(
  "two people, two conversations, parallel calls to one %s server: every answer reaches the call that asked",
  { timeout: 60_000 + RUNS * 2000 },
  async (revision) => {
    const heard: Heard = new Map();
    const { url } = await serverOf(revision, heard);
    let run = 0;

    const order = fc.shuffledSubarray(
      chats.flatMap((chat) => Array.from({ length: CALLS }, (_, call) => `${chat}/${call}`)),
      { minLength: chats.length * CALLS },
    );
    await fc.assert(
      fc.asyncProperty(order, async (answering) => {
        run += 1;
        heard.clear();
        const runtime = createTestRuntime((turn) => {
          const prefix = `${run}/${turn.user?.id}/${turn.conversationId}`;
          const calls = Array.from({ length: CALLS }, (_, call) => [
            `srv_ask#${call}`,
            { label: `${prefix}/${call}` },
          ]);
          return createAgentTurn({
            model: createScriptedModel(Object.fromEntries(calls), "Done."),
            mcpServers: [{ name: "srv", url, service: "Survey", credentialScope: "none" }],
            credentials: createMemoryCredentials(),
            connectUrl: "https://auth.example.com/auth/connect",
            requester: { name: "Demo agent" },
            onError: (error) => runtime.errors.push(error),
          })(turn);
        });
        const open = await Promise.all(
          chats.map(async (chat) => {
            const [user = "", conversationId = ""] = chat.split("/");
            const client = createChatClient(runtime.fetch, { user });
            return { chat, conversationId, client, stream: await client.send(conversationId) };
          }),
        );
        for (const label of answering) {
          const place = open.find(({ chat }) => label.startsWith(`${chat}/`));
          if (place === undefined) throw new Error(label);
          const { elicitationId } = await place.stream.request(
            0,
            ({ message }) => message === `${run}/${label}`,
          );
          const content = { code: `code of ${run}/${label}` };
          void place.client.answer(place.conversationId, { elicitationId, action: "accept", content });
        }
        await Promise.all(open.map(({ stream }) => stream.done));
        const expected = answering.map((label) => [`${run}/${label}`, { code: `code of ${run}/${label}` }]);
        expect(Object.fromEntries(heard)).toEqual(Object.fromEntries(expected));
        expect(runtime.errors).toEqual([]);
        await runtime.close();
      }),
      { numRuns: RUNS },
    );
  },
);
