import { expect, test } from "vitest";
import { CITY, text } from "../../stages/test-runtime.ts";
import { type ServedOptions, caller, replyOf, serve, sharedPorts, wordsOf } from "./served.ts";

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
  const { id: taskId, contextId } = await here.send("Book", { messageId: "m-1" });
  const first = await here.send("Rome", { messageId: "m-2", taskId });
  expect(wordsOf(first)).toContain("Where from?");
  expect((await there.send("Rome", { messageId: "m-2", taskId })).status).toEqual(first.status);
  expect((await there.send("Rome", { messageId: "m-2", contextId })).status).toEqual(first.status);
  const ended = await there.send("Rome", { messageId: "m-3", taskId });
  expect(JSON.parse(replyOf(ended))).toEqual([{ value: "Rome" }, { value: "Rome" }]);
  expect(replyOf(await here.send("Rome", { messageId: "m-3", taskId }))).toBe(replyOf(ended));
});
