import { expect, test } from "vitest";
import { createDeferred } from "../../src/base/deadlines.ts";
import type { ElicitationRequest } from "../../src/contract/contract.ts";
import type { RunTurn } from "../../src/runtime/index.ts";
import type { ElicitationRecord } from "../../src/runtime/internal.ts";
import type { PostgresPorts } from "../postgres/index.ts";
import { createDurableProcesses } from "../../test/stages/durable-processes.ts";
import { testRecord } from "../../test/stages/test-ports.ts";
import { CITY, text } from "../../test/stages/test-runtime.ts";

const askOnce: RunTurn = async function* run(turn) {
  yield { type: "start", messageId: turn.id };
  yield* text((await turn.ask(CITY)).outcome);
};

const asksFor = (message: string) => (request: ElicitationRequest) => request.message === message;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("a parked turn can be stopped, and its history is kept", async () => {
  const { startProcess, parked, left } = await createDurableProcesses();
  const [first, second] = [
    await startProcess(askOnce, { parkAfterMs: 20 }),
    await startProcess(askOnce, { parkAfterMs: 20 }),
  ];
  const stream = await first.ada.send("c1");
  const { elicitationId } = await stream.request();
  await expect.poll(parked).toBe(1);
  expect((await second.ada.fetch("/run/api/chat/c1/stop", { method: "POST" })).status).toBe(204);
  await stream.done;
  expect(stream.chunks.at(-1)).toEqual({ type: "abort" });
  expect((await first.runtime.elicitations.get(elicitationId))?.status).toBe("withdrawn");
  await expect.poll(() => second.kept).toHaveLength(1);
  expect(first.kept).toEqual([]);
  await expect.poll(left).toBe(0);
  expect([...first.errors(), ...second.errors()]).toEqual([]);
});

test("a request of a parked turn expires on time, and the turn continues", async () => {
  const { startProcess, parked } = await createDurableProcesses();
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    yield* text((await turn.ask({ ...CITY, expiresInMs: 10_000 })).outcome);
  };
  const { ada, errors } = await startProcess(runTurn, { parkAfterMs: 20 });
  const stream = await ada.send("c1");
  await stream.request();
  await expect.poll(parked).toBe(1);
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: "expired" }));
  expect(stream.chunks.at(-1)).toEqual({ type: "finish" });
  expect(errors()).toEqual([]);
});

test("a request of a parked turn expires on time although abandoned requests are overdue", async () => {
  const { startProcess, parked } = await createDurableProcesses();
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    yield* text((await turn.ask({ ...CITY, expiresInMs: 10_000 })).outcome);
  };
  const { ada, ports } = await startProcess(runTurn, { parkAfterMs: 20 });
  const expiresAt = Date.now() - 60_000;
  // The processes of these requests have died, and their turns cannot run again.
  await Promise.all(Array.from({ length: 150 }, () => ports.records.create(testRecord({ expiresAt }))));
  const stream = await ada.send("c1");
  await stream.request();
  await expect.poll(parked).toBe(1);
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: "expired" }));
});

test("when a turn runs again without a question that it asked before, the turn ends and leaves no request open", async () => {
  const { startProcess, parked } = await createDurableProcesses();
  const withTools = (...tools: string[]): RunTurn =>
    async function* run(turn) {
      yield { type: "start", messageId: turn.id };
      const outcomes = tools.map((name) =>
        turn.runner.tool({ id: `${turn.id}/${name}`, name }, async () => {
          const asked = await turn.ask({ ...CITY, message: name, tool: { id: name, name } });
          return asked.outcome;
        }),
      );
      yield* text((await Promise.all(outcomes)).join());
    };
  const before = await startProcess(withTools("book", "pay"), { parkAfterMs: 20 });
  const stream = await before.ada.send("c1");
  const book = await stream.request(0, asksFor("book"));
  const pay = await stream.request(0, asksFor("pay"));
  await expect.poll(parked).toBe(1);
  await before.runtime.close();
  // A slow database, so that the turn is tried to be parked before it has read the answer that it runs for.
  const after = await startProcess(withTools("pay"), {
    parkAfterMs: 20,
    withPorts: (ports) => ({
      ...ports,
      records: {
        ...ports.records,
        async get(id) {
          const found = await ports.records.get(id);
          await new Promise((resolve) => setTimeout(resolve, 100));
          return found;
        },
      },
    }),
  });
  const answer = { action: "accept", content: { city: "Rome" } };
  expect((await after.ada.answer("c1", { ...pay, ...answer })).status).toBe(200);
  await stream.done;
  expect(stream.chunks).toContainEqual(expect.objectContaining({ delta: "accepted" }));
  const left = await after.runtime.elicitations.get(book.elicitationId);
  expect(left?.status).toBe("withdrawn");
  const shown = stream.chunks.findLast(({ id }) => id === book.elicitationId);
  expect(shown).toMatchObject({ data: { resolution: { outcome: "withdrawn" } } });
  expect((await after.ada.answer("c1", { ...book, ...answer })).status).toBe(409);
  expect([...before.errors(), ...after.errors()]).toEqual([]);
});

test("a new message ends a parked turn before the next turn starts", async () => {
  const { startProcess, parked } = await createDurableProcesses();
  const [first, second] = [
    await startProcess(askOnce, { parkAfterMs: 20 }),
    await startProcess(askOnce, { parkAfterMs: 20 }),
  ];
  const before = await first.ada.send("c1");
  await before.request();
  await expect.poll(parked).toBe(1);
  const next = await second.ada.send("c1");
  const { elicitationId } = await next.request();
  await before.done;
  expect(before.chunks.at(-1)).toEqual({ type: "abort" });
  await first.ada.answer("c1", { elicitationId, action: "decline" });
  await next.done;
  expect(next.chunks).toContainEqual(expect.objectContaining({ delta: "declined" }));
  expect([...first.errors(), ...second.errors()]).toEqual([]);
});

test("a turn is not parked while it holds a connection, or while another of its tools works", async () => {
  const { startProcess, parkedConversations } = await createDurableProcesses();
  const works: (() => void)[] = [];
  const isHeld = (id: string) => id === "held";
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    const call = <T>(id: string, work: () => Promise<T>) =>
      turn.runner.tool({ id: `${turn.id}/${id}`, name: id }, work);
    const wait = async () => (await turn.ask(CITY)).outcome;
    const [outcome] = await Promise.all([
      call("ask", () => (isHeld(turn.conversationId) ? turn.runner.hold(wait) : wait())),
      turn.conversationId === "works"
        ? call("work", () => new Promise<void>((resolve) => works.push(resolve)))
        : undefined,
    ]);
    yield* text(outcome);
  };
  const { ada, errors } = await startProcess(runTurn, { parkAfterMs: 20 });
  const streams = await Promise.all(["held", "works"].map((id) => ada.send(id)));
  const asked = await Promise.all(streams.map((stream) => stream.request()));
  const other = await ada.send("free");
  // It asked after the others.
  await expect.poll(parkedConversations).toEqual(["free"]);
  expect(works).toHaveLength(1);
  works[0]?.();
  await expect.poll(parkedConversations).toEqual(["free", "works"]);
  for (const [index, id] of ["held", "works"].entries()) {
    await ada.answer(id, { ...asked[index], action: "decline" });
    await streams[index]!.done;
    expect(streams[index]!.chunks).toContainEqual(expect.objectContaining({ delta: "declined" }));
  }
  await other.cancel();
  expect(errors()).toEqual([]);
});

test("a `finally` in a tool runs where the turn continues, and not where it was parked", async () => {
  const { startProcess, parked } = await createDurableProcesses();
  const cleaned: number[] = [];
  let runs = 0;
  const cleaning: RunTurn = async function* cleans(turn) {
    yield { type: "start", messageId: turn.id };
    const said = await turn.runner.tool({ id: `${turn.id}/call`, name: "book" }, async () => {
      runs += 1;
      const nth = runs;
      try {
        return (await turn.ask(CITY)).outcome;
      } finally {
        cleaned.push(nth);
      }
    });
    yield* text(said);
  };
  const first = await startProcess(cleaning, { parkAfterMs: 20 });
  const second = await startProcess(cleaning, { parkAfterMs: false });
  const stream = await first.ada.send("c1");
  const { elicitationId } = await stream.request();
  await expect.poll(parked).toBe(1);
  await second.ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  await first.close();
  // Either process may continue the turn. The tool that was parked never ends.
  expect(cleaned).toEqual([2]);
});

test("a turn that asks in the background is parked when its agent has nothing else to do, and not before", async () => {
  const { startProcess, parked, left } = await createDurableProcesses();
  const work = createDeferred<void>();
  const runTurn: RunTurn = async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    for (const id of ["one", "two"]) {
      turn.background.run({ toolCallId: id, tool: "book" }, async () => {
        const asked = await turn.ask({ ...CITY, message: id });
        return `${id} ${asked.outcome}`;
      });
    }
    // Not recorded, as a tool that streams its progress.
    if (turn.conversationId === "works") await work.promise;
    for (;;) {
      const ended = await turn.background.next();
      if (ended.length === 0) return;
      for (const { output } of ended) yield* text(JSON.stringify(output));
    }
  };
  const { ada, errors } = await startProcess(runTurn, { parkAfterMs: 20 });
  const stream = await ada.send("works");
  const one = await stream.request(0, asksFor("one"));
  const two = await stream.request(0, asksFor("two"));
  const idle = await ada.send("idle");
  await expect.poll(parked).toBe(1);
  work.resolve();
  await expect.poll(parked).toBe(2);
  await ada.answer("works", { ...two, action: "decline" });
  await expect.poll(() => JSON.stringify(stream.chunks)).toContain("two declined");
  await expect.poll(parked).toBe(2);
  await ada.answer("works", { ...one, action: "decline" });
  await stream.done;
  expect(stream.chunks.filter(({ type }) => type === "text-delta")).toMatchObject([
    { delta: '"two declined"' },
    { delta: '"one declined"' },
  ]);
  expect(stream.chunks.at(-1)).toEqual({ type: "finish" });
  await ada.fetch("/run/api/chat/idle/stop", { method: "POST" });
  await idle.done;
  await expect.poll(left).toBe(0);
  expect(errors()).toEqual([]);
});

test(
  "fifty turns are parked in one process, and each continues with its own answer",
  { timeout: 120_000, tags: ["long"] },
  async () => {
    const { startProcess, parked, left } = await createDurableProcesses();
    const runTurn: RunTurn = async function* run(turn) {
      yield { type: "start", messageId: turn.id };
      yield* text(JSON.stringify(await turn.ask(CITY)));
    };
    const { ada, errors } = await startProcess(runTurn, { parkAfterMs: 200 });
    const ids = Array.from({ length: 50 }, (_, index) => `c${index}`);
    const streams = await Promise.all(ids.map((id) => ada.send(id)));
    const asked = await Promise.all(streams.map((stream) => stream.request()));
    await expect.poll(parked).toBe(ids.length);
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
    await expect.poll(left).toBe(0);
    expect(errors()).toEqual([]);
  },
);

/** Ports that take up to 40 ms to confirm each write of a record. */
function withSlowRecords(ports: PostgresPorts): PostgresPorts {
  let count = 0;
  const late = async <Result>(written: Promise<Result>) => {
    const result = await written;
    count += 1;
    await sleep((count % 5) * 10);
    return result;
  };
  const { create, compareAndSet } = ports.records;
  return {
    ...ports,
    records: {
      ...ports.records,
      create: (record) => late(create(record)),
      compareAndSet: (next: ElicitationRecord, settlement) => late(compareAndSet(next, settlement)),
    },
  };
}

test(
  "a question is shown before its turn is parked, even if storing the question is slow",
  { tags: ["long"] },
  async () => {
    const { startProcess, parked, left } = await createDurableProcesses();
    const runTurn: RunTurn = async function* run(turn) {
      yield { type: "start", messageId: turn.id };
      const questions = ["one", "two", "three"].map((message) => ({ ...CITY, message }));
      const isRound = turn.conversationId.startsWith("round");
      const results = await (isRound
        ? turn.askRound(questions)
        : Promise.all(questions.map((question) => turn.ask(question))));
      yield* text(results.map(({ outcome }) => outcome).join());
    };
    const { ada, errors } = await startProcess(runTurn, { parkAfterMs: 1, withPorts: withSlowRecords });
    const ids = Array.from({ length: 20 }, (_, index) => `${index % 2 === 0 ? "round" : "each"}-${index}`);
    await Promise.all(
      ids.map(async (id) => {
        const stream = await ada.send(id);
        const asked = await Promise.all(
          ["one", "two", "three"].map((message) => stream.request(0, asksFor(message))),
        );
        for (const { round } of asked) expect(round?.size).toBe(id.startsWith("round") ? 3 : undefined);
        for (const { elicitationId } of asked) await ada.answer(id, { elicitationId, action: "decline" });
        await stream.done;
        expect(stream.chunks).toContainEqual(
          expect.objectContaining({ delta: "declined,declined,declined" }),
        );
      }),
    );
    expect(await parked()).toBe(0);
    await expect.poll(left).toBe(0);
    expect(errors()).toEqual([]);
  },
);
