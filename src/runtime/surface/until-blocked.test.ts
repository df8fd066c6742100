import { expect, test, vi } from "vitest";
import { CITY, CONNECT, createTestRuntime, text } from "../../../test/stages/test-runtime.ts";
import { type RunTurn, createMemoryTurnStream } from "../index.ts";
import {
  type SurfaceTurn,
  type TurnStream,
  type UntilBlockedOptions,
  eventOf,
  untilBlocked,
  wantsAnswer,
} from "../internal.ts";

const ADA = { id: "ada" };

async function setUp(runTurn: RunTurn, stream?: TurnStream) {
  const runtime = createTestRuntime(runTurn, { ports: { stream } });
  const { clock } = runtime;
  const supports = { url: true, form: true };
  const turn = await runtime
    .surface("pigeon")
    .start({ user: ADA, conversationId: "c1", messages: [], supports, keepMs: 60_000 });
  if ("refused" in turn) throw new Error(turn.refused);

  /** Reads in the background and reports its progress. */
  function read(options: Partial<UntilBlockedOptions> = {}) {
    const seen: string[] = [];
    const abort = new AbortController();
    let state = "reads";
    const onEntry: UntilBlockedOptions["onEntry"] = ({ chunk }) => void seen.push(chunk.type);
    const paused = untilBlocked(turn as SurfaceTurn, { signal: abort.signal, onEntry, clock, ...options });
    void paused.then((pause) => (state = pause.state));
    return { seen, paused, abort, state: () => state };
  }

  /** Advances the clock by `ms` in small steps, and lets pending work run in between. */
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 50) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(50);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { runtime, turn, read, pass };
}

test("a turn is read until it waits for an answer and nothing happens, so that parallel questions are returned together", async () => {
  const { turn, read, pass } = await setUp(async function* run(agent) {
    yield { type: "start" };
    const asked = [agent.ask(CITY), agent.ask(CONNECT)];
    yield* text((await Promise.all(asked)).map(({ outcome }) => outcome).join(" "));
  });
  const first = read();
  await pass(200);
  expect(first.state()).toBe("reads");
  await pass(100);
  const pause = await first.paused;
  expect(pause).toMatchObject({ state: "blocked", after: 2, requests: [{ mode: "form" }, { mode: "url" }] });
  expect(first.seen).toEqual(["start", "data-elicitation-request", "data-elicitation-request"]);

  // One of two questions is answered, and the other still blocks.
  const [form, url] = pause.requests;
  await turn.answer([{ elicitationId: form!.elicitationId, action: "decline" }]);
  const second = read({ after: pause.after });
  await pass(300);
  expect(await second.paused).toMatchObject({ state: "blocked", after: 3, requests: [{ mode: "url" }] });
  expect(second.seen).toEqual(["data-elicitation-request"]);

  await turn.answer([{ elicitationId: url!.elicitationId, action: "cancel" }]);
  const third = read({ after: 3 });
  expect(await third.paused).toEqual({ state: "ended", after: 8, requests: [] });
  expect(third.seen).toEqual(["data-elicitation-request", "text-start", "text-delta", "text-end", "finish"]);
});

test("reading waits for tool input that the model is still writing, for at most five seconds", async () => {
  const { read, pass } = await setUp(async function* run(agent) {
    yield { type: "tool-input-start", toolCallId: "call_1", toolName: "book" } as never;
    yield { type: "tool-input-delta", toolCallId: "call_1", inputTextDelta: "{" } as never;
    await agent.ask(CITY);
  });
  const paused = read();
  await pass(4900);
  expect(paused.state()).toBe("reads");
  await pass(200);
  expect(paused.state()).toBe("blocked");
});

test("a question is returned after five seconds even if the agent never stops writing", async () => {
  const { runtime, read, pass } = await setUp(async function* run(agent) {
    void agent.ask(CITY);
    for (;;) {
      yield { type: "data-tick" };
      await new Promise<void>((resolve) => runtime.clock.after(100, resolve));
    }
  });
  const paused = read();
  await pass(4900);
  expect(paused.state()).toBe("reads");
  await pass(300);
  expect(paused.state()).toBe("blocked");
  await runtime.close();
});

test("reading continues for at most fifty seconds after the user has consented to open a page", async () => {
  const { turn, read, pass } = await setUp(async function* run(agent) {
    yield* text((await agent.ask(CONNECT)).outcome);
  });
  const asked = read();
  await pass(300);
  const { requests, after } = await asked.paused;
  const { elicitationId } = requests[0]!;
  await turn.answer([{ elicitationId, action: "accept", acceptMeans: "consent" }]);
  const held = read({ after });
  await pass(50_000);
  expect(held.state()).toBe("reads");
  await pass(400);
  expect(await held.paused).toMatchObject({ state: "consented", requests: [{ elicitationId }] });
});

test("a turn without questions is read to its end, and an abort ends only the reading", async () => {
  const { turn, read, pass } = await setUp(async function* run(agent) {
    yield { type: "start" };
    await new Promise((resolve) => agent.signal.addEventListener("abort", resolve));
  });
  const impatient = read();
  await pass(1000);
  impatient.abort.abort();
  expect(await impatient.paused).toEqual({ state: "aborted", after: 0, requests: [] });
  const patient = read();
  await pass(60_000);
  expect(patient.state()).toBe("reads");
  await turn.stop("enough");
  expect(await patient.paused).toEqual({ state: "ended", after: 1, requests: [] });
});

test("an unreadable log causes an error, unless the reading was aborted", async () => {
  const log = createMemoryTurnStream();
  const open = vi.fn<() => Promise<[]>>(async () => []);
  const broken = {
    open,
    read: () => ({
      ...log.read("t1", { live: true, signal: AbortSignal.abort() }),
      [Symbol.asyncIterator]: fail,
    }),
  };
  function fail(): AsyncIterator<never> {
    return { next: () => Promise.reject(new Error("log unreadable")) };
  }
  const { signal } = new AbortController();
  await expect(untilBlocked(broken, { signal })).rejects.toThrow("log unreadable");
  expect((await untilBlocked(broken, { signal: AbortSignal.abort() })).state).toBe("aborted");
});

test.each([
  ["asked", {}, true],
  ["failed on the page, to be tried again", { progress: { status: "pending", lastError: "denied" } }, true],
  ["consented to", { progress: { status: "consented" } }, false],
  ["done, but not settled", { progress: { status: "completed" } }, false],
  ["ended", { resolution: { outcome: "declined", at: "2026-11-20T12:00:00Z" } }, false],
] as const)("whether a request needs an answer depends on its progress: one that is %s", (_, more, wants) => {
  const request = {
    type: "elicitation-request",
    elicitationId: "e1",
    mode: "url",
    message: "Connect.",
    url: "https://auth.example.com",
  } as const;
  expect(wantsAnswer({ ...request, ...more })).toBe(wants);
});

test.each([
  ["a piece of text", { type: "text-delta", id: "1", delta: "Hi" }, { kind: "text", text: "Hi" }],
  ["an error", { type: "error", errorText: "Failed." }, { kind: "error", text: "Failed." }],
  [
    "a chunk with a delta of another shape",
    { type: "text-delta", id: "1", delta: 1 },
    { kind: "chunk", chunk: { type: "text-delta", id: "1", delta: 1 } },
  ],
])("eventOf reads %s", (_, chunk, event) => {
  expect(eventOf({ chunk })).toEqual(event);
});

test("tool input of a discarded step does not delay a question", async () => {
  const stream = createMemoryTurnStream();
  let fence = 0;
  const { turn, read, pass } = await setUp(
    async function* run(agent) {
      yield { type: "start" };
      yield { type: "tool-input-start", toolCallId: "c1", toolName: "book" };
      await agent.ask(CITY);
    },
    {
      ...stream,
      async lease(turnId) {
        const lease = await stream.lease(turnId);
        ({ fence } = lease);
        return lease;
      },
    },
  );
  const reading = read();
  await pass(1000);
  expect(reading.state()).toBe("reads");
  await stream.discard(turn.id, 1, { fence });
  await pass(400);
  expect(reading.state()).toBe("blocked");
});
