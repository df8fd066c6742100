import { expect, test } from "vitest";
import { type RunTurn, createElicitor } from "../../../src/runtime/index.ts";
import { createSlackStage } from "../../../test/stages/slack/slack-stage.ts";
import { text } from "../../../test/stages/test-runtime.ts";

/** Asks in the background, does other work, and then says what the answer is. */
const agent: RunTurn = async function* run(turn) {
  yield { type: "start", messageId: turn.id };
  const ask = createElicitor({ turn, tool: "book_hotel", toolCallId: "call-1" });
  const first = ask.later(async () => {
    const isBooked = await ask.confirm("Shall I book the Ritz?");
    return isBooked.outcome === "accepted" && isBooked.value ? "Booked: Ritz." : "Nothing is booked.";
  });
  yield { type: "tool-input-available", toolCallId: "call-1", toolName: "book_hotel", input: {} };
  yield { type: "tool-output-available", toolCallId: "call-1", output: first };
  yield* text("It is sunny in Rome. ");
  for (const { output } of await turn.background.next()) yield* text(String(output));
  yield { type: "finish" };
};

test.each([
  ["Yes", "Booked: Ritz."],
  ["No", "Nothing is booked."],
])(
  "the agent writes on while its question is open, and continues with the answer %s",
  async (answer, said) => {
    const s = createSlackStage(agent);
    const thread = await s.ask();
    const question = await s.shown(thread, "Shall I book the Ritz?");
    await s.shown(thread, "It is sunny in Rome.");
    await s.during(s.ada.press(question, answer));
    await s.shown(thread, said);
    expect(await s.openIds(thread)).toEqual([]);
    expect(s.errors).toEqual([]);
  },
);
