/**
 * One agent with one line of tool code: as in VS Code (a form over the connection), in rounds of 2026, and in the kit's
 * chat.
 */
import { expect, test } from "vitest";
import { CHAT_ORIGIN, authenticateTestUser, createChatClient } from "../../stages/chat-client.ts";
import { serveAgent } from "./agent.ts";
import { clientV1, clientV2 } from "./clients.ts";
import { asks } from "./turns.ts";

test("one agent asks the same question over a connection, in rounds and in the chat, with the same line of tool code", async () => {
  const run = asks((elicitor) => elicitor.text("Where to?", { title: "City", minLength: 2 }));
  const { url, runtime, received, errors } = await serveAgent(run, {
    runtime: { authenticate: authenticateTestUser, allowedOrigins: [CHAT_ORIGIN] },
  });
  const asked: unknown[] = [];
  const oslo = { action: "accept", content: { answer: "Oslo" } } as const;
  const answer = (params: { message: string; requestedSchema?: unknown }) => {
    asked.push({ message: params.message, requestedSchema: params.requestedSchema });
    return oslo;
  };

  const vsCode = await clientV1(url, "2025-11-25", { answer });
  const form = await vsCode.call({ message: "Book a trip" });
  const rounds = await clientV2(url, "2026-07-28", { answer });
  const round = await rounds.call({ message: "Book a trip" });
  const chat = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await chat.send("c1");
  const request = await stream.request();
  if (request.mode !== "form") throw new Error("no form");
  answer(request);
  await chat.answer("c1", { elicitationId: request.elicitationId, ...oslo });
  await stream.done;

  const schema = { type: "object", properties: { answer: { type: "string", title: "City", minLength: 2 } } };
  const question = { message: "Where to?", requestedSchema: expect.objectContaining(schema) };
  expect(asked).toEqual([question, question, question]);
  const said = stream.chunks.flatMap(({ delta }) => (typeof delta === "string" ? delta : []));
  const answers = [form.text, round.text, said.join("")].map((text) => JSON.parse(text));
  expect(answers).toEqual(Array.from({ length: 3 }, () => ({ outcome: "accepted", value: "Oslo" })));
  // VS Code answers a request of the server; a 2026 client calls again.
  const calls = received.filter(({ method }) => method === "tools/call");
  expect(calls.map(({ params }) => "requestState" in (params ?? {}))).toEqual([false, false, true]);
  expect(errors).toEqual([]);
});
