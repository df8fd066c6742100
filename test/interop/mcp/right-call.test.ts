import fc from "fast-check";
import { expect, test } from "vitest";
import { createAgentTurn } from "../../../src/agent/index.ts";
import { patience } from "../../patience.ts";
import { createChatClient } from "../../stages/chat-client.ts";
import { createScriptedModel } from "../../stages/scripted-model.ts";
import { createTestRuntime } from "../../stages/test-runtime.ts";
import { handleV1, handleV2 } from "./servers.ts";
import { inputRequired, inputResponse } from "@modelcontextprotocol/server";
import { z } from "zod";

/** The number of orders in which answers arrive. `npm run test:long` sets 10,000. */
const ORDERS = Number(process.env["FC_RUNS"] ?? 20);

const CODE = {
  type: "object" as const,
  properties: { code: { type: "string" as const } },
  required: ["code"],
};
const CALLS = 2;
const chats = ["ada/c1", "ada/c2", "bob/c1"] as const;
const calls = chats.flatMap((chat) => Array.from({ length: CALLS }, (_, call) => `${chat}/${call}`));
/** How often each call asks, which is the maximum of MCP 2026. In each round the answers arrive in another order. */
const ROUNDS = 10;

/** The answer that each call got, by its label and round. */
type Heard = Map<string, unknown>;

/**
 * One server on an official SDK for all users, without a socket. Every call asks repeatedly for the code of its own
 * label, and returns the answers.
 */
function serverOf(revision: "2025-11-25" | "2026-07-28", heard: Heard) {
  const inputSchema = { label: z.string() };
  const said = (text: string) => ({ content: [{ type: "text" as const, text }] });
  if (revision === "2025-11-25") {
    return handleV1((server) => {
      server.registerTool("ask", { inputSchema }, async ({ label }, extra) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const message = `${label}/${round}`;
          const question = { message, requestedSchema: CODE };
          const answer = await server.server.elicitInput(question, { relatedRequestId: extra.requestId });
          heard.set(message, answer.content);
        }
        return said(label);
      });
    });
  }
  return handleV2((server) => {
    server.registerTool("ask", { inputSchema: z.object(inputSchema) }, async ({ label }, ctx) => {
      const asked = Number(ctx.mcpReq.requestState<string>() ?? -1);
      const answer = inputResponse(ctx.mcpReq.inputResponses, "code");
      if (answer.kind === "elicit") heard.set(`${label}/${asked}`, answer.content);
      const round = asked + 1;
      if (round === ROUNDS) return said(label);
      const code = inputRequired.elicit({ message: `${label}/${round}`, requestedSchema: CODE });
      return inputRequired({ inputRequests: { code }, requestState: String(round) });
    });
  }, revision);
}

test.each(["2025-11-25", "2026-07-28"] as const)(
  "every answer reaches the call of the %s server that asked, with two users, two conversations and parallel calls",
  { timeout: patience.testTimeout + ORDERS * 500 },
  async (revision) => {
    const heard: Heard = new Map();
    const handle = serverOf(revision, heard);
    const fetch: typeof globalThis.fetch = (input, init) => handle(new Request(input, init));
    const server = { name: "srv", url: "https://survey.example.com/mcp", service: "Survey", fetch };
    let run = 0;

    const order = fc.shuffledSubarray(calls, { minLength: calls.length });
    const orders = fc.array(order, { minLength: ROUNDS, maxLength: ROUNDS });
    await fc.assert(
      fc.asyncProperty(orders, async (answering) => {
        run += 1;
        heard.clear();
        const runtime = createTestRuntime((turn) => {
          const prefix = `${run}/${turn.user?.id}/${turn.conversationId}`;
          const steps = Array.from({ length: CALLS }, (_, call) => [
            `srv_ask#${call}`,
            { label: `${prefix}/${call}` },
          ]);
          return createAgentTurn({
            model: createScriptedModel(Object.fromEntries(steps), "Done."),
            mcpServers: [{ ...server, credentialScope: "none" }],
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
        const expected = answering.flatMap((labels, round) =>
          labels.map((label) => [label, `${run}/${label}/${round}`] as const),
        );
        for (const [label, asked] of expected) {
          const place = open.find(({ chat }) => label.startsWith(`${chat}/`));
          if (place === undefined) throw new Error(label);
          const { elicitationId } = await place.stream.request(0, ({ message }) => message === asked);
          const content = { code: `code of ${asked}` };
          void place.client.answer(place.conversationId, { elicitationId, action: "accept", content });
        }
        await Promise.all(open.map(({ stream }) => stream.done));
        expect(Object.fromEntries(heard)).toEqual(
          Object.fromEntries(expected.map(([, asked]) => [asked, { code: `code of ${asked}` }])),
        );
        expect(runtime.errors).toEqual([]);
        await runtime.close();
      }),
      { numRuns: Math.ceil(ORDERS / ROUNDS) },
    );
  },
);
