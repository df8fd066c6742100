import { expect, test } from "vitest";
import { createManualClock } from "../../../src/base/testing/manual-clock.ts";
import {
  type RunTurn,
  createMemoryRecords,
  createMemoryTurnStream,
  createRuntime,
} from "../../../src/runtime/index.ts";
import { createDurableEngine } from "../../../test/stages/durable-engine.ts";
import { createSlackStage } from "../../../test/stages/slack/slack-stage.ts";
import { talking } from "../../../test/stages/slack/talking.ts";
import { CITY, text } from "../../../test/stages/test-runtime.ts";
import { createMemoryDrafts } from "../answers/drafts.ts";
import { createSlackSurface } from "../index.ts";

/** Two processes, of which only the first runs at first. */
function setUp(runTurn = talking(CITY)) {
  const engine = createDurableEngine();
  const records = createMemoryRecords();
  /** From then on, requests of the first process no longer reach Slack. */
  let isCut = false;
  let current: (request: Request) => Promise<Response> = async () => new Response();
  const drafts = createMemoryDrafts(createManualClock());
  const startProcess = () => {
    const runner = engine.startProcess();
    return { runner, ports: { runner, records, waiter: engine.waiter, stream: engine.stream } };
  };
  const first = startProcess();
  const stage = createSlackStage(runTurn, {
    runtime: { ports: first.ports },
    slack: { app: (request) => current(request) },
    surface: {
      drafts,
      fetch: (input, init) => (isCut ? new Promise<never>(() => undefined) : stage.slack.fetch(input, init)),
    },
  });
  current = stage.surface.fetch;
  const { slack, clock } = stage;

  function startSecond() {
    const { runner, ports } = startProcess();
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const runtime = createRuntime({
      ports: { ...ports, clock },
      runTurn,
      authenticate: () => undefined,
      allowedOrigins: [],
      onError,
    });
    const surface = createSlackSurface({
      runtime,
      signingSecret: slack.signingSecret,
      token: slack.token,
      drafts,
      userOf: ({ user }) => (user === "UADA" ? { id: "ada" } : undefined),
      fetch: slack.fetch,
      clock,
      onError,
    });
    return { runner, surface, errors, takeOver: () => (current = surface.fetch) };
  }
  /** The first process fails as in a power cut: it cannot even end its stream. */
  function crash() {
    isCut = true;
    first.runner.die();
  }

  return { stage, first, crash, startSecond };
}

test("after a restart, an open request keeps its message, and the turn continues with the answer", async () => {
  const { stage, first, startSecond } = setUp();
  const { slack, ada, ops } = stage;
  const thread = await stage.ask();
  const question = await stage.shown(thread, "Where to?");
  first.runner.die();
  const second = startSecond();
  const recovered = second.runner.recover();
  second.takeOver();

  await ada.press(question, "Answer…");
  await ada.submit({ City: "Rome" });
  await stage.shown(thread, "It was accepted.");
  expect(question.text).toBe("✓ Sent");
  await stage.until(() => slack.messages(ops, thread).at(-1)?.streamingState === "completed");
  expect(slack.messages(ops, thread).map(({ text: said }) => said)).toEqual([
    `${slack.mention} go`,
    "Let me look. ",
    "✓ Sent",
    "It was accepted.",
  ]);
  await recovered;
  expect(second.errors).toEqual([]);
});

test("a click that arrives in a process without the turn counts, and the message shows the answer", async () => {
  const { stage, startSecond } = setUp();
  const thread = await stage.ask();
  const question = await stage.shown(thread, "Where to?");
  startSecond().takeOver();
  await stage.ada.press(question, "Answer…");
  await stage.ada.submit({ City: "Rome" });
  await stage.shown(thread, "It was accepted.");
  expect(await stage.until(() => JSON.stringify(question.blocks).includes("City: Rome"))).toBeTruthy();
});

test("values that a user typed before a restart are in the modal that the next process opens", async () => {
  const { stage, first, startSecond } = setUp();
  const thread = await stage.ask();
  const question = await stage.shown(thread, "Where to?");
  await stage.ada.press(question, "Answer…");
  await stage.ada.enter({ City: "Rome" });
  await stage.ada.close();
  first.runner.die();
  const second = startSecond();
  const recovered = second.runner.recover();
  second.takeOver();
  await stage.ada.press(question, "Answer…");
  expect(JSON.stringify(stage.ada.view()?.values)).toContain("Rome");
  expect(await stage.ada.submit()).toEqual({});
  await stage.shown(thread, "It was accepted.");
  await recovered;
});

test("a click on a request whose process has ended gets the reply that it is no longer open", async () => {
  const before = createSlackStage(talking(CITY));
  const question = await before.shown(await before.ask(), "Where to?");
  const after = createSlackStage(talking(CITY));
  await after.ada.press({ ...question, channel: after.ops.id }, "Decline");
  expect(after.slack.ephemerals).toMatchObject([{ text: "This question is no longer open." }]);
  expect(after.errors).toEqual([]);
});

test("without the scope to read the thread, the next process asks again, and the turn continues", async () => {
  const { stage, first, startSecond } = setUp();
  const { slack, ops } = stage;
  const thread = await stage.ask();
  await stage.shown(thread, "Where to?");
  for (const scope of ["channels", "groups", "im", "mpim"]) slack.revokeScope(`${scope}:history`);
  first.runner.die();
  const second = startSecond();
  const recovered = second.runner.recover();
  second.takeOver();
  const again = () => slack.messages(ops, thread).filter(({ text: said }) => said.includes("Where to?"));
  await stage.until(() => again().length === 2);
  await stage.ada.press(again()[1]!, "Decline");
  expect(await stage.shown(thread, "It was declined.")).toBeTruthy();
  expect(second.errors.map(String)).toEqual([expect.stringContaining("channels:history")]);
  await recovered;
});

test("message metadata of another app, in the same format, is ignored", async () => {
  const { stage, first, startSecond } = setUp();
  const { slack, ops } = stage;
  const thread = await stage.ask();
  const question = await stage.shown(thread, "Where to?");
  // Another app's message, with a copy of our metadata and a cursor at the end of the log.
  Object.assign(slack.messages(ops, thread)[0]!, {
    metadata: {
      event_type: "elicit_kit",
      event_payload: { ...(question.metadata?.["event_payload"] as object), after: 999 },
    },
  });
  first.runner.die();
  const second = startSecond();
  const recovered = second.runner.recover();
  second.takeOver();
  await stage.ada.press(question, "Decline");
  expect(await stage.shown(thread, "It was declined.")).toBeTruthy();
  await recovered;
});

test("when a process dies while it streams a text, its message does not change, and a new message has the whole text", async () => {
  let reached = 0;
  const writing: RunTurn = async function* run() {
    yield { type: "text-start", id: "t" };
    yield { type: "text-delta", id: "t", delta: "The first half, " };
    reached += 1;
    // The first process stops here.
    if (reached === 1) await new Promise<never>(() => undefined);
    yield { type: "text-delta", id: "t", delta: "and the second." };
    yield { type: "text-end", id: "t" };
  };
  const { stage, crash, startSecond } = setUp(writing);
  const { slack, ops } = stage;
  const thread = await stage.ask();
  const half = await stage.shown(thread, "The first half");
  expect(half.streamingState).toBe("in_progress");
  crash();
  const second = startSecond();
  await stage.during(second.runner.recover());
  await stage.until(() => slack.messages(ops, thread).at(-1)?.streamingState === "completed");
  expect(slack.messages(ops, thread).map(({ text: said }) => said)).toEqual([
    `${slack.mention} go`,
    "The first half, ",
    "The first half, and the second.",
  ]);
  expect(second.errors).toEqual([]);
});

test("text before an answered question is not posted again when the process dies in the text after it", async () => {
  let runs = 0;
  const writing: RunTurn = async function* run(turn) {
    yield* text("Let me look. ");
    await turn.ask(CITY);
    runs += 1;
    yield { type: "text-start", id: "t" };
    yield { type: "text-delta", id: "t", delta: "Going " };
    if (runs === 1) await new Promise<never>(() => undefined);
    yield { type: "text-delta", id: "t", delta: "to Rome." };
    yield { type: "text-end", id: "t" };
  };
  const { stage, crash, startSecond } = setUp(writing);
  const { slack, ops } = stage;
  const thread = await stage.ask();
  await stage.ada.press(await stage.shown(thread, "Where to?"), "Answer…");
  await stage.ada.submit({ City: "Rome" });
  await stage.shown(thread, "Going ");
  crash();
  const second = startSecond();
  await stage.during(second.runner.recover());
  await stage.until(() => slack.messages(ops, thread).at(-1)?.streamingState === "completed");
  expect(slack.messages(ops, thread).map(({ text: said }) => said)).toEqual([
    `${slack.mention} go`,
    "Let me look. ",
    "✓ Sent",
    "Going ",
    "Going to Rome.",
  ]);
  expect(second.errors).toEqual([]);
});

test("streamed words that are withdrawn are not joined with the new ones", async () => {
  const stream = createMemoryTurnStream();
  let turnId = "";
  let fence = 0;
  let goOn = () => {};
  const stage = createSlackStage(
    async function* run() {
      yield { type: "text-delta", id: "t1", delta: "The weather in Li" };
      await new Promise<void>((resolve) => (goOn = resolve));
      yield { type: "text-delta", id: "t1", delta: "It is sunny." };
    },
    {
      runtime: {
        ports: {
          stream: {
            ...stream,
            async lease(id) {
              turnId = id;
              const lease = await stream.lease(id);
              ({ fence } = lease);
              return lease;
            },
          },
        },
      },
    },
  );
  const thread = await stage.ask();
  await stage.shown(thread, "The weather in Li");
  await stream.discard(turnId, 0, { fence });
  goOn();
  await stage.shown(thread, "It is sunny.");
  const said = stage.slack.messages(stage.ops, thread).map(({ text: words }) => words);
  expect(said.slice(1)).toEqual(["The weather in Li", "It is sunny."]);
});
