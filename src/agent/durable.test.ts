import { expect, test } from "vitest";
import { createMemoryRecords } from "../runtime/index.ts";
import { SURE, WHERE, createBookingAgent } from "../../test/stages/booking-agent.ts";
import { authenticateTestUser, createChatClient, readStream } from "../../test/stages/chat-client.ts";
import { createDurableEngine } from "../../test/stages/durable-engine.ts";
import { createMemoryProcesses } from "../../test/stages/memory-processes.ts";
import { CITY, asking, createTestRuntime } from "../../test/stages/test-runtime.ts";
import { testTurnEngine } from "../../test/stages/turn-engine-suite.ts";

testTurnEngine("an engine in memory", async () => {
  const startProcess = createMemoryProcesses();
  return {
    startProcess: async (runTurn, onTurnEnd) => startProcess(runTurn, { onTurnEnd }),
    leave: async ({ runner }) => runner.die(),
  };
});

const count = (chunks: readonly Readonly<Record<string, unknown>>[], type: string) =>
  chunks.filter((chunk) => chunk["type"] === type).length;

test("after a crash, another process continues the turn without repeating questions, model calls or effects", async () => {
  const startProcess = createMemoryProcesses();
  const { runTurn, done, model, errors } = createBookingAgent();
  const keep = () => void done.push("kept the turn");
  const first = startProcess(runTurn, { onTurnEnd: keep });
  const before = await first.ada.send("c1");
  const where = await before.request(0, WHERE);
  await first.ada.answer("c1", { ...where, action: "accept", content: { answer: "Rome" } });
  const sure = await before.request(0, SURE);
  first.runner.die();
  await before.cancel();

  const second = startProcess(runTurn, { onTurnEnd: keep });
  const { elicitations } = await (await second.ada.fetch("/run/api/elicitations?conversationId=c1")).json();
  expect(elicitations).toEqual([sure]);
  const after = readStream(await second.ada.fetch("/run/api/chat/c1/stream"));
  expect(await after.request(0, SURE)).toEqual(sure);
  const recovered = second.runner.recover();
  const answer = { ...sure, action: "accept", content: { answer: true } };
  expect((await second.ada.answer("c1", answer)).status).toBe(200);
  await after.done;
  await recovered;

  expect(after.chunks).toContainEqual(expect.objectContaining({ output: "Booked: Rome, true" }));
  expect(done).toEqual(["looked at the weather", "booked Rome", "kept the turn"]);
  expect(model.doStreamCalls).toHaveLength(3);
  const asked = after.chunks.filter(({ type }) => type === "data-elicitation-request");
  expect(asked.map(({ id }) => id)).toEqual(
    [where, where, sure, sure].map(({ elicitationId }) => elicitationId),
  );
  expect(after.chunks.slice(0, before.chunks.length)).toEqual(before.chunks);
  for (const type of ["start", "finish", "text-delta"]) expect(count(after.chunks, type)).toBe(1);
  expect(count(after.chunks, "tool-output-available")).toBe(2);
  expect((await second.ada.fetch("/run/api/chat/c1/stream")).status).toBe(204);
  expect([...errors, ...second.errors()]).toEqual([]);
});

test("when a turn runs again, a delegated agent gets its own results, not another agent's", async () => {
  const engine = createDurableEngine();
  const booked: string[] = [];
  let isFirst = true;
  function startProcess() {
    const runner = engine.startProcess();
    const runtime = createTestRuntime(
      async function* run(turn) {
        yield { type: "start" };
        for (const name of ["flight", "hotel"]) {
          yield await turn.runner.tool({ id: `${turn.id}/${name}`, name }, async () => {
            const agent = turn.delegate({ id: name, messages: [] });
            const type = await agent.runner.tool({ id: `${agent.id}/call_0`, name: "book" }, async () => {
              booked.push(name);
              return `data-${name}`;
            });
            if (name === "hotel" && isFirst) {
              runner.die();
              await new Promise<never>(() => {});
            }
            return { type };
          });
        }
      },
      { ports: { waiter: engine.waiter, stream: engine.stream, runner } },
    );
    return { runner, ada: createChatClient(runtime.fetch, { user: "ada" }) };
  }
  const stream = await startProcess().ada.send("c1");
  await expect.poll(() => booked).toEqual(["flight", "hotel"]);
  isFirst = false;
  await startProcess().runner.recover();
  await stream.done;
  expect(stream.chunks.map(({ type }) => type)).toEqual(["start", "data-flight", "data-hotel", "finish"]);
  expect(booked).toEqual(["flight", "hotel"]);
});

test("when a turn runs again although the user has sent a newer message, it is aborted, and the newer turn stays open", async () => {
  const engine = createDurableEngine();
  const records = createMemoryRecords();
  function startProcess() {
    const runner = engine.startProcess();
    const ports = { records, waiter: engine.waiter, stream: engine.stream, runner };
    const runtime = createTestRuntime(asking(CITY), { ports });
    return { runtime, runner, ada: createChatClient(runtime.fetch, { user: "ada" }) };
  }
  const first = startProcess();
  const before = await first.ada.send("c1");
  const outdated = await before.request();
  first.runner.die();

  const second = startProcess();
  const newer = await second.ada.send("c1");
  const where = await newer.request();
  await second.runner.recover();
  await before.done;
  expect(before.chunks.at(-1)).toEqual({ type: "abort" });
  const { elicitations } = await (await second.ada.fetch("/run/api/elicitations?conversationId=c1")).json();
  expect(elicitations).toEqual([where]);
  expect((await second.runtime.elicitations.get(outdated.elicitationId))?.status).toBe("withdrawn");
  await second.ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
  await newer.done;
  expect(newer.chunks.at(-1)).toEqual({ type: "abort" });
  expect(second.runtime.errors).toEqual([]);
});

test("a turn that depends on a connection ends with an error when it runs again after the connection was lost", async () => {
  const engine = createDurableEngine();
  const records = createMemoryRecords();
  const startProcess = () => {
    const runner = engine.startProcess();
    const ports = { records, waiter: engine.waiter, stream: engine.stream, runner };
    const runtime = createTestRuntime(asking(CITY), { ports });
    return { runtime, runner, surface: runtime.surface("editor") };
  };
  const first = startProcess();
  const supports = { form: true, url: true };
  const user = { id: "ada" };
  const turn = await first.surface.start({
    user,
    conversationId: "c1",
    messages: [],
    supports,
    connectionBound: true,
  });
  if ("refused" in turn) throw new Error("refused");
  await expect.poll(() => turn.open()).toHaveLength(1);
  first.runner.die();

  const second = startProcess();
  const found = await second.surface.find(user, { turnId: turn.id });
  await second.runner.recover();
  const types: unknown[] = [];
  const { signal } = new AbortController();
  for await (const { chunk } of turn.read({ live: true, signal })) types.push(chunk);
  expect(types.at(-1)).toEqual({ type: "error", errorText: "The connection of this turn is lost." });
  expect(await found?.open()).toEqual([]);
  expect(second.runtime.errors).toEqual([]);
});

test("a turn that runs again after a crash does not repeat a question that the user refused", async () => {
  const engine = createDurableEngine();
  const records = createMemoryRecords();
  let dieAfterFirst: (() => Promise<never>) | undefined;
  function startProcess() {
    const runner = engine.startProcess();
    const runtime = createTestRuntime(
      async function* run(turn) {
        yield { type: "start" };
        const askBy = (call: string) =>
          turn.runner.tool({ id: `${turn.id}/${call}`, name: "weather" }, async () => {
            const { outcome } = await turn.ask({ ...CITY, toolCallId: call });
            return outcome;
          });
        const first = await askBy("call_0");
        await dieAfterFirst?.();
        const outcomes = [first, await askBy("call_1")];
        yield { type: "text-start", id: "t" };
        const said = { type: "text-delta", id: "t", delta: outcomes.join(", ") };
        yield said;
        yield { type: "finish" };
      },
      {
        ports: { records, waiter: engine.waiter, stream: engine.stream, runner },
        authenticate: authenticateTestUser,
      },
    );
    return { runtime, runner, ada: createChatClient(runtime.fetch, { user: "ada" }) };
  }
  const first = startProcess();
  const died = new Promise<void>((resolve) => {
    dieAfterFirst = async () => {
      first.runner.die();
      resolve();
      return new Promise<never>(() => {});
    };
  });
  const before = await first.ada.send("c1");
  const { elicitationId } = await before.request();
  await first.ada.answer("c1", { elicitationId, action: "decline" });
  await died;
  await before.cancel();
  dieAfterFirst = undefined;

  const second = startProcess();
  const after = readStream(await second.ada.fetch("/run/api/chat/c1/stream"));
  const asked = after.request(0, (request) => request.elicitationId !== elicitationId);
  await Promise.race([second.runner.recover(), asked.catch(() => {})]);
  const { elicitations } = await (await second.ada.fetch("/run/api/elicitations?conversationId=c1")).json();
  expect(elicitations).toEqual([]);
  await after.done;
  expect(after.chunks).toContainEqual(expect.objectContaining({ delta: "declined, declined" }));
  expect(second.runtime.errors).toEqual([]);
});
