import { expect, onTestFinished, test, vi } from "vitest";
import { createChatClient, readStream } from "../../test/stages/chat-client.ts";
import { createManualClock } from "../base/testing/manual-clock.ts";
import { createDeferred } from "../base/deadlines.ts";
import { TAKEN_OVER } from "./ports/turn-runner.ts";
import { CITY, CONNECT, asking, createTestRuntime, LOG_KEPT_MS } from "../../test/stages/test-runtime.ts";
import {
  type RunTurn,
  createMemoryRecords,
  createMemoryTurnRunner,
  createMemoryTurnStream,
  createMemoryWaiter,
  createRuntime,
} from "./index.ts";
import type { ElicitationRecord, ElicitationRecords, TurnRunner, TurnStream, Waiter } from "./internal.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { originalOf } from "../base/foreign-error.ts";

const HOUR = 60 * 60 * 1000;

/** A wall clock that can be set. Its timers depend only on elapsed time. */
function createSettableClock() {
  const timers = createManualClock();
  let skew = 0;
  const clock: Clock = { now: () => timers.now() + skew, after: timers.after };
  return { clock, pass: timers.advance, jump: (ms: number) => (skew += ms) };
}

async function askedAda(clock: Clock) {
  const runtime = createTestRuntime(asking(CITY), { ports: { clock } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  return { runtime, ada, stream, elicitationId };
}

const ended = (outcome: string) =>
  expect.objectContaining({ delta: expect.stringContaining(`"${outcome}"`) });

test("a clock that jumps ahead expires a request at the next read, and the agent continues", async () => {
  const { clock, jump } = createSettableClock();
  const { ada, stream, elicitationId } = await askedAda(clock);
  jump(HOUR);
  expect((await ada.answer("c1", { elicitationId, action: "decline" })).status).toBe(410);
  await stream.done;
  expect(stream.chunks).toContainEqual(ended("expired"));
});

test("a clock that jumps a day and a half ahead, as after a long sleep, leaves no turn waiting forever", async () => {
  const { clock, jump, pass } = createSettableClock();
  const { ada, stream } = await askedAda(clock);
  jump(36 * HOUR);
  // Any read of the records deletes those that ended long ago.
  await ada.fetch("/run/api/elicitations/unknown");
  pass(600_000);
  await stream.done;
  expect(stream.chunks).toContainEqual(ended("expired"));
});

test("a clock that jumps back does not extend the ten minutes of a request", async () => {
  const { clock, jump, pass } = createSettableClock();
  const { ada, stream, elicitationId } = await askedAda(clock);
  jump(-24 * HOUR);
  pass(599_000);
  expect(await (await ada.fetch(`/run/api/elicitations/${elicitationId}`)).json()).toMatchObject({
    status: "pending",
  });
  pass(1_000);
  await stream.done;
  expect(stream.chunks).toContainEqual(ended("expired"));
});

test("a server that shuts down withdraws 100 waiting requests, and tells each chat why its stream ends", async () => {
  const runtime = createTestRuntime(asking(CITY));
  const people = Array.from({ length: 100 }, (_, index) =>
    createChatClient(runtime.fetch, { user: `u${index}` }),
  );
  const streams = await Promise.all(people.map((person) => person.send("c1")));
  const requests = await Promise.all(streams.map((stream) => stream.request()));
  await runtime.close();
  await Promise.all(streams.map(({ done }) => done));
  for (const [index, { chunks }] of streams.entries()) {
    expect(chunks.at(-2)).toMatchObject({
      data: { resolution: { outcome: "withdrawn", reason: "The server is shutting down." } },
    });
    expect(chunks.at(-1)).toEqual({ type: "error", errorText: "The server is shutting down." });
    const record = await runtime.elicitations.get(requests[index]?.elicitationId ?? "");
    expect(record?.status).toBe("withdrawn");
  }
  runtime.clock.advance(LOG_KEPT_MS);
  expect(runtime.clock.waiting).toBe(0);
  expect(runtime.errors).toEqual([]);
});

test("a server refuses new messages during and after shutdown, and tells the chat to try again", async () => {
  const { runtime, ada } = await askedAda(createManualClock());
  const closing = runtime.close();
  for (const path of ["/run/api/chat", "/run/v1/chat/completions"]) {
    const message = { id: "m1", role: "user", content: "Go", parts: [{ type: "text", text: "Go" }] };
    const refused = await ada.fetch(path, { body: { id: "c2", messages: [message], stream: true } });
    expect(refused.status).toBe(503);
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(await refused.json()).toEqual({
      title: "Not available",
      status: 503,
      detail: "The server is shutting down. Try again in a moment.",
    });
    await closing;
  }
  expect(runtime.clock.waiting).toBe(0);
});

test("a server that shuts down withdraws the requests of custom routes, and creates no new ones", async () => {
  const runtime = createTestRuntime(asking(CITY));
  const signal = new AbortController().signal;
  const scope = { turnId: "t1", conversationId: "c1", user: { id: "ada" }, signal };
  const asked = runtime.ask(scope, { ...CITY, elicitationId: "e1" });
  await expect.poll(() => runtime.elicitations.get("e1")).toBeDefined();
  await runtime.close();
  const record = await runtime.elicitations.get("e1");
  expect(record).toMatchObject({ status: "withdrawn", reason: "The server is shutting down." });
  expect(await asked).toEqual({ outcome: "withdrawn" });
  expect(await runtime.ask(scope, { ...CITY, elicitationId: "e2" })).toEqual({ outcome: "withdrawn" });
  expect(await runtime.elicitations.get("e2")).toBeUndefined();
  expect(runtime.clock.waiting).toBe(0);
});

test("a request stays open after its client disconnects, and can be answered in another window", async () => {
  const { runtime, ada, stream, elicitationId } = await askedAda(createManualClock());
  await stream.cancel();
  const { elicitations } = await (await ada.fetch("/run/api/elicitations?conversationId=c1")).json();
  expect(elicitations).toMatchObject([{ elicitationId }]);
  const second = readStream(await ada.fetch("/run/api/chat/c1/stream"));
  const answer = { elicitationId, action: "accept", content: { city: "Lisbon" } };
  expect((await ada.answer("c1", answer)).status).toBe(200);
  await second.done;
  expect(second.chunks).toContainEqual(ended("accepted"));
  expect(runtime.errors).toEqual([]);
});

test("when records cannot be written, the question fails but the server continues", async () => {
  const errors: unknown[] = [];
  const full = () => Promise.reject(new Error("database down"));
  const runtime = createRuntime({
    runTurn: asking(CITY),
    authenticate: () => ({ id: "ada" }),
    allowedOrigins: ["https://chat.example.com"],
    ports: { records: { create: full, get: full, compareAndSet: full, listOpen: full } },
    onError: (error) => errors.push(error),
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  await stream.done;
  expect(stream.chunks).toContainEqual(
    expect.objectContaining({ delta: '{"outcome":"failed","reason":"the request could not be made"}' }),
  );
  expect((await ada.fetch("/run/api/elicitations?conversationId=c1")).status).toBe(500);
  expect(errors.map((error) => String(originalOf(error)))).toEqual([
    "Error: database down",
    "Error: database down",
  ]);
});

test.each<[string, (error: unknown) => void]>([
  [
    "throws",
    () => {
      throw new Error("log down");
    },
  ],
  ["rejects", () => Promise.reject(new Error("log down"))],
])("an onError that %s does not stop the server: a question still expires in time", async (_, onError) => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => printed.mockRestore());
  const records = createMemoryRecords();
  const failing = [1, 2];
  const runtime = createTestRuntime(asking(CITY), {
    onError,
    ports: {
      records: {
        ...records,
        compareAndSet: (...args) =>
          failing.pop() !== undefined
            ? Promise.reject(new Error("database down"))
            : records.compareAndSet(...args),
      },
    },
  });
  const stream = await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
  await stream.request();
  runtime.clock.advance(600_000);
  for (const left of [1, 0]) {
    await vi.waitFor(() => {
      expect(failing).toHaveLength(left);
      expect(runtime.clock.waiting).toBeGreaterThan(1);
    });
    runtime.clock.advance(30_000);
  }
  await stream.done;
  expect(stream.chunks).toContainEqual(ended("expired"));
  expect(printed).toHaveBeenCalledWith(
    expect.stringMatching(/^elicit-kit: onError has failed/),
    expect.anything(),
  );
});

test("a tool that ignores its abort signal does not block the next message", async () => {
  const begun: string[] = [];
  const runtime = createTestRuntime(async function* run(turn) {
    begun.push(turn.id);
    yield { type: "start" };
    if (begun.length === 1) await new Promise<never>(() => {});
    yield { type: "finish" };
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const first = await ada.send("c1");
  await vi.waitFor(() => expect(first.chunks).toHaveLength(1));
  const second = await ada.send("c1");
  await first.done;
  await second.done;
  expect(first.chunks).toEqual([{ type: "start" }, { type: "abort" }]);
  expect(second.chunks).toEqual([{ type: "start" }, { type: "finish" }]);
});

test("an onTurnEnd that never resolves delays a stop and the next message by at most ten seconds", async () => {
  let kept = 0;
  const runtime = createTestRuntime(asking(CITY), {
    onTurnEnd: () => (++kept === 1 ? new Promise<never>(() => {}) : undefined),
  });
  const { clock } = runtime;
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const first = await ada.send("c1");
  await first.request();
  clock.advance(100_000);
  const stopping = ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
  await vi.waitFor(() => expect(kept).toBe(1));
  const second = await ada.send("c1");
  clock.advance(9_999);
  expect(second.chunks).toEqual([]);
  clock.advance(1);
  expect((await stopping).status).toBe(204);
  const { elicitationId } = await second.request();
  await ada.answer("c1", { elicitationId, action: "cancel" });
  await second.done;
  expect(second.chunks).toContainEqual(ended("cancelled"));
  await first.cancel();
  clock.advance(LOG_KEPT_MS);
  expect(clock.waiting).toBe(0);
});

/** A log that handles its second chunk with the given function. */
function withSecondAppend(append: TurnStream["append"]): TurnStream {
  const log = createMemoryTurnStream();
  let count = 0;
  return { ...log, append: (id, chunk, lease) => (++count === 2 ? append : log.append)(id, chunk, lease) };
}

async function* helloWorld() {
  yield { type: "start" };
  yield { type: "text-start", id: "t1" };
  yield { type: "finish" };
}

test("a log that fails once ends the turn with an error, not as complete, and does not delay the shutdown", async () => {
  const stream = withSecondAppend(() => Promise.reject(new Error("log down")));
  const runtime = createTestRuntime(helloWorld, { ports: { stream } });
  const read = await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
  await read.done;
  expect(read.chunks).toEqual([
    { type: "start" },
    { type: "error", errorText: "The assistant could not finish its answer." },
  ]);
  await runtime.close();
  expect(runtime.errors.map(originalOf)).toEqual([new Error("log down")]);
  expect(runtime.clock.waiting).toBe(0);
});

test("a log that never responds delays a stop and a shutdown by at most ten seconds", async () => {
  const appended = vi.fn<() => Promise<never>>(() => new Promise(() => {}));
  const runtime = createTestRuntime(helloWorld, { ports: { stream: withSecondAppend(appended) } });
  const { clock } = runtime;
  const read = await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
  await vi.waitFor(() => expect(appended).toHaveBeenCalledOnce());
  // First the keep-alive of the stream passes, then the time that the stop and the end of the turn wait.
  expect(clock.waiting).toBe(1);
  const closing = runtime.close();
  await vi.waitFor(() => expect(clock.waiting).toBe(3));
  clock.advance(10_000);
  await closing;
  await read.done;
  expect(clock.waiting).toBe(0);
});

/** A waiter that drops settlements until it is repaired. */
function createBrokenWaiter() {
  const { settle, ...others } = createMemoryWaiter();
  let isBroken = true;
  const waiter: Waiter = {
    ...others,
    settle: (id, settlement) =>
      isBroken ? Promise.reject(new Error("waiter down")) : settle(id, settlement),
  };
  return { waiter, mend: () => (isBroken = false) };
}

const ACCEPT_ROME = { action: "accept", content: { city: "Rome" } };

test("an answer that was stored but did not reach the agent reaches it when the chat sends the answer again", async () => {
  const { waiter, mend } = createBrokenWaiter();
  const runtime = createTestRuntime(asking(CITY), { ports: { waiter } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  expect((await ada.answer("c1", { elicitationId, ...ACCEPT_ROME })).status).toBe(500);
  mend();
  const other = { elicitationId, action: "accept", content: { city: "Paris" } };
  expect((await ada.answer("c1", other)).status).toBe(409);
  const again = await ada.answer("c1", { elicitationId, ...ACCEPT_ROME });
  expect(await again.json()).toMatchObject({ outcome: "accepted", alreadyProcessed: true });
  await stream.done;
  expect(stream.chunks).toContainEqual(
    expect.objectContaining({ delta: '{"outcome":"accepted","content":{"city":"Rome"}}' }),
  );
  runtime.clock.advance(LOG_KEPT_MS);
  expect(runtime.clock.waiting).toBe(0);
});

test("a sign-in that was stored but did not reach the agent reaches it when the chat reports completion again", async () => {
  const { waiter, mend } = createBrokenWaiter();
  const runtime = createTestRuntime(asking(CONNECT), { ports: { waiter } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await expect(runtime.elicitations.complete(elicitationId, async () => {})).rejects.toThrow("waiter down");
  mend();
  const finished = () => ada.answer("c1", { elicitationId, action: "accept" });
  // The process that ended the request may still be storing the credential.
  await finished();
  expect(stream.chunks).not.toContainEqual(ended("accepted"));
  runtime.clock.advance(30_000);
  expect(await (await finished()).json()).toMatchObject({ outcome: "accepted", alreadyProcessed: true });
  await stream.done;
  expect(stream.chunks).toContainEqual(ended("accepted"));
});

test("when an answer never reaches the agent, the agent continues without it soon after the expiry", async () => {
  const { waiter, mend } = createBrokenWaiter();
  const runtime = createTestRuntime(asking(CITY), { ports: { waiter } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.answer("c1", { elicitationId, ...ACCEPT_ROME });
  mend();
  runtime.clock.advance(600_000);
  // First the keep-alive of the stream passes, then the last check of the record.
  await vi.waitFor(() => expect(runtime.clock.waiting).toBe(2));
  runtime.clock.advance(30_000);
  await stream.done;
  expect(stream.chunks).toContainEqual(
    expect.objectContaining({
      delta: '{"outcome":"failed","reason":"the answer was lost; the user may be asked again"}',
    }),
  );
  runtime.clock.advance(LOG_KEPT_MS);
  expect(runtime.clock.waiting).toBe(0);
});

test("when a turn runs again, its question has the outcome in its record, even if the message about it was lost", async () => {
  const records = createMemoryRecords();
  const { signal } = new AbortController();
  const scope = { turnId: "t1", conversationId: "c1", user: { id: "ada" }, signal };
  const connect = { ...CONNECT, elicitationId: "e1" };
  const where = { ...CITY, elicitationId: "e2" };
  const before = createTestRuntime(asking(CITY), { ports: { records } });
  const asked = [before.ask(scope, connect), before.ask(scope, where)];
  await vi.waitFor(async () => expect(await records.listOpen("c1", "ada")).toHaveLength(2));
  const answer = {
    conversationId: "c1",
    elicitationId: "e2",
    action: "accept",
    content: { city: "Rome" },
  } as const;
  expect(await before.elicitations.complete("e1")).toBe(true);
  expect(await before.elicitations.answer(answer, "ada")).toMatchObject({ kind: "settled" });
  expect(await Promise.all(asked)).toMatchObject([{ outcome: "accepted" }, { content: { city: "Rome" } }]);

  const after = createTestRuntime(asking(CITY), { ports: { records } });
  const again = [after.ask(scope, connect), after.ask(scope, where)];
  await vi.waitFor(() => expect(after.clock.waiting).toBe(2));
  after.clock.advance(30_000);
  expect(await Promise.all(again)).toMatchObject([
    { outcome: "accepted" },
    { outcome: "failed", reason: "the answer was lost; the user may be asked again" },
  ]);
  expect(after.clock.waiting).toBe(0);
});

test("a log that cannot be read ends the stream with an error, reports it to the operator, and leaves no timer behind", async () => {
  const log = createMemoryTurnStream();
  const runtime = createTestRuntime(asking(CITY), {
    ports: {
      stream: {
        ...log,
        async *read(id, options) {
          for await (const entry of log.read(id, options)) {
            yield entry;
            if (options.live) throw new Error("log unreadable");
          }
        },
      },
    },
  });
  const read = await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
  await read.done;
  expect(read.chunks).toMatchObject([
    { type: "start" },
    { type: "error", errorText: "The assistant could not finish its answer." },
  ]);
  expect(runtime.errors.map(originalOf)).toEqual([new Error("log unreadable")]);
  await runtime.close();
  expect(runtime.clock.waiting).toBe(0);
});

test("a message whose log cannot be opened leaves the previous turn open, and a stop still ends it", async () => {
  const log = createMemoryTurnStream();
  let opened = 0;
  const open: TurnStream["open"] = (...args) =>
    ++opened === 2 ? Promise.reject(new Error("log down")) : log.open(...args);
  const runtime = createTestRuntime(asking(CITY), { ports: { stream: { ...log, open } } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const first = await ada.send("c1");
  const { elicitationId } = await first.request();
  expect((await ada.send("c1").then(({ response }) => response)).status).toBe(500);
  expect((await runtime.elicitations.get(elicitationId))?.status).toBe("pending");
  await ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
  await first.done;
  expect(first.chunks.at(-1)).toEqual({ type: "abort" });
});

test.each<[string, string | undefined, string, Readonly<Record<string, unknown>>]>([
  ["a stream of the OpenAI route", "ada", "/run/v1/chat/completions", { stream: true }],
  ["the one answer of a turn", "ada", "/run/v1/chat/completions", {}],
  ["a stream without a session", undefined, "/run/api/chat", { id: "c1", trigger: "submit-message" }],
])(
  "a client that disconnects %s while the turn cannot be stopped does not crash the process, and the failure is logged",
  async (_, user, path, body) => {
    const parked = createDeferred<void>();
    const runner: TurnRunner = {
      ...createMemoryTurnRunner(),
      register: (_name, run) => async (turnId, input) => {
        const letGo = AbortSignal.abort(TAKEN_OVER);
        await run(turnId, input, { stop: new AbortController().signal, letGo });
        parked.resolve();
      },
      stop: () => Promise.reject(new Error("database down")),
    };
    const runtime = createTestRuntime(asking(CITY), {
      ports: { runner },
      limits: { anonymousKey: () => "stranger" },
    });
    const client = createChatClient(runtime.fetch, { user });
    const gone = new AbortController();
    const messages = [{ id: "m1", role: "user", content: "Go", parts: [{ type: "text", text: "Go" }] }];
    const replied = client.fetch(path, { body: { ...body, messages }, signal: gone.signal });
    await parked.promise;
    if (body["stream"] === undefined && user !== undefined) gone.abort();
    else await (await replied).body?.cancel();
    await expect.poll(() => runtime.errors.map(originalOf)).toEqual([new Error("database down")]);
  },
);

test("when the server cannot wait for an answer, the request fails, so that no user answers it in vain", async () => {
  const memory = createMemoryWaiter();
  const waiter: Waiter = { ...memory, wait: () => Promise.reject(new Error("waiter down")) };
  const runtime = createTestRuntime(asking(CITY), { ports: { waiter } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  await stream.done;
  expect(stream.chunks).toContainEqual(
    expect.objectContaining({
      delta: '{"outcome":"failed","reason":"the server could not wait for the answer"}',
    }),
  );
  const cards = stream.chunks.filter(({ type }) => type === "data-elicitation-request");
  expect(cards.at(-1)).toMatchObject({ data: { resolution: { outcome: "failed" } } });
  expect(await (await ada.fetch("/run/api/elicitations?conversationId=c1")).json()).toEqual({
    elicitations: [],
  });
  expect(runtime.errors.map(originalOf)).toEqual([new Error("waiter down")]);
});

/** Records whose `get` returns a stored value only after `lag` reads. */
function createLaggingRecords(lag: number) {
  const memory = createMemoryRecords();
  const seen = new Map<string, { shown: ElicitationRecord; looks: number }>();
  const records: ElicitationRecords = {
    ...memory,
    async get(id) {
      const now = await memory.get(id);
      if (now === undefined) return undefined;
      const known = seen.get(id) ?? { shown: now, looks: 0 };
      known.looks += known.shown === now ? 0 : 1;
      if (known.looks > lag) Object.assign(known, { shown: now, looks: 0 });
      seen.set(id, known);
      return known.shown;
    },
  };
  return records;
}

test("when the store returns old records, a second answer still gets the outcome of the first", async () => {
  const records = createLaggingRecords(5);
  const runtime = createTestRuntime(asking(CITY), { ports: { records, clock: systemClock } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.fetch(`/run/api/elicitations/${elicitationId}`);
  expect((await ada.answer("c1", { elicitationId, action: "decline" })).status).toBe(200);
  const late = await ada.answer("c1", { elicitationId, ...ACCEPT_ROME });
  expect(await late.json()).toMatchObject({ status: 409, outcome: "declined" });
  await stream.done;
  expect(runtime.errors).toEqual([]);
});

test("when the store never returns what was stored, the error tells the operator what get() must do", async () => {
  const records = createLaggingRecords(Number.POSITIVE_INFINITY);
  const runtime = createTestRuntime(asking(CITY), { ports: { records } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  await ada.fetch(`/run/api/elicitations/${elicitationId}`);
  await ada.answer("c1", { elicitationId, action: "decline" });
  await stream.done;
  let late: Response | undefined;
  const answered = ada.answer("c1", { elicitationId, ...ACCEPT_ROME }).then((response) => (late = response));
  await vi.waitUntil(() => {
    runtime.clock.advance(1000);
    return late !== undefined;
  });
  expect((await answered).status).toBe(500);
  expect(String(runtime.errors)).toContain("get() of the records must return");
});

test("a clock that is set back an hour does not lock a user out for an hour", async () => {
  const { clock, jump } = createSettableClock();
  const runtime = createTestRuntime(asking(CITY), { ports: { clock }, limits: { writesPerMinute: 1 } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const write = async () => (await ada.answer("c1", { elicitationId: "unknown", action: "decline" })).status;
  expect([await write(), await write()]).toEqual([404, 429]);
  jump(-HOUR);
  expect([await write(), await write()]).toEqual([404, 429]);
});

test("a turn that is stopped while its last chunk is written has only one end chunk", async () => {
  const stream = createMemoryTurnStream();
  const isWriting = createDeferred<void>();
  const goOn = createDeferred<void>();
  const isStopped = createDeferred<void>();
  const runTurn: RunTurn = async function* run({ signal }) {
    signal.addEventListener("abort", () => isStopped.resolve());
    yield { type: "start" };
    yield { type: "finish" };
  };
  const runtime = createTestRuntime(runTurn, {
    ports: {
      stream: {
        ...stream,
        async append(turnId, chunk, lease) {
          if (chunk.type === "finish") {
            isWriting.resolve();
            await goOn.promise;
          }
          await stream.append(turnId, chunk, lease);
        },
      },
    },
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const sent = await ada.send("c1");
  await isWriting.promise;
  const stopped = ada.fetch("/run/api/chat/c1/stop", { method: "POST" });
  await isStopped.promise;
  goOn.resolve();
  await Promise.all([stopped, sent.done]);
  expect(sent.chunks.map(({ type }) => type)).toEqual(["start", "finish"]);
});

test("a turn whose end chunk is stored although the log reports an error has only one end chunk", async () => {
  const stream = createMemoryTurnStream();
  async function* runTurn() {
    yield { type: "start" };
    yield { type: "finish" };
  }
  const runtime = createTestRuntime(runTurn, {
    ports: {
      stream: {
        ...stream,
        async append(turnId, chunk, lease) {
          await stream.append(turnId, chunk, lease);
          if (chunk.type === "finish") throw new Error("the reply was lost");
        },
      },
    },
  });
  const sent = await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
  await sent.done;
  expect(sent.chunks.map(({ type }) => type)).toEqual(["start", "finish"]);
  expect(runtime.errors).toHaveLength(1);
});

test("an answer whose request expires while it is being stored is too late", async () => {
  const { clock, jump } = createSettableClock();
  const records = createMemoryRecords({ clock });
  let isRaced = false;
  const runtime = createTestRuntime(asking(CITY), {
    ports: {
      clock,
      records: {
        ...records,
        async compareAndSet(next, settlement) {
          if (next.status !== "accepted" || isRaced) return records.compareAndSet(next, settlement);
          isRaced = true;
          // Another process was first, with a change that keeps the request open.
          await records.compareAndSet({ ...next, status: "pending", endedAt: undefined });
          jump(HOUR);
          return records.compareAndSet(next, settlement);
        },
      },
    },
  });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const { elicitationId } = await stream.request();
  const answer = { elicitationId, action: "accept", content: { city: "Rome" } };
  expect((await ada.answer("c1", answer)).status).toBe(410);
  await stream.done;
  expect(stream.chunks).toContainEqual(ended("expired"));
});
