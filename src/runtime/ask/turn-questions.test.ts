import { describe, expect, test } from "vitest";
import { REQUEST_PART_TYPE } from "../../contract/contract.ts";
import { type ReadStream, createChatClient } from "../../../test/stages/chat-client.ts";
import { CITY, createTestRuntime, text } from "../../../test/stages/test-runtime.ts";
import { createDeferred } from "../../base/deadlines.ts";
import { type Question, type Turn, createMemoryRecords } from "../index.ts";
import type { ElicitationRecords, ElicitationResult } from "../internal.ts";
import { originalOf } from "../../base/foreign-error.ts";

/** Records whose first request is stored only after `goOn` is called. */
function createSlowRecords() {
  const memory = createMemoryRecords();
  const first = createDeferred<void>();
  const reached = createDeferred<void>();
  let count = 0;
  const records: ElicitationRecords = {
    ...memory,
    async create(record) {
      count += 1;
      reached.resolve();
      if (count === 1) await first.promise;
      return memory.create(record);
    },
  };
  return {
    records,
    /** Resolves when the first request is being stored, and everything that does not wait for it is done. */
    stuck: () => reached.promise.then(settle),
    goOn: () => first.resolve(),
    fail: () => first.reject(new Error("disk full")),
  };
}

const questions = ["First?", "Second?", "Third?"].map((message): Question => ({ ...CITY, message }));

/** The ways in which a turn may ask several questions at once. */
const WAYS: Readonly<Record<string, (turn: Turn) => readonly Promise<unknown>[]>> = {
  "one by one": (turn) => questions.map((question) => turn.ask(question)),
  "as a round": (turn) => [turn.askRound(questions)],
  "in both ways": (turn) => [turn.askRound(questions.slice(0, 2)), turn.ask(questions[2]!)],
};

function agent(ask: (turn: Turn) => readonly Promise<unknown>[]) {
  return async function* run(turn: Turn) {
    yield { type: "start", messageId: turn.id };
    yield* text(JSON.stringify((await Promise.all(ask(turn))).flat()));
    yield { type: "finish" };
  };
}

const shown = ({ chunks }: ReadStream) =>
  chunks
    .filter(({ type }) => type === REQUEST_PART_TYPE)
    .map(({ data }) => (data as { message: string }).message);

const outcomes = ({ chunks }: ReadStream) =>
  (
    JSON.parse(
      String(chunks.find(({ type }) => type === "text-delta")?.["delta"]),
    ) as readonly ElicitationResult[]
  ).map(({ outcome }) => outcome);

/** Long enough for everything that does not wait for the records. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

describe.each(Object.keys(WAYS))("questions that a turn asks at once, %s,", (way) => {
  test("are shown and listed in the order in which they were asked, even if the first takes long to store", async () => {
    const { records, goOn, stuck } = createSlowRecords();
    const runtime = createTestRuntime(agent(WAYS[way]!), { ports: { records } });
    const ada = createChatClient(runtime.fetch, { user: "ada" });
    const stream = await ada.send("c1");
    await stuck();
    goOn();
    await stream.request(2);
    expect(shown(stream)).toEqual(["First?", "Second?", "Third?"]);
    const list = await (await ada.fetch("/run/api/elicitations?conversationId=c1")).json();
    expect(list).toMatchObject({
      elicitations: [{ message: "First?" }, { message: "Second?" }, { message: "Third?" }],
    });
    await runtime.close();
    expect(runtime.errors).toEqual([]);
  });

  test("are asked without the first if that one cannot be stored", async () => {
    const { records, fail, stuck } = createSlowRecords();
    const runtime = createTestRuntime(agent(WAYS[way]!), { ports: { records } });
    const ada = createChatClient(runtime.fetch, { user: "ada" });
    const stream = await ada.send("c1");
    await stuck();
    fail();
    const open = [await stream.request(0), await stream.request(1)];
    for (const { elicitationId } of open) await ada.answer("c1", { elicitationId, action: "decline" });
    await stream.done;
    expect(outcomes(stream)).toEqual(["failed", "declined", "declined"]);
    expect(runtime.errors.map(originalOf)).toEqual([new Error("disk full")]);
  });

  test("are not stored if the turn is stopped before it is their turn", async () => {
    const { records, goOn, stuck } = createSlowRecords();
    const runtime = createTestRuntime(agent(WAYS[way]!), { ports: { records } });
    const ada = createChatClient(runtime.fetch, { user: "ada" });
    const stream = await ada.send("c1");
    await stuck();
    const stopped = ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
    await settle();
    goOn();
    await stopped;
    await stream.done;
    expect(new Set(shown(stream))).toEqual(new Set(["First?"]));
    expect(runtime.errors).toEqual([]);
  });
});

test("a question of one turn does not wait for a question of another turn", async () => {
  const { records, goOn, stuck } = createSlowRecords();
  const runtime = createTestRuntime(
    agent((turn) => [turn.ask(questions[0]!)]),
    { ports: { records } },
  );
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const slow = await ada.send("c1");
  await stuck();
  const other = await ada.send("c2");
  expect(await other.request()).toMatchObject({ message: "First?" });
  expect(shown(slow)).toEqual([]);
  goOn();
  await slow.request();
  await runtime.close();
});

test("a question whose signal aborts while it waits for the question before it is withdrawn", async () => {
  const { records, goOn, stuck } = createSlowRecords();
  const controller = new AbortController();
  const results: unknown[] = [];
  const runtime = createTestRuntime(
    agent((turn) => [
      turn.ask(questions[0]!),
      turn.ask({ ...questions[1]!, signal: controller.signal }).then((result) => results.push(result)),
    ]),
    { ports: { records } },
  );
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  await stuck();
  controller.abort();
  await expect.poll(() => results).toEqual([{ outcome: "withdrawn" }]);
  goOn();
  await stream.request();
  expect(shown(stream)).toEqual(["First?"]);
  await runtime.close();
});

describe("if the first question of a round ends before the second is stored,", () => {
  const ENDS = { "before it": "create", "while it gets its round": "compareAndSet" } as const;

  test.each(Object.entries(ENDS))("%s, the second can be answered alone", async (_, step) => {
    const memory = createMemoryRecords();
    let isEnded = false;
    const endFirst = async () => {
      if (isEnded || (await memory.listOpen("c1", "ada")).length < (step === "create" ? 1 : 2)) return;
      isEnded = true;
      const [first] = await memory.listOpen("c1", "ada");
      await runtime.elicitations.decline(first!.request.elicitationId);
    };
    const records: ElicitationRecords = {
      ...memory,
      async create(record) {
        if (step === "create") await endFirst();
        return memory.create(record);
      },
      async compareAndSet(next, settlement) {
        if (step === "compareAndSet" && next.status === "pending") await endFirst();
        return memory.compareAndSet(next, settlement);
      },
    };
    const runtime = createTestRuntime(
      agent((turn) => [turn.askRound(questions.slice(0, 2))]),
      { ports: { records } },
    );
    const ada = createChatClient(runtime.fetch, { user: "ada" });
    const stream = await ada.send("c1");
    await expect.poll(() => shown(stream)).toContain("Second?");
    const [second] = await memory.listOpen("c1", "ada");
    const card = stream.chunks.findLast(({ type }) => type === REQUEST_PART_TYPE)?.["data"];
    expect([second?.request.message, second?.request.round]).toEqual(["Second?", undefined]);
    expect(card).not.toHaveProperty("round");
    await ada.answer("c1", { elicitationId: second!.request.elicitationId, action: "cancel" });
    await stream.done;
    expect(outcomes(stream)).toEqual(["declined", "cancelled"]);
    expect(runtime.errors).toEqual([]);
  });
});

test("if a question of a round cannot get its round, the other can be answered alone", async () => {
  const memory = createMemoryRecords();
  const records: ElicitationRecords = {
    ...memory,
    async compareAndSet(next, settlement) {
      const { message, round } = next.request;
      if (message === "First?" && round !== undefined) throw new Error("disk full");
      return memory.compareAndSet(next, settlement);
    },
  };
  const runtime = createTestRuntime(
    agent((turn) => [turn.askRound(questions.slice(0, 2))]),
    { ports: { records } },
  );
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId, round } = await stream.request();
  expect(round).toBeUndefined();
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  expect(outcomes(stream)).toEqual(["failed", "declined"]);
  expect(runtime.errors.map(originalOf)).toEqual([new Error("disk full")]);
});
