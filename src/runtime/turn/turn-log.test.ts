import { expect, test } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { CITY, CONNECT, createTestRuntime, text } from "../../../test/stages/test-runtime.ts";
import { type TurnTimeline, timelineOf } from "../index.ts";

test("the timeline of a turn has its pauses, and the outcome of each request", async () => {
  let drawn: TurnTimeline | undefined;
  const runtime = createTestRuntime(
    async function* run(turn) {
      yield { type: "start" };
      runtime.clock.advance(1_000);
      await Promise.all([turn.ask(CONNECT), turn.ask(CITY)]);
      runtime.clock.advance(500);
      yield* text("done");
    },
    { onTurnEnd: (_turn, _chunks, entries) => void (drawn = timelineOf(entries)) },
  );
  const began = runtime.clock.now();
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const stream = await ada.send("c1");
  const url = await stream.request(0, ({ mode }) => mode === "url");
  const form = await stream.request(0, ({ mode }) => mode === "form");
  runtime.clock.advance(7_000);
  await runtime.elicitations.fail(url.elicitationId, "denied");
  runtime.clock.advance(3_000);
  await runtime.elicitations.complete(url.elicitationId);
  runtime.clock.advance(20_000);
  await ada.answer("c1", { elicitationId: form.elicitationId, action: "decline" });
  await stream.done;
  expect(drawn).toEqual({
    from: began,
    to: began + 31_500,
    waits: [
      {
        elicitationId: url.elicitationId,
        message: CONNECT.message,
        from: began + 1_000,
        to: began + 11_000,
        outcome: "accepted",
      },
      {
        elicitationId: form.elicitationId,
        message: "Where to?",
        from: began + 1_000,
        to: began + 31_000,
        outcome: "declined",
      },
    ],
  });
});

test("the timeline of a log that ends early has a wait without an outcome, and an empty log has no timeline", () => {
  const request = {
    type: "elicitation-request",
    elicitationId: "a",
    mode: "url",
    message: "Connect.",
    url: "https://auth.example.com/",
  };
  const chunk = { type: "data-elicitation-request", id: "a", data: request };
  const entries = [
    { at: 5, chunk },
    { at: 9, chunk: { type: "text-start" } },
  ];
  expect(timelineOf(entries)?.waits).toEqual([{ elicitationId: "a", message: "Connect.", from: 5, to: 9 }]);
  expect(timelineOf([])).toBeUndefined();
});

test("a question in the background is a pause only while the agent has nothing else to do", () => {
  const request = {
    type: "elicitation-request",
    elicitationId: "a",
    mode: "form",
    message: "Which hotel?",
    toolCallId: "call-1",
    requestedSchema: { type: "object", properties: {} },
  };
  const entries = [
    { at: 5, chunk: { type: "tool-input-available", toolCallId: "call-1" } },
    { at: 6, chunk: { type: "tool-output-available", toolCallId: "call-1", preliminary: true } },
    { at: 7, chunk: { type: "data-elicitation-request", id: "a", data: request } },
    { at: 8, chunk: { type: "finish-step" } },
    { at: 9, chunk: { type: "start-step" } },
    { at: 20, chunk: { type: "text-delta" } },
  ];
  expect(timelineOf(entries)?.waits).toEqual([]);
  const idle = [
    ...entries,
    { at: 30, chunk: { type: "text-end" } },
    { at: 31, chunk: { type: "finish-step" } },
  ];
  const wait = { elicitationId: "a", message: "Which hotel?", from: 30 };
  expect(timelineOf(idle)?.waits).toEqual([{ ...wait, to: 31 }]);
  const resolution = { outcome: "accepted", at: "2026-11-20T12:00:00Z" };
  const ended = { type: "data-elicitation-request", id: "a", data: { ...request, resolution } };
  const answered = [...idle, { at: 50, chunk: ended }, { at: 60, chunk: { type: "text-delta" } }];
  expect(timelineOf(answered)?.waits).toEqual([{ ...wait, to: 50, outcome: "accepted" }]);
  expect(timelineOf([...entries, { at: 25, chunk: ended }])?.waits).toEqual([]);
});
