import { inspect } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import type { RunTurn } from "../../src/runtime/index.ts";
import { createChatClient } from "../../test/stages/chat-client.ts";
import { createDurableProcesses } from "../../test/stages/durable-processes.ts";
import { createTestDatabase, startPorts } from "../../test/stages/postgres-database.ts";
import { CITY, asking, createTestRuntime, text } from "../../test/stages/test-runtime.ts";
import { createDbosRunner } from "./index.ts";

test("a turn that has ended leaves no rows in the database of DBOS", async () => {
  const { startProcess, query, left } = await createDurableProcesses({ withDbos: true });
  const { ada, ...process } = await startProcess(asking(CITY));
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  await expect.poll(left).toBe(0);
  expect((await query("select * from dbos.workflow_status")).rows).toEqual([]);
  expect([...process.errors(), ...process.portErrors]).toEqual([]);
});

test("background errors reach the operator without their original message", async () => {
  const { startProcess } = await createDurableProcesses({ withDbos: true });
  const park = async () => {
    throw new Error("hunter2");
  };
  const { ada, errors } = await startProcess(asking(CITY), {
    parkAfterMs: 20,
    withPorts: (ports) => ({ ...ports, claims: { ...ports.claims, park } }),
  });
  await (await ada.send("c1")).request();
  await expect.poll(errors).not.toEqual([]);
  expect(inspect(errors(), { depth: null })).not.toContain("hunter2");
});

test("when an application launches its own DBOS too late, the error says so, and a message that was sent before runs afterwards", async () => {
  const { url } = await createTestDatabase();
  const { DBOS } = await import("@dbos-inc/dbos-sdk");
  DBOS.setConfig({ name: "app", systemDatabaseUrl: url, logger: { ...console, info() {}, debug() {} } });
  onTestFinished(() => DBOS.shutdown());
  const book = DBOS.registerWorkflow(async (city: string) => `booked ${city}`, { name: "book" });
  const ports = await startPorts(url);
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const runner = await createDbosRunner({ ports, dbos: DBOS, onError });
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    yield* text(await turn.runner.step("book", () => book(turn.conversationId)));
  };
  const runtime = createTestRuntime(runTurn, { ports: { ...ports, runner }, onError });
  onTestFinished(() => runtime.close());
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const early = await ada.send("Rome");
  await expect.poll(() => String(ports.errors)).toMatch(/elicit-kit: DBOS is not launched/);

  await DBOS.launch();
  await early.done;
  expect(early.chunks).toContainEqual(expect.objectContaining({ delta: "booked Rome" }));
  errors.splice(0);
  const stream = await ada.send("Oslo");
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: "booked Oslo" }));
  expect(await book("Lima")).toBe("booked Lima");
  expect(errors).toEqual([]);
});

test("when the options name no database for steps, or two, the error says which option to set", async () => {
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

test("when DBOS cannot reach its database, the error says so", async () => {
  const { url } = await createTestDatabase();
  const ports = await startPorts(url);
  const nowhere = Object.assign(new URL(url), { port: "1", password: "sesame" }).href;
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const error: unknown = await createDbosRunner({ ports, connectionString: nowhere, onError }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({
    message: expect.stringMatching(/^elicit-kit: DBOS could not be launched\. Check the connectionString/),
  });
  expect(inspect([error, ...errors], { depth: 10 })).not.toContain("sesame");
});
