import { expect, test } from "vitest";
import { CITY, text } from "../../../test/stages/test-runtime.ts";
import { createSlackStage } from "../../../test/stages/slack/slack-stage.ts";
import type { FakePerson } from "../testing/index.ts";

test("when more turns write and ask at once than Slack's rates allow, no text and no request is lost", async () => {
  const stage = createSlackStage(
    async function* run(turn) {
      yield* text("Let me look. ");
      const { outcome } = await turn.ask({ ...CITY, expiresInMs: 3_600_000 });
      yield* text(`It was ${outcome}.`);
    },
    { surface: { userOf: ({ user }) => ({ id: user }) } },
  );
  const { slack, ops, clock } = stage;
  const asked: { person: FakePerson; thread: string }[] = [];
  for (let index = 0; index < 70; index += 1) {
    const person = slack.person({ name: `P${index}` });
    ops.members.add(person.id);
    asked.push({ person, thread: await stage.during(stage.ask("go", person)) });
  }
  const find = (thread: string, words: string) =>
    slack.messages(ops, thread).find((message) => message.isFromApp && message.text.includes(words));
  async function untilAll(words: string): Promise<void> {
    const missing = () => asked.filter(({ thread }) => find(thread, words) === undefined);
    for (let minutes = 0; minutes < 8 && missing().length > 0; minutes += 1) await clock.advanceAsync(60_000);
    expect(missing().map(({ thread }) => slack.messages(ops, thread).map(({ text: said }) => said))).toEqual(
      [],
    );
  }

  await untilAll("Where to?");
  for (const { person, thread } of asked) {
    expect(find(thread, "Let me look.")).toBeDefined();
    await stage.during(person.press(find(thread, "Where to?")!, "Decline"));
  }
  await untilAll("It was declined.");
  expect(stage.errors).toEqual([]);
  expect(slack.failures).toEqual([]);
});
