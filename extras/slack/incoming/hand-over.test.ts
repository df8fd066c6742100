import { expect, test } from "vitest";
import { createSlackStage } from "../../../test/stages/slack/slack-stage.ts";
import { CITY, asking } from "../../../test/stages/test-runtime.ts";
import type { Assignee } from "../../../src/contract/contract.ts";
import { type FormQuestion, type RuntimeOptions, createMemoryRecords } from "../../../src/runtime/index.ts";
import { buttonsOf } from "../testing/person.ts";
import type { FakeMessage } from "../testing/state.ts";
import { optionText } from "../testing/view-values.ts";

const HOUR = 60 * 60_000;
const TRIP: FormQuestion = { ...CITY, expiresInMs: 24 * HOUR };
const FORM = ["Answer…", "Decline", "Not now", "No, and …"];
const OFFERED = [...FORM, "Give to someone else"];

const wordsOf = (message: FakeMessage) => buttonsOf(message).map(optionText);
const says = (message: FakeMessage, words: string) => JSON.stringify(message.blocks).includes(words);

/** Ada asks in a thread. She may give each question to Bob or Cy. */
async function setUp(
  question = TRIP,
  {
    assign,
    ...runtime
  }: Omit<Partial<RuntimeOptions>, "assign"> & {
    assign?: Partial<NonNullable<RuntimeOptions["assign"]>>;
  } = {},
) {
  const people = { list: ["bob", "cy"] };
  const stage = createSlackStage(asking(question), {
    runtime: {
      assign: {
        may: () => true,
        nameOf: ({ user, group }: Assignee) => user?.toUpperCase() ?? group,
        choicesOf: () => people.list.map((user) => ({ user })),
        ...assign,
      },
      ...runtime,
    },
  });
  const thread = await stage.ask();
  const message = await stage.shown(thread, "Where to?");
  const [elicitationId = ""] = await stage.openIds(thread);
  const giveTo = async (name: string) => {
    await stage.ada.press(message, "Give to someone else");
    return stage.ada.submit({ "Give to": name });
  };
  return {
    ...stage,
    people,
    thread,
    message,
    elicitationId,
    giveTo,
    /** Somebody else gives it, or takes it back, elsewhere. */
    assign: (to?: Assignee) => stage.runtime.elicitations.assign(elicitationId, { id: "ada" }, to),
    record: () => stage.runtime.elicitations.get(elicitationId),
    told: () => stage.slack.ephemerals.map(({ text }) => text),
  };
}

type Stage = Awaited<ReturnType<typeof setUp>>;
const fine = ({ slack, errors }: Stage) => [...slack.failures, ...errors];

test("the user gives a form to somebody else, reminds them, and takes it back", async () => {
  const s = await setUp(TRIP, { notices: { onWaiting: () => undefined } });
  expect(wordsOf(s.message)).toEqual(OFFERED);
  expect(await s.giveTo("BOB")).toEqual({});
  expect(s.ada.view()).toBe(undefined);
  await s.until(() => says(s.message, "Waits for BOB"));
  expect(wordsOf(s.message)).toEqual(["Remind", "Take back"]);
  expect(says(s.message, "withdraws this question")).toBe(true);
  expect(await s.record()).toMatchObject({
    assigned: { to: { user: "bob" }, from: "ADA" },
    changedBy: { userId: "ada", through: "slack" },
  });
  await s.during(s.ada.press(s.message, "Remind"));
  await s.clock.advanceAsync(HOUR);
  await s.during(s.ada.press(s.message, "Remind"));
  expect(s.told()).toEqual([
    "It is too soon for a reminder. You can send one in 11 minutes.",
    "A reminder is on its way.",
  ]);
  await s.during(s.ada.press(s.message, "Take back"));
  await s.until(() => wordsOf(s.message).length === OFFERED.length);
  expect(says(s.message, "Waits for")).toBe(false);
  await s.ada.press(s.message, "Answer…");
  expect(await s.ada.submit({ City: "Rome" })).toEqual({});
  await s.shown(s.thread, '{"outcome":"accepted","content":{"city":"Rome"}}');
  expect(fine(s)).toEqual([]);
});

test("the answer of the other user goes to the agent alone, and the message says who has answered", async () => {
  const s = await setUp();
  await s.giveTo("BOB");
  const { elicitationId } = s;
  const answer = { elicitationId, conversationId: elicitationId, action: "accept" } as const;
  await s.runtime.elicitations.answer({ ...answer, content: { city: "Rome" } }, "bob");
  await s.shown(s.thread, '"by":"bob"');
  await s.until(() => s.message.text === "✓ Sent");
  expect(says(s.message, "Answered by BOB")).toBe(true);
  expect(JSON.stringify(s.message.blocks)).not.toMatch(/Rome|UADA/);
  expect(fine(s)).toEqual([]);
});

test("a form that a tool leaves to somebody else says so from the start, without buttons that are not allowed", async () => {
  const s = await setUp(
    { ...TRIP, assignee: { user: "bob" } },
    { assign: { may: (user, to) => to.user !== user.id } },
  );
  expect(says(s.message, "Waits for BOB")).toBe(true);
  expect(wordsOf(s.message)).toEqual([]);
  expect(fine(s)).toEqual([]);
});

test("only the user who is asked gives, reminds and takes back", async () => {
  const s = await setUp();
  await s.during(s.bob.press(s.message, "Give to someone else"));
  expect(s.bob.view()).toBe(undefined);
  await s.giveTo("CY");
  await s.until(() => says(s.message, "Waits for CY"));
  await s.during(s.bob.press(s.message, "Take back"));
  const refusal = "This question is for <@UADA>. Only they can answer it.";
  expect(s.slack.ephemerals).toMatchObject([
    { user: "UBOB", text: refusal },
    { user: "UBOB", text: refusal },
  ]);
  expect((await s.record())?.assigned?.to).toEqual({ user: "cy" });
});

test("modals and messages from before say for whom the question waits now", async () => {
  const s = await setUp();
  const older = { ...s.message };
  await s.ada.press(s.message, "Answer…");
  await s.ada.enter({ City: "Rome" });
  await s.assign({ user: "bob" });
  await s.until(() => says(s.message, "Waits for BOB"));
  expect(await s.ada.submit()).toEqual({});
  expect(JSON.stringify(s.ada.view()?.view)).toContain("Waits for BOB");
  await s.ada.close();
  for (const button of ["Answer…", "Decline", "No, and …", "Give to someone else"]) {
    await s.during(s.ada.press(older, button));
  }
  expect(s.told()).toEqual(Array.from({ length: 4 }, () => "Waits for BOB"));
  expect(s.ada.view()).toBe(undefined);
  // The user's input is still there after a take-back.
  await s.assign();
  await s.until(() => wordsOf(s.message).length === OFFERED.length);
  await s.ada.press(s.message, "Answer…");
  expect(await s.ada.submit()).toEqual({});
  await s.shown(s.thread, "Rome");
  expect(fine(s)).toEqual([]);
});

test("a list that was opened before the question was given says who has it", async () => {
  const s = await setUp();
  await s.ada.press(s.message, "Give to someone else");
  await s.assign({ user: "bob" });
  await s.ada.submit({ "Give to": "CY" });
  expect(JSON.stringify(s.ada.view()?.view)).toContain("Waits for BOB");
  expect((await s.record())?.assigned?.to).toEqual({ user: "bob" });
});

test("a user who is no longer in the list, or whom the application refuses, gets nothing, and the list says so", async () => {
  const s = await setUp(TRIP, { assign: { may: (_, { user }) => user !== "cy" } });
  await s.ada.press(s.message, "Give to someone else");
  expect(await s.ada.submit({ "Give to": "CY" })).toEqual({ "Give to": "That did not work. Try again." });
  s.people.list = ["cy"];
  expect(await s.ada.submit({ "Give to": "BOB" })).toEqual({ "Give to": "That did not work. Try again." });
  await s.ada.close();
  s.people.list = [];
  await s.during(s.ada.press(s.message, "Give to someone else"));
  expect(s.told()).toEqual(["That did not work. Try again."]);
  expect((await s.record())?.assigned).toBe(undefined);
  expect(fine(s)).toEqual([]);
});

test("without a list, the message offers to give the question to nobody", async () => {
  const s = await setUp(TRIP, { assign: { choicesOf: () => [] } });
  expect(wordsOf(s.message)).toEqual(FORM);
});

test("a hand-over that takes longer than Slack waits says that it is being checked, and then who has the question", async () => {
  const slow = { isOn: false };
  const records = createMemoryRecords();
  const s = await setUp(TRIP, {
    ports: {
      records: {
        ...records,
        async get(elicitationId) {
          if (slow.isOn) await new Promise<void>((resolve) => void s.clock.after(1500, resolve));
          return records.get(elicitationId);
        },
      },
    },
  });
  await s.ada.press(s.message, "Give to someone else");
  await s.ada.enter({ "Give to": "BOB" });
  slow.isOn = true;
  expect(await s.during(s.ada.submit())).toEqual({});
  expect(JSON.stringify(s.ada.view()?.view)).toContain("Checking…");
  await s.until(() => JSON.stringify(s.ada.view()?.view).includes("Given to BOB"));
  slow.isOn = false;
  await s.until(() => says(s.message, "Waits for BOB"));
  expect(fine(s)).toEqual([]);
});

test("too many presses are counted as other writes of the user", async () => {
  const s = await setUp(TRIP, { limits: { writesPerMinute: 2 } });
  await s.giveTo("BOB");
  await s.until(() => says(s.message, "Waits for BOB"));
  await s.during(s.ada.press(s.message, "Take back"));
  expect(s.told()[0]).toMatch(/Please try again in \d+ seconds/);
  expect((await s.record())?.assigned?.to).toEqual({ user: "bob" });
});
