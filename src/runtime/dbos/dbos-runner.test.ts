import { tool } from "ai";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { ElicitationRequest } from "../../protocol/contract.ts";
import { createMemoryCredentials } from "../core/index.ts";
import { type AgentTool, createAgentTurn } from "../agent/index.ts";
import { authenticateTestUser, createChatClient } from "../testing/chat-client.ts";
import { createTestDatabase, startPorts } from "../testing/postgres-database.ts";
import { createScriptedModel } from "../testing/scripted-model.ts";
import { type TestRuntime, createTestRuntime } from "../testing/test-runtime.ts";
import type { RunTurn } from "../core/index.ts";
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
