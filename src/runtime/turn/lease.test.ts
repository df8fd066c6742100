import { expect, test } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { createDurableEngine } from "../../../test/stages/durable-engine.ts";
import { CITY, asking, createTestRuntime, text } from "../../../test/stages/test-runtime.ts";
import {
  type RunTurn,
  createMemoryRecords,
  createMemoryTurnRunner,
  createMemoryTurnStream,
  createMemoryWaiter,
} from "../index.ts";
import type { ElicitationResult, SurfaceTurn, TurnRunner, TurnSignals } from "../internal.ts";

const never = new AbortController().signal;

/** Processes on one engine, with an agent that reports what it does. */
function setUp() {
  const engine = createDurableEngine();
  const records = createMemoryRecords();

  function startProcess() {
    const did: string[] = [];
    const runner = engine.startProcess();
    const ports = { records, waiter: engine.waiter, stream: engine.stream, runner };
    const runtime = createTestRuntime(
      async function* run(turn) {
        yield { type: "start" };
        turn.signal.addEventListener("abort", () => did.push("aborted"));
        const result: ElicitationResult = await turn.runner.tool({ id: `${turn.id}/ask`, name: "ask" }, () =>
          turn.ask(CITY),
        );
        did.push(result.outcome);
        yield* text(JSON.stringify(result));
      },
      { ports, onTurnEnd: () => void did.push("kept") },
    );
    return { runtime, runner, did, ada: createChatClient(runtime.fetch, { user: "ada" }) };
  }
  return { startProcess };
}

const ROME = { action: "accept", content: { city: "Rome" } };

test("a process that has lost a turn to another one ends no request, writes nothing and continues no tool", async () => {
  const { startProcess } = setUp();
  const [first, second] = [startProcess(), startProcess()];
  const stream = await first.ada.send("c1");
  const { elicitationId } = await stream.request();
  const recovered = second.runner.recover();
  await expect.poll(() => first.did).toEqual(["aborted"]);
  expect((await second.runtime.elicitations.get(elicitationId))?.status).toBe("pending");

  expect((await first.ada.answer("c1", { elicitationId, ...ROME })).status).toBe(200);
  await Promise.all([stream.done, recovered]);
  expect(first.did).toEqual(["aborted"]);
  expect(second.did).toEqual(["accepted", "aborted", "kept"]);
  expect(stream.chunks.map(({ type }) => type)).toEqual([
    "start",
    "data-elicitation-request",
    "data-elicitation-request",
    "text-start",
    "text-delta",
    "text-end",
    "finish",
  ]);
  await Promise.all([first.runtime.close(), second.runtime.close()]);
  expect([...first.runtime.errors, ...second.runtime.errors]).toEqual([]);
});

test("a turn whose process crashed can be stopped from any other process, and does not run again", async () => {
  const { startProcess } = setUp();
  const [first, second, third] = [startProcess(), startProcess(), startProcess()];
  const stream = await first.ada.send("c1");
  const { elicitationId } = await stream.request();
  first.runner.die();
  expect((await second.ada.fetch("/run/api/chat/c1/stop", { method: "POST" })).status).toBe(204);
  await stream.done;
  expect(stream.chunks.at(-1)).toEqual({ type: "abort" });
  expect((await second.runtime.elicitations.get(elicitationId))?.status).toBe("withdrawn");
  await third.runner.recover();
  expect(third.did).toEqual([]);
  expect((await third.ada.fetch("/run/api/chat/c1/stream")).status).toBe(204);
  const next = await third.ada.send("c1");
  await next.request();
  await third.runtime.close();
});

test("a turn that runs again ends when the user stops it before it has asked its question again", async () => {
  const { startProcess } = setUp();
  const first = startProcess();
  const stream = await first.ada.send("c1");
  const { elicitationId } = await stream.request();
  first.runner.die();
  const second = startProcess();
  const recovered = second.runner.recover();
  expect((await second.ada.fetch("/run/api/chat/c1/stop", { method: "POST" })).status).toBe(204);
  await Promise.all([recovered, stream.done]);
  expect((await second.runtime.elicitations.get(elicitationId))?.status).toBe("withdrawn");
  expect(stream.chunks.at(-1)).toEqual({ type: "abort" });
});

test("a turn of a surface without a connection is delivered again when another process runs it", async () => {
  const engine = createDurableEngine();
  const records = createMemoryRecords();
  function startProcess() {
    const runner = engine.startProcess();
    const delivered: string[] = [];
    const ports = { records, waiter: engine.waiter, stream: engine.stream, runner };
    const runtime = createTestRuntime(
      async function* run(turn) {
        yield* text((await turn.ask(CITY)).outcome);
      },
      { ports },
    );
    const surface = runtime.surface("pigeon", {
      async deliver(turn: SurfaceTurn) {
        for await (const { chunk } of turn.read({ live: true, signal: never })) delivered.push(chunk.type);
      },
    });
    return { runtime, runner, surface, delivered };
  }
  const [first, second] = [startProcess(), startProcess()];
  const user = { id: "ada" };
  const supports = { url: true, form: true };
  const turn = await first.surface.start({ user, conversationId: "c1", messages: [], supports });
  if ("refused" in turn) throw new Error(turn.refused);
  await expect.poll(() => first.delivered).toEqual(["data-elicitation-request"]);
  const recovered = second.runner.recover();
  await expect.poll(() => second.delivered).toEqual(["data-elicitation-request"]);
  const found = await second.surface.find(user, { turnId: turn.id });
  const [open] = (await found?.open()) ?? [];
  await found?.answer([{ elicitationId: open!.elicitationId, action: "decline" }]);
  await recovered;
  expect(second.delivered).toContain("text-delta");
  // The process that released the turn has stopped reading, so clients do not get the rest twice.
  expect(first.delivered).toEqual(["data-elicitation-request"]);
  expect(first.runtime.errors).toEqual([]);
});

test("processes that share only the log can stop the turns of each other", async () => {
  const ports = {
    records: createMemoryRecords(),
    waiter: createMemoryWaiter(),
    stream: createMemoryTurnStream(),
  };
  const did: string[] = [];
  const [here, there] = [1, 2].map(() =>
    createTestRuntime(
      async function* run(turn) {
        turn.signal.addEventListener("abort", () => did.push("aborted"));
        yield* text((await turn.ask(CITY)).outcome);
      },
      { ports: { ...ports, runner: createMemoryTurnRunner() } },
    ),
  );
  const stream = await createChatClient(here!.fetch, { user: "ada" }).send("c1");
  const { elicitationId } = await stream.request();
  const ada = createChatClient(there!.fetch, { user: "ada" });
  expect((await ada.fetch("/run/api/chat/c1/stop", { method: "POST" })).status).toBe(204);
  await stream.done;
  expect(stream.chunks.at(-1)).toEqual({ type: "abort" });
  expect((await there!.elicitations.get(elicitationId))?.status).toBe("withdrawn");
  await expect.poll(() => did).toEqual(["aborted"]);
  expect((await ada.fetch("/run/api/chat/c1/stream")).status).toBe(204);
  expect([...here!.errors, ...there!.errors]).toEqual([]);
});

test("a stop that arrives while a turn starts in another process stops it there as soon as it runs", async () => {
  const records = createMemoryRecords();
  const waiter = createMemoryWaiter();
  const stream = createMemoryTurnStream();
  const runner = createMemoryTurnRunner();
  const run: RunTurn = async function* run(turn) {
    yield* text((await turn.ask(CITY)).outcome);
  };
  let begin: (() => void) | undefined;
  const mayBegin = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const here = createTestRuntime(run, {
    ports: {
      records,
      waiter,
      stream,
      runner: {
        ...runner,
        register: (name, body) => {
          const start = runner.register(name, body);
          return async (turnId, input) => {
            await mayBegin;
            await start(turnId, input);
          };
        },
      },
    },
  });
  const there = createTestRuntime(run, {
    ports: {
      records,
      waiter,
      runner,
      stream: {
        ...stream,
        // The other process begins between this lease and its use.
        async lease(turnId) {
          const lease = await stream.lease(turnId);
          begin?.();
          await expect.poll(() => lease.lost.aborted).toBe(true);
          return lease;
        },
      },
    },
  });
  const chat = await createChatClient(here.fetch, { user: "ada" }).send("c1");
  const ada = createChatClient(there.fetch, { user: "ada" });
  expect((await ada.fetch("/run/api/chat/c1/stop", { method: "POST" })).status).toBe(204);
  await chat.done;
  expect(chat.chunks.at(-1)).toEqual({ type: "abort" });
  expect(await (await ada.fetch("/run/api/elicitations?conversationId=c1")).json()).toEqual({
    elicitations: [],
  });
  expect([...here.errors, ...there.errors]).toEqual([]);
});

test("only the process that holds the lease of a turn can append to its log", async () => {
  const log = createMemoryTurnStream();
  const turn = { turnId: "t1", conversationId: "c1", userId: "ada", surface: "chat", keepMs: 0 };
  await log.open(turn, { replace: true });
  const before = await log.lease("t1");
  await log.append("t1", { type: "start" }, before);
  const after = await log.lease("t1");
  expect(before.lost.aborted).toBe(true);
  expect(after.lost.aborted).toBe(false);
  await expect(log.append("t1", { type: "late" }, before)).rejects.toThrow("taken over");
  await expect(log.close("t1", before)).rejects.toThrow("taken over");
  expect((await log.get("t1"))?.ended).toBe(false);
  await log.close("t1", after);
  expect(await log.get("t1")).toBeUndefined();
});

test("only the newest logs of ended turns are kept, up to the limit", async () => {
  const log = createMemoryTurnStream({ limit: 2 });
  for (const turnId of ["t1", "t2", "t3"]) {
    const turn = { turnId, conversationId: turnId, userId: "ada", surface: "pigeon", keepMs: 60_000 };
    await log.open(turn, { replace: true });
    await log.close(turnId, await log.lease(turnId));
  }
  expect(await Promise.all(["t1", "t2", "t3"].map((id) => log.get(id)))).toMatchObject([
    undefined,
    { turnId: "t2", ended: true },
    { turnId: "t3", ended: true },
  ]);
});

test("a turn that is stopped before its process has begun it ends, and the user can send another message", async () => {
  const memory = createMemoryTurnRunner();
  let isFirst = true;
  let refuse = () => {};
  const runtime = createTestRuntime(
    async function* run() {
      yield { type: "start" };
      yield* text("Hello.");
    },
    {
      ports: {
        runner: {
          ...memory,
          register(name, body) {
            const start = memory.register(name, body);
            return async (turnId, input) => {
              if (!isFirst) return start(turnId, input);
              isFirst = false;
              // The process looked dead, and then stopped the turn itself.
              await new Promise<void>((resolve) => (refuse = resolve));
            };
          },
          async stop(turnId, reason) {
            refuse();
            return memory.stop(turnId, reason);
          },
        },
      },
    },
  );
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stopped = await ada.send("c1");
  expect((await ada.fetch("/run/api/chat/c1/stop", { method: "POST" })).status).toBe(204);
  await stopped.done;
  expect(stopped.chunks.map(({ type }) => type)).toEqual(["abort"]);
  const next = await ada.send("c1");
  await next.done;
  expect(next.chunks).toContainEqual(expect.objectContaining({ delta: "Hello." }));
});

test("a turn that runs in its first process again withdraws the requests that it asked in other processes", async () => {
  const ports = {
    records: createMemoryRecords(),
    waiter: createMemoryWaiter(),
    stream: createMemoryTurnStream(),
  };
  /** A process whose engine runs a turn when the test asks for it. */
  function startProcess() {
    let run: ((turnId: string, input: string, signals: TurnSignals) => Promise<void>) | undefined;
    let opened: readonly [turnId: string, input: string] | undefined;
    const runner: TurnRunner = {
      ...createMemoryTurnRunner(),
      register(_, body) {
        run = (turnId, input, signals) => body(turnId, JSON.parse(input), signals);
        return (turnId, input) => {
          opened = [turnId, JSON.stringify(input)];
          return new Promise(() => {});
        };
      },
    };
    const runtime = createTestRuntime(asking(CITY), { ports: { ...ports, runner } });
    const ada = createChatClient(runtime.fetch, { user: "ada" });
    return {
      ada,
      opened: () => opened!,
      run: (...turn: Parameters<NonNullable<typeof run>>) => run!(...turn),
    };
  }
  const [first, second] = [startProcess(), startProcess()];
  const stream = await first.ada.send("c1");
  const [turnId, input] = first.opened();
  const letGo = new AbortController();
  const elsewhere = second.run(turnId, input, { stop: never, letGo: letGo.signal, run: 2 });
  const { elicitationId } = await stream.request();
  letGo.abort();
  await elsewhere;
  expect((await ports.records.get(elicitationId))?.status).toBe("pending");

  const stop = AbortSignal.abort(new DOMException("Stopped.", "AbortError"));
  await first.run(turnId, input, { stop, letGo: never, run: 3 });
  await stream.done;
  expect((await ports.records.get(elicitationId))?.status).toBe("withdrawn");
  expect(stream.chunks.at(-1)).toEqual({ type: "abort" });
});
