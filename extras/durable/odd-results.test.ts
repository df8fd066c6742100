import { expect, test } from "vitest";
import type { RunTurn } from "../../src/runtime/index.ts";
import { createDurableProcesses } from "../../test/stages/durable-processes.ts";
import { readStream } from "../../test/stages/chat-client.ts";
import { CITY, text } from "../../test/stages/test-runtime.ts";

/** PostgreSQL accepts neither NUL nor a lone surrogate in text. */
const ODD = "a\u0000b \ud800 \udfff 🦊 \\u0000";

/** An agent that runs a step, asks a question, and writes both results. */
function createAgent(result: () => unknown) {
  const done: string[] = [];
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    const settle = async (work: () => Promise<unknown>) => {
      const [settled] = await Promise.allSettled([turn.runner.tool({ id: "call", name: ODD }, work)]);
      return settled.status === "rejected" ? (settled.reason as Error).message : settled.value;
    };
    const looked = await settle(() =>
      turn.runner.step("look up", async () => {
        done.push("looked up");
        return result();
      }),
    );
    const asked = await turn.ask({ ...CITY, message: "a\u0000b 🦊" });
    yield* text(JSON.stringify({ looked, asked }));
    yield { type: "finish" };
  };
  return { runTurn, done };
}

/** Answers after the turn was parked, so that it runs again. Returns the text that the agent wrote. */
async function answered({ runTurn }: Pick<ReturnType<typeof createAgent>, "runTurn">, city: string) {
  const { startProcess, parked } = await createDurableProcesses();
  const first = await startProcess(runTurn, { parkAfterMs: 50 });
  const second = await startProcess(runTurn, { parkAfterMs: 50 });
  const before = await first.ada.send("c1");
  const { elicitationId } = await before.request();
  await expect.poll(parked).toBe(1);
  await before.cancel();
  const after = readStream(await second.ada.fetch("/run/api/chat/c1/stream"));
  const answer = { elicitationId, action: "accept", content: { city } };
  expect((await second.ada.answer("c1", answer)).status).toBe(200);
  await after.done;
  expect([...first.errors(), ...second.errors(), ...first.portErrors, ...second.portErrors]).toEqual([]);
  const delta = after.chunks.find(({ type }) => type === "text-delta")?.["delta"];
  expect(after.chunks.at(-1)).toEqual({ type: "finish" });
  return JSON.parse(String(delta));
}

test("when a turn runs again, results, answers and chunks with NUL and lone surrogates are the same", async () => {
  const agent = createAgent(() => ({ [ODD]: [ODD] }));
  expect(await answered(agent, ODD)).toEqual({
    looked: { [ODD]: [ODD] },
    asked: { outcome: "accepted", content: { city: ODD } },
  });
  expect(agent.done).toEqual(["looked up"]);
});

test("when a turn runs again, the error message of a step is the same, even with NUL and lone surrogates", async () => {
  const agent = createAgent(() => {
    throw new Error(ODD);
  });
  expect(await answered(agent, "Rome")).toMatchObject({ looked: ODD });
  expect(agent.done).toEqual(["looked up"]);
});

test.each<[string, () => unknown, RegExp]>([
  [
    "is too large to be recorded",
    () => "x".repeat(70_000_000),
    /^elicit-kit: the result of "look up" has 70000012 characters as JSON, and at most 67108864 can be recorded\. .*return where they are\.$/,
  ],
  [
    "contains itself",
    () => {
      const ring: unknown[] = [];
      ring.push(ring);
      return ring;
    },
    /^elicit-kit: the result of "look up" cannot be written as JSON, and so not recorded\./,
  ],
])("a step whose result %s fails and is not repeated, and its turn continues", async (_, result, message) => {
  const agent = createAgent(result);
  expect(await answered(agent, "Rome")).toMatchObject({
    looked: expect.stringMatching(message),
    asked: { outcome: "accepted" },
  });
  expect(agent.done).toEqual(["looked up"]);
});
