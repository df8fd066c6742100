import { tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { askFirst } from "../runtime/index.ts";
import { type AgentTool, createAgentTurn } from "./index.ts";
import { readStream } from "../../test/stages/chat-client.ts";
import { createMemoryProcesses } from "../../test/stages/memory-processes.ts";
import { createScriptedModel } from "../../test/stages/scripted-model.ts";

function createAgent(makeTool: (done: unknown[]) => AgentTool) {
  const done: unknown[] = [];
  const errors: unknown[] = [];
  const runTurn = createAgentTurn({
    model: createScriptedModel({ act: { euros: 42 } }, { wait: {} }, "That was all."),
    tools: {
      act: makeTool(done),
      wait: ({ elicitor }) =>
        tool({
          inputSchema: z.object({}),
          execute: async (_, { toolCallId }) => (await elicitor(toolCallId).confirm("Go on?")).outcome,
        }),
    },
    requester: { name: "Demo" },
    onError: (error) => errors.push(error),
  });
  const start = createMemoryProcesses();
  return { startProcess: () => start(runTurn), done, errors };
}

const refund = (done: unknown[]): AgentTool =>
  askFirst(
    tool({
      title: "Refund an order",
      inputSchema: z.object({ euros: z.number() }),
      async execute({ euros }) {
        done.push(euros);
        return `Refunded ${euros} €.`;
      },
    }),
    { edit: ["euros"] },
  );

const surprise =
  (done: unknown[]): AgentTool =>
  ({ elicitor }) =>
    tool({
      inputSchema: z.object({ euros: z.number() }),
      async execute(_, { toolCallId }) {
        const city = await elicitor(toolCallId).text("Where to?", { fallback: "Faro", delegate: true });
        done.push(city);
        return city.outcome === "accepted" ? `Booked ${city.value}.` : city.text;
      },
    });

const CASES = [
  {
    what: "an approval, with the amount that the user has changed",
    makeTool: refund,
    answer: { action: "accept", content: { euros: 40 } },
    output: expect.stringContaining("Refunded 40 €."),
    effect: 40,
  },
  {
    what: "a decision that the user leaves to the agent",
    makeTool: surprise,
    answer: { action: "accept", delegated: true },
    output: "Booked Faro.",
    effect: { outcome: "accepted", value: "Faro", delegated: true },
  },
];

test.each(CASES)("after a crash while the card waits, $what counts once", async (one) => {
  const { startProcess, done, errors } = createAgent(one.makeTool);
  const first = startProcess();
  const before = await first.ada.send("c1");
  const asked = await before.request();
  first.runner.die();
  await before.cancel();

  const second = startProcess();
  const after = readStream(await second.ada.fetch("/run/api/chat/c1/stream"));
  expect(await after.request()).toEqual(asked);
  const recovered = second.runner.recover();
  expect((await second.ada.answer("c1", { ...asked, ...one.answer })).status).toBe(200);
  const next = await after.request(0, ({ message }) => message === "Go on?");
  await second.ada.answer("c1", { ...next, action: "accept", content: { answer: true } });
  await after.done;
  await recovered;
  expect(after.chunks).toContainEqual(expect.objectContaining({ output: one.output }));
  expect(done).toEqual([one.effect]);
  expect([...errors, ...second.errors()]).toEqual([]);
});

test.each(CASES)("after a crash later in the turn, $what is not asked again", async (one) => {
  const { startProcess, done, errors } = createAgent(one.makeTool);
  const first = startProcess();
  const before = await first.ada.send("c1");
  const asked = await before.request();
  await first.ada.answer("c1", { ...asked, ...one.answer });
  const next = await before.request(0, ({ message }) => message === "Go on?");
  first.runner.die();
  await before.cancel();

  const second = startProcess();
  const after = readStream(await second.ada.fetch("/run/api/chat/c1/stream"));
  await after.request(0, ({ message }) => message === "Go on?");
  const recovered = second.runner.recover();
  await second.ada.answer("c1", { ...next, action: "accept", content: { answer: true } });
  await after.done;
  await recovered;
  const ids = after.chunks.filter(({ type }) => type === "data-elicitation-request").map(({ id }) => id);
  expect(new Set(ids)).toEqual(new Set([asked.elicitationId, next.elicitationId]));
  expect(after.chunks).toContainEqual(expect.objectContaining({ output: one.output }));
  expect(done).toEqual([one.effect]);
  expect([...errors, ...second.errors()]).toEqual([]);
});
