import { tool } from "ai";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import type { RuntimeOptions } from "../runtime/index.ts";
import { createAgentTurn } from "./index.ts";
import { readStream } from "../../test/stages/chat-client.ts";
import { createMemoryProcesses } from "../../test/stages/memory-processes.ts";
import { createScriptedModel } from "../../test/stages/scripted-model.ts";

const WHERE = "Where to?";

type BeforeAsk = NonNullable<RuntimeOptions["beforeAsk"]>;
type Verdict = Awaited<ReturnType<BeforeAsk>>;

/** An agent whose tool asks where to, and then whether to continue, in processes with different rules for the first. */
function createAgent() {
  const errors: unknown[] = [];
  const runTurn = createAgentTurn({
    model: createScriptedModel({ book: {} }, "That was all."),
    tools: {
      book: ({ elicitor }) =>
        tool({
          inputSchema: z.object({}),
          async execute(_, { toolCallId }) {
            const ask = elicitor(toolCallId);
            const city = await ask.text(WHERE);
            await ask.confirm("Go on?");
            return city.outcome === "accepted" ? `Booked ${city.value}.` : city.text;
          },
        }),
    },
    requester: { name: "Demo" },
    onError: (error) => errors.push(error),
  });
  const start = createMemoryProcesses();
  const startProcess = (verdict: Verdict) => {
    const beforeAsk = vi.fn<BeforeAsk>(({ message }) => (message === WHERE ? verdict : undefined));
    const assign = { may: () => true, nameOf: () => "Bo" };
    return { ...start(runTurn, { beforeAsk, assign }), beforeAsk };
  };
  return { startProcess, errors };
}

const FARO: Verdict = { rule: "Always Faro", answer: { answer: "Faro" } };
const ROME: Verdict = { rule: "Always Rome", answer: { answer: "Rome" } };
const BO: Verdict = { rule: "Bo decides", assignee: { user: "bo" } };
const NEVER: Verdict = { rule: "No trips", refuse: true };

test.each([
  ["an answer", "now gives another", FARO, ROME, "Booked Faro."],
  ["an answer", "now refuses", FARO, NEVER, "Booked Faro."],
  ["an answer", "now leaves it to the user", FARO, undefined, "Booked Faro."],
  ["a refusal", "now answers", NEVER, ROME, expect.stringContaining("No trips")],
])("after a crash, %s by a rule stays, although the rule %s", async (...one) => {
  const [, , decided, now, output] = one;
  const { startProcess, errors } = createAgent();
  const first = startProcess(decided);
  const before = await first.ada.send("c1");
  const next = await before.request();
  expect(next.message).toBe("Go on?");
  first.runner.die();
  await before.cancel();

  const second = startProcess(now);
  const after = readStream(await second.ada.fetch("/run/api/chat/c1/stream"));
  const recovered = second.runner.recover();
  await second.ada.answer("c1", { ...next, action: "accept", content: { answer: true } });
  await after.done;
  await recovered;
  expect(after.chunks).toContainEqual(expect.objectContaining({ output }));
  expect(second.beforeAsk).not.toHaveBeenCalled();
  expect([...errors, ...first.errors(), ...second.errors()]).toEqual([]);
});

test.each([
  ["its user", undefined, "ada"],
  ["somebody else", BO, "bo"],
])(
  "after a crash, a question that a rule leaves to %s stays theirs, although the rule now answers",
  async (...one) => {
    const [, decided, user] = one;
    const { startProcess, errors } = createAgent();
    const first = startProcess(decided);
    const before = await first.ada.send("c1");
    const asked = await before.request();
    first.runner.die();
    await before.cancel();

    const second = startProcess(ROME);
    const after = readStream(await second.ada.fetch("/run/api/chat/c1/stream"));
    const recovered = second.runner.recover();
    const { elicitationId } = asked;
    const reply = await second.ada.fetch("/run/api/elicitation-responses", {
      headers: { authorization: `Bearer ${user}` },
      body: {
        conversationId: user === "ada" ? "c1" : elicitationId,
        elicitationId,
        action: "accept",
        content: { answer: "Oslo" },
      },
    });
    expect(reply.status).toBe(200);
    const next = await after.request(0, ({ message }) => message === "Go on?");
    await second.ada.answer("c1", { ...next, action: "accept", content: { answer: true } });
    await after.done;
    await recovered;
    expect(after.chunks).toContainEqual(expect.objectContaining({ output: "Booked Oslo." }));
    expect(second.beforeAsk.mock.calls.map(([{ message }]) => message)).toEqual(["Go on?"]);
    expect([...errors, ...first.errors(), ...second.errors()]).toEqual([]);
  },
);
