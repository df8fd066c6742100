import { expect, test } from "vitest";
import { createSlackStage } from "../../../test/stages/slack/slack-stage.ts";
import { talking } from "../../../test/stages/slack/talking.ts";
import { CITY } from "../../../test/stages/test-runtime.ts";

test("the user leaves the decision to the agent with a button, and the message says so", async () => {
  const s = createSlackStage(talking({ ...CITY, fallback: { city: "Lisbon" }, delegate: true }));
  const thread = await s.ask();
  await s.during(s.ada.press(await s.shown(thread, "Where to?"), "You decide"));
  await s.shown(thread, "You left this to the assistant");
  expect(await s.shown(thread, "It was accepted.")).toBeDefined();
});

test("a question whose tool has no answer of its own has no such button", async () => {
  const s = createSlackStage(talking(CITY));
  const message = await s.shown(await s.ask(), "Where to?");
  expect(JSON.stringify(message)).not.toContain("You decide");
});
