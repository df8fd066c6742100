import { expect, test } from "vitest";
import { createDeferred } from "../../../src/base/deadlines.ts";
import { type RunTurn, createElicitor } from "../../../src/runtime/index.ts";
import { createSlackStage } from "../../../test/stages/slack/slack-stage.ts";
import { text } from "../../../test/stages/test-runtime.ts";

/** An agent that asks in the background, works meanwhile until `worked`, and then says what the answer is. */
function agentUntil(worked: Promise<void>): RunTurn {
  return async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    const ask = createElicitor({ turn, tool: "book_hotel", toolCallId: "call-1" });
    const first = ask.later(async () => {
      const isBooked = await ask.confirm("Shall I book the Ritz?");
      return isBooked.outcome === "accepted" && isBooked.value ? "Booked: Ritz." : "Nothing is booked.";
    });
    yield { type: "tool-input-available", toolCallId: "call-1", toolName: "book_hotel", input: {} };
    yield { type: "tool-output-available", toolCallId: "call-1", output: first };
    yield { type: "text-start", id: "t" };
    yield { type: "text-delta", id: "t", delta: "It is sunny in Rome. " };
    await worked;
    yield { type: "text-end", id: "t" };
    for (const { output } of await turn.background.next()) yield* text(String(output));
    yield { type: "finish" };
  };
}

test.each([
  ["Yes", "Booked: Ritz."],
  ["No", "Nothing is booked."],
])(
  "the agent writes on while its question is open, and continues with the answer %s",
  async (answer, said) => {
    const s = createSlackStage(agentUntil(Promise.resolve()));
    const thread = await s.ask();
    const question = await s.shown(thread, "Shall I book the Ritz?");
    await s.shown(thread, "It is sunny in Rome.");
    await s.during(s.ada.press(question, answer));
    await s.shown(thread, said);
    expect(await s.openIds(thread)).toEqual([]);
    expect(s.errors).toEqual([]);
  },
);

test("the session in the thread works as long as the agent does, and then waits for the user", async () => {
  const worked = createDeferred<void>();
  const s = createSlackStage(agentUntil(worked.promise), { surface: { isAgent: true } });
  const thread = await s.ask();
  const question = await s.shown(thread, "Shall I book the Ritz?");
  await s.shown(thread, "It is sunny in Rome.");
  await s.until(() => s.slack.session(s.ops, thread) === "processing");
  worked.resolve();
  await s.until(() => s.slack.session(s.ops, thread) === "suspended");
  await s.during(s.ada.press(question, "Yes"));
  await s.until(() => s.slack.session(s.ops, thread) === "active");
  expect([...s.slack.failures, ...s.errors]).toEqual([]);
});
