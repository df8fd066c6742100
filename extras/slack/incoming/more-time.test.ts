import { expect, test } from "vitest";
import { createSlackStage } from "../../../test/stages/slack/slack-stage.ts";
import { CITY, asking } from "../../../test/stages/test-runtime.ts";
import { buttonsOf } from "../testing/person.ts";
import { optionText } from "../testing/view-values.ts";

const MINUTE = 60_000;

test("a user in Slack gets more time with one press, and the message shows the later end", async () => {
  const s = createSlackStage(asking(CITY), { runtime: { timeToAnswer: { maxExpiresInMs: 15 * MINUTE } } });
  const thread = await s.ask();
  const message = await s.shown(thread, "Where to?");
  const words = () => buttonsOf(message).map(optionText);
  const before = JSON.stringify(message.blocks);
  expect(words()).toContain("More time");
  await s.ada.press(message, "More time");
  await s.until(() => JSON.stringify(message.blocks) !== before);
  // The server gives no more, so the button is gone.
  expect(words()).not.toContain("More time");
  const [elicitationId = ""] = await s.openIds(thread);
  const record = await s.runtime.elicitations.get(elicitationId);
  expect((record?.expiresAt ?? 0) - (record?.createdAt ?? 0)).toBe(15 * MINUTE);
  await s.during(s.ada.press(message, "Decline"));
  await s.shown(thread, "declined");
  expect([...s.slack.failures, ...s.errors]).toEqual([]);
});

test("only the user who is asked gets more time in Slack", async () => {
  const s = createSlackStage(asking(CITY));
  const thread = await s.ask();
  const message = await s.shown(thread, "Where to?");
  await s.bob.press(message, "More time");
  await s.until(() => s.slack.ephemerals.length > 0);
  const [elicitationId = ""] = await s.openIds(thread);
  const record = await s.runtime.elicitations.get(elicitationId);
  expect((record?.expiresAt ?? 0) - (record?.createdAt ?? 0)).toBe(10 * MINUTE);
});
