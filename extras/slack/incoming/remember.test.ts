import { expect, test } from "vitest";
import { createSlackStage } from "../../../test/stages/slack/slack-stage.ts";
import { talking } from "../../../test/stages/slack/talking.ts";
import { CITY } from "../../../test/stages/test-runtime.ts";
import type { FormQuestion } from "../../../src/runtime/index.ts";

const BOX = "Use this answer again for 30 days";
const TRIP: FormQuestion = { ...CITY, remember: true };
const DRAFT: FormQuestion = {
  ...CITY,
  message: "May I create a draft in your mailbox?",
  remember: { days: 30, kind: "Drafts" },
  requestedSchema: {
    type: "object",
    properties: { answer: { type: "boolean", title: "Create a draft" } },
    required: ["answer"],
  },
};

function stageOf(question: FormQuestion) {
  const stage = createSlackStage(talking(question));
  const keptFor = async (user: string) =>
    (await stage.runtime.elicitations.remembered?.list(user))?.map(({ content }) => content);
  return { ...stage, keptFor };
}

test("a form that is sent with its box checked is not asked again, and the record names who allowed it", async () => {
  const s = stageOf(TRIP);
  const thread = await s.ask();
  await s.ada.press(await s.shown(thread, "Where to?"), "Answer…");
  const [elicitationId = ""] = await s.openIds(thread);
  const view = s.ada.view()!;
  expect(JSON.stringify(view.view)).toContain("Only when this tool asks exactly this again.");
  await s.ada.enter({ City: "Rome" });
  await s.ada.tick(view, BOX);
  // If closed by mistake, it opens again with the box checked.
  await s.ada.close();
  await s.ada.press(await s.shown(thread, "Where to?"), "Answer…");
  await s.during(s.ada.submit());
  await s.shown(thread, "It was accepted.");
  expect(await s.runtime.elicitations.get(elicitationId)).toMatchObject({
    remembered: "kept",
    changedBy: { userId: "ada", through: "slack" },
  });

  const next = await s.ask();
  await s.shown(next, "It was accepted.");
  expect(await s.openIds(next)).toEqual([]);
  expect([...s.errors, ...s.slack.failures]).toEqual([]);
});

test("the thread shows an answer that was reused, and days later only its user can choose to be asked again", async () => {
  const s = stageOf(DRAFT);
  const thread = await s.ask();
  await s.ada.tick(await s.shown(thread, "May I create a draft"), BOX);
  await s.ada.press(await s.shown(thread, "May I create a draft"), "Yes");
  await s.shown(thread, "It was accepted.");

  const next = await s.ask();
  const receipt = await s.shown(next, "Answered as you allowed before");
  expect(JSON.stringify(receipt.blocks)).toMatch(/Create a draft: Yes.*May I create a draft/);
  await s.shown(next, "It was accepted.");
  await s.clock.advanceAsync(3 * 24 * 60 * 60_000);
  await s.bob.press(receipt, "Ask me again next time");
  expect(await s.keptFor("ada")).toEqual([{ answer: true }]);
  await s.ada.press(receipt, "Ask me again next time");
  await s.until(() => s.slack.ephemerals.some(({ user }) => user === s.ada.id));
  expect(s.slack.ephemerals.at(-1)).toMatchObject({ user: s.ada.id, text: "You will be asked next time." });
  expect(await s.keptFor("ada")).toEqual([]);
  await s.shown(await s.ask(), "elicit_kit:yes");
  expect([...s.errors, ...s.slack.failures]).toEqual([]);
});

test("a single yes-or-no question has the checkbox in its message", async () => {
  const s = stageOf(DRAFT);
  const thread = await s.ask();
  const asked = await s.shown(thread, "May I create a draft");
  expect(JSON.stringify(asked.blocks)).toContain("For all questions of this tool about “Drafts”.");
  await s.ada.tick(asked, BOX);
  await s.ada.press(asked, "Yes");
  await s.shown(thread, "It was accepted.");
  expect(await s.keptFor("ada")).toEqual([{ answer: true }]);
});

test("an answer is not remembered if the user has not checked the box, or has unchecked it again", async () => {
  for (const ticks of [0, 2]) {
    const s = stageOf(DRAFT);
    const thread = await s.ask();
    const asked = await s.shown(thread, "May I create a draft");
    for (let tick = 0; tick < ticks; tick += 1) await s.ada.tick(asked, BOX);
    await s.ada.press(asked, "Yes");
    await s.shown(thread, "It was accepted.");
    expect(await s.keptFor("ada")).toEqual([]);
  }
});

test("the box has no effect when another user checks it", async () => {
  const s = stageOf(DRAFT);
  const thread = await s.ask();
  const asked = await s.shown(thread, "May I create a draft");
  await s.bob.tick(asked, BOX);
  await s.bob.press(asked, "Yes");
  expect(await s.openIds(thread)).toHaveLength(1);
  await s.ada.press(asked, "Yes");
  await s.shown(thread, "It was accepted.");
  expect([await s.keptFor("ada"), await s.keptFor("bob")]).toEqual([[], []]);
});

test.each([
  ["a question that does not offer it", CITY],
  ["a question for a secret", { ...TRIP, message: "What is your password?" }],
])("%s has no checkbox to remember the answer", async (_, question) => {
  const s = stageOf(question);
  const asked = await s.shown(await s.ask(), question.message);
  if (question === CITY) await s.ada.press(asked, "Answer…");
  expect(JSON.stringify([asked.blocks, s.ada.view()?.view])).not.toContain("Use this answer again");
});
