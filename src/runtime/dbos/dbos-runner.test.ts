import { EventEmitter } from "node:events";
import { tool } from "ai";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { ElicitationRequest } from "../../protocol/contract.ts";
import { type RunTurn, createMemoryCredentials } from "../core/index.ts";
import { type AgentTool, createAgentTurn } from "../agent/index.ts";
import { authenticateTestUser, createChatClient } from "../testing/chat-client.ts";
import { createTestDatabase, startPorts } from "../testing/postgres-database.ts";
import { createScriptedModel } from "../testing/scripted-model.ts";
import { CITY, type TestRuntime, createTestRuntime, text } from "../testing/test-runtime.ts";
import type { Dbos } from "./step-store.ts";
import { createDbosRunner } from "./index.ts";

let launched: Dbos | undefined;
afterEach(async () => {
  await launched?.shutdown();
  launched = undefined;
});

/** Processes of one application, as far as PostgreSQL can tell. They share the DBOS of this one. */
async function setUp() {
  const { url, query } = await createTestDatabase();
  const { DBOS } = await import("@dbos-inc/dbos-sdk");
  const ignore = () => {};
  DBOS.setConfig({
    name: "test",
    systemDatabaseUrl: url,
    useListenNotify: false,
    applicationVersion: "1",
    logger: { info: ignore, debug: ignore, warn: ignore, error: ignore },
  });
  async function startProcess(
    runTurn: RunTurn,
    { parkAfterMs = false }: { parkAfterMs?: number | false } = {},
  ) {
    const ports = await startPorts(url);
    const errors: unknown[] = [];
    const runner = await createDbosRunner({
      ports,
      dbos: DBOS,
      parkAfterMs,
      onError: (error) => errors.push(error),
    });
    if (!DBOS.isInitialized()) await DBOS.launch();
    launched = DBOS;
    const kept: string[] = [];
    const runtime: TestRuntime = createTestRuntime(runTurn, {
      ...ports,
      runner,
      authenticate: authenticateTestUser,
      writesPerMinute: 10_000,
      maxOpen: { perPerson: 10_000 },
      maxTurns: { perPerson: 10_000 },
      answerKey: Buffer.alloc(32, 1),
      onTurnEnd: (turn) => void kept.push(turn.id),
    });
    onTestFinished(() => runtime.close());
    return { runtime, runner, ports, errors, kept, ada: createChatClient(runtime.fetch, { user: "ada" }) };
  }
  return { startProcess, query, DBOS };
}

function agent() {
  const done: string[] = [];
  const model = createScriptedModel({ weather: {} }, { book_flight: {} }, "Have a nice trip.");
  const weather = tool({
    inputSchema: z.object({}),
    execute: async () => void done.push("looked at the weather"),
  });
  const bookFlight: AgentTool = ({ elicitor, turn }) =>
    tool({
      inputSchema: z.object({}),
      execute: async (_, { toolCallId }) => {
        const ask = elicitor(toolCallId);
        const city = await ask.text("Where to?");
        const isSure = await ask.confirm("Shall I book it?");
        if (city.outcome !== "accepted" || isSure.outcome !== "accepted") return "Not booked.";
        return turn.runner.step("book", async () => {
          done.push(`booked ${city.value}`);
          return `Booked: ${city.value}, ${isSure.value}`;
        });
      },
    });
  const errors: unknown[] = [];
  const runTurn = createAgentTurn({
    model,
    tools: { weather, book_flight: bookFlight },
    credentials: createMemoryCredentials(),
    connectUrl: "https://auth.example.com/auth/connect",
    requester: { name: "Demo" },
    onError: (error) => errors.push(error),
  });
  return { runTurn, done, model, errors };
}

const WHERE = ({ message }: ElicitationRequest) => message === "Where to?";
const SURE = ({ message }: ElicitationRequest) => message === "Shall I book it?";

test("a turn uses the same routes and tools as in memory, and leaves nothing behind", async () => {
  const { startProcess, query } = await setUp();
  const { runTurn, done, errors } = agent();
  const { runtime, ada, kept, ...process } = await startProcess(runTurn);
  const stream = await ada.send("c1");
  const where = await stream.request(0, WHERE);
  await ada.answer("c1", { ...where, action: "accept", content: { answer: "Rome" } });
  const sure = await stream.request(0, SURE);
  await ada.answer("c1", { ...sure, action: "accept", content: { answer: true } });
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ output: "Booked: Rome, true" }));
  expect(done).toEqual(["looked at the weather", "booked Rome"]);
  await expect.poll(() => kept).toHaveLength(1);
  await expect.poll(async () => (await query("select * from elicit_kit.runs")).rows).toEqual([]);
  expect((await query("select * from dbos.workflow_status")).rows).toEqual([]);
  expect([...runtime.errors, ...errors, ...process.errors, ...process.ports.errors]).toEqual([]);
});

test("a parked turn goes on in any process when it is answered, and repeats nothing", async () => {
  const { startProcess, query } = await setUp();
  const { runTurn, done, model, errors } = agent();
  const first = await startProcess(runTurn, { parkAfterMs: 50 });
  const second = await startProcess(runTurn, { parkAfterMs: 50 });
  const parked = async () =>
    (await query("select process::text from elicit_kit.runs")).rows.map(({ process }) => process);
  const stream = await first.ada.send("c1");
  const where = await stream.request(0, WHERE);
  await expect.poll(parked).toEqual(["2"]);
  await second.ada.answer("c1", { ...where, action: "accept", content: { answer: "Rome" } });
  const sure = await stream.request(0, SURE);
  await expect.poll(parked).toEqual(["2"]);
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
  expect([...first.runtime.errors, ...second.runtime.errors, ...errors]).toEqual([]);
  expect([...first.errors, ...second.errors]).toEqual([]);
});

test("a process that only looks dead loses its turns, and nothing is done twice", async () => {
  const { startProcess, query } = await setUp();
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
  // It did look dead: other than without the cut connections, turns have ended in the other process.
  expect(second.kept.length).toBeGreaterThan(0);
  expect([...first.runtime.errors, ...second.runtime.errors, ...first.errors, ...second.errors]).toEqual([]);
});

const PARKED = "select count(*)::integer as count from elicit_kit.runs where process = 2";

/** Asks once, and says how that ended. */
const askOnce: RunTurn = async function* run(turn) {
  yield { type: "start", messageId: turn.id };
  yield* text((await turn.ask(CITY)).outcome);
};

test("a parked turn is stopped, and its history is kept", async () => {
  const { startProcess, query } = await setUp();
  const [first, second] = [
    await startProcess(askOnce, { parkAfterMs: 20 }),
    await startProcess(askOnce, { parkAfterMs: 20 }),
  ];
  const stream = await first.ada.send("c1");
  const { elicitationId } = await stream.request();
  await expect.poll(async () => (await query(PARKED)).rows).toEqual([{ count: 1 }]);
  expect((await second.ada.fetch("/run/api/chat/c1/stop", { method: "POST" })).status).toBe(204);
  await stream.done;
  expect(stream.chunks.at(-1)).toEqual({ type: "abort" });
  expect((await first.runtime.elicitations.get(elicitationId))?.status).toBe("withdrawn");
  await expect.poll(() => second.kept).toHaveLength(1);
  expect(first.kept).toEqual([]);
  await expect.poll(async () => (await query("select * from elicit_kit.runs")).rows).toEqual([]);
  expect([...first.runtime.errors, ...second.runtime.errors]).toEqual([]);
});

test("a request of a parked turn expires in time, and the turn goes on", async () => {
  const { startProcess, query } = await setUp();
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    yield* text((await turn.ask({ ...CITY, expiresInMs: 1500 })).outcome);
  };
  const { ada, runtime, errors } = await startProcess(runTurn, { parkAfterMs: 20 });
  const stream = await ada.send("c1");
  await stream.request();
  await expect.poll(async () => (await query(PARKED)).rows).toEqual([{ count: 1 }]);
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: "expired" }));
  expect(stream.chunks.at(-1)).toEqual({ type: "finish" });
  expect([...runtime.errors, ...errors]).toEqual([]);
});

test("a next message ends a parked turn before the new one starts", async () => {
  const { startProcess, query } = await setUp();
  const [first, second] = [
    await startProcess(askOnce, { parkAfterMs: 20 }),
    await startProcess(askOnce, { parkAfterMs: 20 }),
  ];
  const before = await first.ada.send("c1");
  await before.request();
  await expect.poll(async () => (await query(PARKED)).rows).toEqual([{ count: 1 }]);
  const next = await second.ada.send("c1");
  const { elicitationId } = await next.request();
  await before.done;
  expect(before.chunks.at(-1)).toEqual({ type: "abort" });
  await first.ada.answer("c1", { elicitationId, action: "decline" });
  await next.done;
  expect(next.chunks).toContainEqual(expect.objectContaining({ delta: "declined" }));
  expect([...first.runtime.errors, ...second.runtime.errors]).toEqual([]);
});

test("a turn is not parked while it holds a connection, or while another of its tools works", async () => {
  const { startProcess, query } = await setUp();
  const works: (() => void)[] = [];
  const isHeld = (id: string) => id === "held";
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    const call = <T>(id: string, work: () => Promise<T>) =>
      turn.runner.tool({ id: `${turn.id}/${id}`, name: id }, work);
    const wait = async () => (await turn.ask(CITY)).outcome;
    const [outcome] = await Promise.all([
      call("ask", () => (isHeld(turn.conversationId) ? turn.runner.hold(wait) : wait())),
      isHeld(turn.conversationId)
        ? undefined
        : call("work", () => new Promise<void>((resolve) => works.push(resolve))),
    ]);
    yield* text(outcome);
  };
  const { ada, runtime, errors } = await startProcess(runTurn, { parkAfterMs: 20 });
  const streams = await Promise.all(["held", "works"].map((id) => ada.send(id)));
  const asked = await Promise.all(streams.map((stream) => stream.request()));
  const other = await ada.send("other");
  await ada.fetch("/run/api/elicitations?conversationId=other");
  // A later turn would be parked by now.
  const waited = new Promise((resolve) => setTimeout(resolve, 200));
  await waited;
  expect((await query(PARKED)).rows).toEqual([{ count: 0 }]);
  works[0]?.();
  works[1]?.();
  await expect.poll(async () => (await query(PARKED)).rows).toEqual([{ count: 2 }]);
  for (const [index, id] of ["held", "works"].entries()) {
    await ada.answer(id, { ...asked[index], action: "decline" });
    await streams[index]!.done;
    expect(streams[index]!.chunks).toContainEqual(expect.objectContaining({ delta: "declined" }));
  }
  await other.cancel();
  expect([...runtime.errors, ...errors]).toEqual([]);
});

test("a turn whose code has changed ends with a message, and the person can send theirs again", async () => {
  const { startProcess, query } = await setUp();
  const turnWith = (step: string): RunTurn =>
    async function* run(turn) {
      yield { type: "start", messageId: turn.id };
      yield* text(await turn.runner.step(step, async () => step));
      yield { type: "data-outcome", data: (await turn.ask(CITY)).outcome };
    };
  const first = await startProcess(turnWith("look up"), { parkAfterMs: 20 });
  const stream = await first.ada.send("c1");
  const { elicitationId } = await stream.request();
  await expect.poll(async () => (await query(PARKED)).rows).toEqual([{ count: 1 }]);
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

test("what a connection of another turn asks belongs to the call that waits for it", async () => {
  const { startProcess } = await setUp();
  /** Callbacks of a connection that is older than the turns, such as that of a program. */
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
  const { ada, runtime, errors } = await startProcess(runTurn, { parkAfterMs: 20 });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: "declined" }));
  expect([...runtime.errors, ...errors]).toEqual([]);
});

test(
  "two hundred turns are parked in one process, and each goes on with its own answer",
  { timeout: 120_000 },
  async () => {
    const { startProcess, query } = await setUp();
    const runTurn: RunTurn = async function* run(turn) {
      yield { type: "start", messageId: turn.id };
      yield* text(JSON.stringify(await turn.ask(CITY)));
    };
    const { ada, runtime, errors } = await startProcess(runTurn, { parkAfterMs: 200 });
    const ids = Array.from({ length: 200 }, (_, index) => `c${index}`);
    const streams = await Promise.all(ids.map((id) => ada.send(id)));
    const asked = await Promise.all(streams.map((stream) => stream.request()));
    await expect.poll(async () => (await query(PARKED)).rows).toEqual([{ count: ids.length }]);
    await Promise.all(
      ids.map((id, index) => {
        const { elicitationId } = asked[index]!;
        return ada.answer(id, { elicitationId, action: "accept", content: { city: `city ${id}` } });
      }),
    );
    await Promise.all(streams.map((stream) => stream.done));
    for (const [index, id] of ids.entries()) {
      const texts = streams[index]!.chunks.filter(({ type }) => type === "text-delta");
      expect(texts).toMatchObject([
        { delta: JSON.stringify({ outcome: "accepted", content: { city: `city ${id}` } }) },
      ]);
      expect(streams[index]!.chunks.at(-1)).toEqual({ type: "finish" });
    }
    await expect.poll(async () => (await query("select * from elicit_kit.runs")).rows).toEqual([]);
    expect([...runtime.errors, ...errors]).toEqual([]);
  },
);

test("without a place for its steps, or with two, the runner says what to give", async () => {
  const { url } = await createTestDatabase();
  const ports = await startPorts(url);
  const { DBOS } = await import("@dbos-inc/dbos-sdk");
  const onError = () => {};
  await expect(createDbosRunner({ ports, onError })).rejects.toThrow(
    /^elicit-kit: .*either a connectionString/,
  );
  await expect(createDbosRunner({ ports, dbos: DBOS, connectionString: url, onError })).rejects.toThrow(
    /^elicit-kit: .*either a connectionString/,
  );
});
