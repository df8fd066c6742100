import { expect, test } from "vitest";
import { CITY, text } from "../../stages/test-runtime.ts";
import { caller, replyOf, serve, wordsOf } from "./served.ts";

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

const asksTwice = () =>
  serve(async function* run(turn) {
    const first = await turn.ask(oneField("Where to?"));
    const second = await turn.ask(oneField("Where from?"));
    yield* text(JSON.stringify([first, second].map((answer) => "content" in answer && answer.content)));
  });

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
