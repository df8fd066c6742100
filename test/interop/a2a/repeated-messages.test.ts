import { TaskState } from "@a2a-js/sdk";
import { expect, test } from "vitest";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { CITY, text } from "../../stages/test-runtime.ts";
import { type ServedOptions, caller, replyOf, serve, sharedPorts, stateOf, wordsOf } from "./served.ts";

const WORKING = TaskState.TASK_STATE_WORKING;

const oneField = (message: string) => ({
  ...CITY,
  message,
  toolCallId: message,
  requestedSchema: {
    type: "object" as const,
    properties: { value: { type: "string" as const } },
    required: ["value"],
  },
});

const asksTwice = (options?: ServedOptions) =>
  serve(async function* run(turn) {
    const first = await turn.ask(oneField("Where to?"));
    const second = await turn.ask(oneField("Where from?"));
    yield* text(JSON.stringify([first, second].map((answer) => "content" in answer && answer.content)));
  }, options);

test("an answer that is sent again, because its reply was lost, does not answer the next question", async () => {
  const ada = await caller(asksTwice(), { extension: false });
  const { id: taskId, contextId } = await ada.send("Book", { messageId: "m-1" });
  const first = await ada.send("Rome", { messageId: "m-2", taskId });
  expect(wordsOf(first)).toContain("Where from?");
  expect((await ada.send("Rome", { messageId: "m-2", taskId })).status).toEqual(first.status);
  expect((await ada.send("Rome", { messageId: "m-2", contextId })).status).toEqual(first.status);
  const ended = await ada.send("Oslo", { messageId: "m-3", taskId });
  expect(JSON.parse(replyOf(ended))).toEqual([{ value: "Rome" }, { value: "Oslo" }]);
  expect(replyOf(await ada.send("Oslo", { messageId: "m-3", taskId }))).toBe(replyOf(ended));
});

test("an answer that is sent again to another process does not answer the next question", async () => {
  const ports = sharedPorts();
  const here = await caller(asksTwice(ports), { extension: false });
  const there = await caller(asksTwice(ports), { extension: false });
  const third = await caller(asksTwice(ports), { extension: false });
  const { id: taskId, contextId } = await here.send("Book", { messageId: "m-1" });
  const first = await here.send("Rome", { messageId: "m-2", taskId });
  expect(wordsOf(first)).toContain("Where from?");
  expect((await there.send("Rome", { messageId: "m-2", taskId })).status).toEqual(first.status);
  expect((await third.send("Rome", { messageId: "m-2", contextId })).status).toEqual(first.status);
  const ended = await there.send("Rome", { messageId: "m-3", taskId });
  expect(JSON.parse(replyOf(ended))).toEqual([{ value: "Rome" }, { value: "Rome" }]);
  expect(replyOf(await here.send("Rome", { messageId: "m-3", taskId }))).toBe(replyOf(ended));
  expect(await third.send("Rome", { messageId: "m-3", contextId })).toEqual(ended);
  // A message of its own starts a task, whatever it says.
  expect((await third.send("Rome", { messageId: "m-4", contextId })).id).not.toBe(taskId);
});

test("an answer to a task that has ended, sent again, does not answer an older task of its context", async () => {
  const ports = sharedPorts();
  const served = asksTwice(ports);
  const here = await caller(served, { extension: false });
  // Its message without a task is no answer.
  const extended = await caller(served);
  const there = await caller(asksTwice(ports), { extension: false });
  const older = await here.send("Book", { messageId: "m-1" });
  const { contextId } = older;
  const { id: taskId } = await extended.send("Book", { messageId: "m-2", contextId });
  await here.send("Rome", { messageId: "m-3", taskId });
  const ended = await here.send("Oslo", { messageId: "m-4", taskId });
  expect(await there.send("Oslo", { messageId: "m-4", contextId })).toEqual(ended);
  expect((await there.get(older.id)).status).toEqual(older.status);
});

test("an answer that is sent again while the task works returns the task", async () => {
  const work = createDeferred<void>();
  const works = (options: ServedOptions) =>
    serve(async function* run(turn) {
      const { outcome } = await turn.ask(oneField("Where to?"));
      await work.promise;
      yield* text(outcome);
    }, options);
  const ports = sharedPorts();
  const here = await caller(works(ports), { extension: false });
  const there = await caller(works(ports), { extension: false });
  const third = await caller(works(ports), { extension: false });
  const { id: taskId, contextId } = await here.send("Book", { messageId: "m-1" });
  const atOnce = { returnImmediately: true };
  const answer = { messageId: "m-2" };
  expect(stateOf(await here.send("Rome", { ...answer, taskId }, atOnce))).toBe(WORKING);
  expect(stateOf(await there.send("Rome", { ...answer, taskId }, atOnce))).toBe(WORKING);
  const again = third.send("Rome", { ...answer, contextId });
  work.resolve();
  const ended = await again;
  expect(ended.id).toBe(taskId);
  expect(replyOf(ended)).toBe("accepted");
});
