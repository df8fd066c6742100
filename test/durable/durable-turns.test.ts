import { EventEmitter } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import type { RunTurn } from "../../src/runtime/index.ts";
import { SURE, WHERE, createBookingAgent } from "../stages/booking-agent.ts";
import { readStream } from "../stages/chat-client.ts";
import { onDbos } from "../stages/durable-ports.ts";
import { createDurableProcesses } from "../stages/durable-processes.ts";
import { CITY, asking, text } from "../stages/test-runtime.ts";
import { testTurnEngine } from "../stages/turn-engine-suite.ts";

testTurnEngine(onDbos ? "DBOS" : "PostgreSQL", async () => {
  const { startProcess, parked } = await createDurableProcesses();
  return {
    startProcess: (runTurn, onTurnEnd) => startProcess(runTurn, { parkAfterMs: 50, onTurnEnd }),
    leave: () => vi.waitUntil(async () => (await parked()) === 1),
  };
});

test("a turn that has ended leaves no rows in the database", async () => {
  const { startProcess, query, left } = await createDurableProcesses();
  const { ada, ...process } = await startProcess(asking(CITY));
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  await expect.poll(left).toBe(0);
  expect((await query("select * from elicit_kit.steps")).rows).toEqual([]);
  expect([...process.errors(), ...process.portErrors]).toEqual([]);
});

test("a parked turn continues in any process when it is answered, and repeats no step", async () => {
  const { startProcess, parked } = await createDurableProcesses();
  const { runTurn, done, model, errors } = createBookingAgent();
  const counted: [string, number][] = [];
  const meter = {
    createCounter: (name: string) => ({ add: (value: number) => void counted.push([name, value]) }),
    createUpDownCounter: () => ({ add() {} }),
    createHistogram: () => ({ record() {} }),
  };
  const options = { parkAfterMs: 50, telemetry: { meter } };
  const first = await startProcess(runTurn, options);
  const second = await startProcess(runTurn, options);
  const stream = await first.ada.send("c1");
  const where = await stream.request(0, WHERE);
  await expect.poll(parked).toBe(1);
  await second.ada.answer("c1", { ...where, action: "accept", content: { answer: "Rome" } });
  const sure = await stream.request(0, SURE);
  await expect.poll(parked).toBe(1);
  await first.ada.answer("c1", { ...sure, action: "accept", content: { answer: true } });
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ output: "Booked: Rome, true" }));
  expect(done).toEqual(["looked at the weather", "booked Rome"]);
  expect(model.doStreamCalls).toHaveLength(3);
  const again = stream.chunks
    .map((chunk) => JSON.stringify(chunk))
    .filter((chunk) => !chunk.includes("-step"));
  for (const type of ["start", "finish", "text-delta"]) {
    expect(stream.chunks.filter((chunk) => chunk["type"] === type)).toHaveLength(1);
  }
  expect(new Set(again).size).toBe(again.length);
  await expect.poll(() => [...first.kept, ...second.kept]).toHaveLength(1);
  const [parks, runsAgain] = ["elicitation.turns.parked", "elicitation.turns.run_again"];
  const starts = [
    [parks, 0],
    [runsAgain, 0],
  ];
  const onceEach = [
    [parks, 1],
    [runsAgain, 1],
  ];
  expect(counted).toEqual([...starts, ...starts, ...onceEach, ...onceEach]);
  expect([...first.errors(), ...second.errors(), ...errors]).toEqual([]);
});

test("a process that others take for dead for a moment does not run any step twice", async () => {
  const { startProcess, query } = await createDurableProcesses();
  const booked: string[] = [];
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    const said = await turn.runner.tool({ id: `${turn.id}/call`, name: "book" }, async () => {
      const { outcome } = await turn.ask(CITY);
      return turn.runner.step("book", async () => {
        booked.push(turn.conversationId);
        return outcome;
      });
    });
    yield* text(said);
  };
  const [first, second] = [await startProcess(runTurn), await startProcess(runTurn)];
  const conversations = ["c1", "c2", "c3", "c4", "c5", "c6"];
  for (const id of conversations) {
    const stream = await first.ada.send(id);
    const { elicitationId } = await stream.request();
    await query(
      `select pg_terminate_backend(l.pid) from pg_locks l join elicit_kit.runs r
         on (l.classid::bigint << 32 | l.objid::bigint) = r.process
       where l.locktype = 'advisory' and l.objsubid = 1`,
    );
    await second.ada.answer(id, { elicitationId, action: "accept", content: { city: "Rome" } });
    await stream.done;
    expect(stream.chunks.map(({ type }) => type)).toEqual([
      "start",
      "data-elicitation-request",
      "data-elicitation-request",
      "text-start",
      "text-delta",
      "text-end",
      "finish",
    ]);
  }
  await expect.poll(() => [...first.kept, ...second.kept]).toHaveLength(conversations.length);
  expect(booked).toEqual(conversations);
  expect([...first.errors(), ...second.errors()]).toEqual([]);
});

test("the text of a model call that broke off is replaced, also after a tool call without a visible result", async () => {
  const { startProcess } = await createDurableProcesses();
  const agentThatSays = (words: string, isCutOff: boolean): RunTurn =>
    async function* run(turn) {
      const model = turn.runner.model({
        doGenerate: async () => ({ content: "a topic" }),
        doStream: async () => ({
          stream: new ReadableStream({
            start(controller) {
              controller.enqueue({ type: "text-delta", delta: words });
              if (isCutOff) return;
              controller.enqueue({ type: "finish" });
              controller.close();
            },
          }),
        }),
      });
      yield { type: "start", messageId: turn.id };
      await model.doGenerate();
      yield { type: "start-step" };
      yield { type: "text-start", id: "t" };
      for await (const part of (await model.doStream()).stream)
        if (part.type === "text-delta") yield { ...part, id: "t" };
      yield { type: "text-end", id: "t" };
      yield { type: "finish-step" };
    };
  const first = await startProcess(agentThatSays("You could go to", true));
  const stream = await first.ada.send("c1");
  await expect.poll(() => JSON.stringify(stream.chunks)).toContain("You could go to");
  const broken = stream.done.catch(String);
  await first.runtime.close();
  const second = await startProcess(agentThatSays("Go to Rome.", false));
  await expect.poll(() => second.kept).toHaveLength(1);
  expect(await broken).toContain("taken back");
  const again = readStream(await second.ada.fetch(`/run/api/chat/c1/stream?messageId=${second.kept[0]}`));
  await again.done;
  const words = again.chunks.flatMap((chunk) => (chunk["type"] === "text-delta" ? [chunk["delta"]] : []));
  expect(words).toEqual(["Go to Rome."]);
  expect([...first.errors(), ...second.errors()]).toEqual([]);
});

test("a turn whose code has changed ends with an error, and the user can send their message again", async () => {
  const { startProcess, parked } = await createDurableProcesses();
  const turnWith = (step: string): RunTurn =>
    async function* run(turn) {
      yield { type: "start", messageId: turn.id };
      yield* text(await turn.runner.step(step, async () => step));
      yield { type: "data-outcome", data: (await turn.ask(CITY)).outcome };
    };
  const first = await startProcess(turnWith("look up"), { parkAfterMs: 20 });
  const stream = await first.ada.send("c1");
  const { elicitationId } = await stream.request();
  await expect.poll(parked).toBe(1);
  await first.runtime.close();
  const second = await startProcess(turnWith("search"), { parkAfterMs: 20 });
  await second.ada.answer("c1", { elicitationId, action: "accept", content: { city: "Rome" } });
  await stream.done;
  expect(stream.chunks.at(-1)).toMatchObject({
    type: "error",
    errorText: expect.stringContaining("was updated"),
  });
  const next = await second.ada.send("c1");
  await next.request();
});

test("a question that arrives over a connection of another turn belongs to the tool call that waits for it", async () => {
  const { startProcess } = await createDurableProcesses();
  /** Callbacks of a connection that is older than the turns, such as one of a local program. */
  const connection = new EventEmitter();
  const tick = setInterval(() => connection.emit("message"), 10);
  onTestFinished(() => clearInterval(tick));
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    const outcome = await turn.runner.tool({ id: `${turn.id}/call`, name: "ask" }, async () => {
      const ask = turn.runner.bind(() => turn.ask(CITY));
      const asked = await new Promise<ReturnType<typeof ask>[]>((resolve) =>
        connection.once("message", () => resolve([ask()])),
      );
      return (await asked[0])?.outcome;
    });
    yield* text(outcome ?? "");
  };
  const { ada, errors } = await startProcess(runTurn, { parkAfterMs: 20 });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: "declined" }));
  expect(errors()).toEqual([]);
});
