import { describe, expect, test } from "vitest";
import type { FormQuestion } from "../../src/runtime/index.ts";
import { CITY, asking } from "../../test/stages/test-runtime.ts";
import { createSlackStage } from "../../test/stages/slack/slack-stage.ts";
import { SERVICE, talking } from "../../test/stages/slack/talking.ts";
import { buttonsOf } from "./testing/person.ts";
import type { FakeMessage } from "./testing/state.ts";
import { optionText } from "./testing/view-values.ts";

const wordsOf = (message: FakeMessage) => buttonsOf(message).map(optionText);

describe("a request to connect an account", () => {
  test("is a message with a link; when the account is connected, the same turn continues in a new message", async () => {
    const stage = createSlackStage(talking(SERVICE));
    const { slack, ada, ops, runtime } = stage;
    const thread = await stage.ask("create an issue");
    const question = await stage.shown(thread, "Connect Tracker");
    const [said] = slack.messages(ops, thread).slice(1);
    expect(said).toMatchObject({ text: "Let me look. ", streamingState: "completed" });
    const [elicitationId = ""] = await stage.openIds(thread);
    expect(await ada.press(question, "Connect")).toBe(
      `https://auth.example.com/auth/connect?elicitationId=${elicitationId}`,
    );
    expect(slack.messages(ops, thread)).toHaveLength(3);

    await runtime.elicitations.complete(elicitationId);
    await stage.shown(thread, "It was accepted.");
    expect(question.text).toBe("✓ Tracker connected");
    expect(JSON.stringify(question.blocks)).toContain("by <@UADA>");
    expect(buttonsOf(question)).toEqual([]);
    await stage.until(() => slack.messages(ops, thread).at(-1)?.streamingState === "completed");
    expect(slack.messages(ops, thread)).toHaveLength(4);
    expect(slack.failures).toEqual([]);
    expect(stage.errors).toEqual([]);
  });

  test("stays open when the user has not finished, and only that user reads the reason", async () => {
    const stage = createSlackStage(talking(SERVICE));
    const question = await stage.shown(await stage.ask(), "Connect Tracker");
    await stage.ada.press(question, "Connect");
    await stage.until(() => wordsOf(question).includes("I’ve finished"));
    await stage.during(stage.ada.press(question, "I’ve finished"));
    expect(stage.slack.ephemerals).toMatchObject([
      { user: "UADA", text: expect.stringContaining("Not finished yet") },
    ]);
    expect(wordsOf(question)).toEqual(["Open again", "I’ve finished", "Decline", "Not now", "More time"]);
  });

  test("hides *I’ve finished* until the user who is asked has opened the page", async () => {
    const stage = createSlackStage(talking(SERVICE));
    const question = await stage.shown(await stage.ask(), "Connect Tracker");
    expect(wordsOf(question)).toEqual(["Connect", "Decline", "Not now", "More time"]);
    await stage.bob.press(question, "Connect");
    expect(wordsOf(question)).toEqual(["Connect", "Decline", "Not now", "More time"]);
    await stage.ada.press(question, "Connect");
    await stage.until(() => wordsOf(question).includes("I’ve finished"));
    expect(stage.errors).toEqual([]);
  });

  test("shows the page's report without its markup to the user who clicks *I’ve finished*", async () => {
    const stage = createSlackStage(talking(SERVICE));
    const thread = await stage.ask();
    const question = await stage.shown(thread, "Connect Tracker");
    const [id = ""] = await stage.openIds(thread);
    await stage.ada.press(question, "Connect");
    await stage.until(() => wordsOf(question).includes("I’ve finished"));
    // The user still sees the message from before the report.
    const before = structuredClone(question);
    await stage.runtime.elicitations.fail(id, "<!channel> <https://evil.example|Sign in here>");
    await stage.until(() => !wordsOf(question).includes("I’ve finished"));
    await stage.during(stage.ada.press(before, "I’ve finished"));
    expect(stage.slack.ephemerals[0]?.text).toContain("&lt;!channel&gt; &lt;https://evil.example");
    expect(stage.slack.ephemerals[0]?.text).not.toContain("<");
  });

  test("shows the problem that the page has reported, and offers to try again", async () => {
    const stage = createSlackStage(talking(SERVICE));
    const thread = await stage.ask();
    const question = await stage.shown(thread, "Connect Tracker");
    const [id = ""] = await stage.openIds(thread);
    await stage.runtime.elicitations.fail(id, "You cancelled at Tracker.");
    await stage.until(() => JSON.stringify(question.blocks).includes("You cancelled at Tracker."));
    expect(buttonsOf(question).map((button) => JSON.stringify(button["text"]))[0]).toContain("Try again");
  });
});

test.each([
  ["Decline", "declined", "✗ Declined"],
  ["Not now", "cancelled", "– Dismissed"],
])("%s ends a form as %s, and the message says so", async (button, outcome, receipt) => {
  const stage = createSlackStage(talking(CITY));
  const thread = await stage.ask();
  const question = await stage.shown(thread, "Where to?");
  await stage.ada.press(question, button);
  await stage.shown(thread, `It was ${outcome}.`);
  // Everybody in the channel reads it.
  expect(question.text).toBe(receipt);
  expect(JSON.stringify(question.blocks)).toContain("by <@UADA>");
});

test("a form opens as a modal that shows errors beside the inputs, and the message shows each user's answers", async () => {
  const stage = createSlackStage(asking(CITY));
  const thread = await stage.ask();
  const question = await stage.shown(thread, "Where to?");
  const stale = { ...question };
  await stage.ada.press(question, "Answer…");
  expect(await stage.ada.submit({ City: "Rome", nights: "2" })).toEqual({});
  await stage.shown(thread, '{"outcome":"accepted","content":{"city":"Rome","nights":2}}');
  expect(question.text).toBe("✓ Sent");
  const showsAnswers = () => JSON.stringify(question.blocks).includes("City: Rome\\nnights: 2");
  expect(showsAnswers()).toBe(true);
  expect(JSON.stringify(question.blocks)).toContain("by <@UADA>");
  // This button press comes from a client that still shows an outdated message.
  await stage.ada.press(stale, "Decline");
  expect(stage.slack.ephemerals).toMatchObject([{ text: "This question is no longer open." }]);
  expect(showsAnswers()).toBe(true);
  expect(stage.slack.failures).toEqual([]);
  expect(stage.errors).toEqual([]);
});

test("the Slack message of a form shows the answers even if the user answered on the hosted page", async () => {
  const stage = createSlackStage(asking(CITY));
  const thread = await stage.ask();
  const question = await stage.shown(thread, "Where to?");
  const conversationId = `slack:T0ACME:${stage.ops.id}:${thread}`;
  const [elicitationId = ""] = await stage.openIds(thread);
  const answer = { elicitationId, conversationId, action: "accept", content: { city: "Rome" } } as const;
  await stage.runtime.elicitations.answer(answer, "ada");
  expect(await stage.until(() => JSON.stringify(question.blocks).includes("City: Rome"))).toBe(true);
});

test("when an answer does not match the schema, the modal stays open with the error", async () => {
  const question: FormQuestion = {
    ...CITY,
    requestedSchema: {
      type: "object",
      properties: { code: { type: "string", title: "Code", pattern: "^[A-Z]{3}$" } },
    },
  };
  const stage = createSlackStage(talking(question));
  const thread = await stage.ask();
  await stage.ada.press(await stage.shown(thread, "Where to?"), "Answer…");
  expect(await stage.ada.submit({ Code: "abc" })).toEqual({ Code: "Please use the requested format." });
  expect(stage.ada.view()).toBeDefined();
  expect(await stage.ada.submit({ Code: "ABC" })).toEqual({});
  await stage.shown(thread, "It was accepted.");
});

test("a modal that was closed by mistake opens again with what the user typed", async () => {
  const stage = createSlackStage(talking(CITY));
  const question = await stage.shown(await stage.ask(), "Where to?");
  await stage.ada.press(question, "Answer…");
  await stage.ada.enter({ City: "Rome" });
  await stage.ada.close();
  await stage.ada.press(question, "Answer…");
  expect(JSON.stringify(stage.ada.view()?.values)).toContain("Rome");
  expect(await stage.ada.submit()).toEqual({});
});

test("a request stays open when its modal is closed", async () => {
  const stage = createSlackStage(talking(CITY));
  const thread = await stage.ask();
  const question = await stage.shown(thread, "Where to?");
  await stage.ada.press(question, "Answer…");
  await stage.ada.close();
  await stage.clock.advanceAsync(5000);
  expect(await stage.openIds(thread)).toHaveLength(1);
  expect(buttonsOf(question)).toHaveLength(5);
  expect(stage.slack.messages(stage.ops, thread).at(-1)?.ts).toBe(question.ts);
});

test("a form with 500 options has a search", async () => {
  const names = Array.from({ length: 500 }, (_, index) => `City ${index}`);
  const schema = {
    type: "object" as const,
    properties: { city: { type: "string", title: "City", enum: names } },
    required: ["city"],
  };
  const stage = createSlackStage(asking({ ...CITY, requestedSchema: schema }));
  const thread = await stage.ask();
  await stage.ada.press(await stage.shown(thread, "Where to?"), "Answer…");
  expect(await stage.ada.search("City", "ity 49")).toEqual([
    "City 49",
    ...Array.from({ length: 10 }, (_, i) => `City 49${i}`),
  ]);
  expect(await stage.ada.submit({ City: "City 321" })).toEqual({});
  await stage.shown(thread, '"city":"City 321"');
});

test("in direct messages, the app posts normal messages, because Slack drops ephemeral ones there", async () => {
  const stage = createSlackStage(talking(SERVICE));
  const { slack, ada } = stage;
  const direct = slack.directMessages(ada, { isAssistant: true });
  const { ts: thread } = await ada.say(direct, "create an issue");
  const found = (words: string) =>
    stage.until(() =>
      slack.messages(direct, thread).find((message) => JSON.stringify(message).includes(words)),
    );
  await ada.press(await found("Connect Tracker"), "Connect");
  await stage.during(ada.press(await found("I’ve finished"), "I’ve finished"));
  expect(await found("Not finished yet")).toMatchObject({ isFromApp: true, threadTs: thread });
  expect(slack.calls.filter(({ method }) => method === "chat.postEphemeral")).toEqual([]);
});

test.each([
  ["Yes", true],
  ["No", false],
])("a single yes-or-no question is answered by the button %s, without a modal", async (name, agreed) => {
  const requestedSchema = {
    type: "object",
    properties: { agreed: { type: "boolean", title: "Agreed?" } },
    required: ["agreed"],
  } as const;
  const stage = createSlackStage(asking({ ...CITY, message: "Shall I book it?", requestedSchema }));
  const thread = await stage.ask();
  const question = await stage.shown(thread, "Shall I book it?");
  await stage.during(stage.ada.press(question, name));
  await stage.shown(thread, `{"agreed":${agreed}}`);
  expect(stage.ada.view()).toBeUndefined();
});

describe("time limits:", () => {
  test("the message of a request changes when the request expires, and the turn continues", async () => {
    const stage = createSlackStage(talking(SERVICE));
    const thread = await stage.ask();
    const question = await stage.shown(thread, "Connect Tracker");
    await stage.clock.advanceAsync(600_000);
    await stage.shown(thread, "It was expired.");
    expect(question.text).toBe("⌛ The request for Tracker expired");
    await stage.ada.press({ ...question, ...pressable(question) }, "Decline");
    expect(stage.slack.ephemerals).toMatchObject([{ text: "This question is no longer open." }]);
  });

  test("no stream is open while the agent waits for a user, and a long text is split into streams before Slack ends them", async () => {
    const stage = createSlackStage(async function* run(turn) {
      yield { type: "start", messageId: turn.id };
      yield { type: "text-start", id: "t" };
      for (let minute = 0; minute < 7; minute += 1) {
        yield { type: "text-delta", id: "t", delta: `minute ${minute}. ` };
        await new Promise<void>((resolve) => void stage.clock.after(60_000, resolve));
      }
      yield { type: "text-end", id: "t" };
      await turn.ask(CITY);
    });
    const thread = await stage.ask();
    for (let minute = 0; minute < 7; minute += 1) {
      await stage.shown(thread, `minute ${minute}.`);
      await stage.clock.advanceAsync(60_000);
    }
    await stage.shown(thread, "Where to?");
    const streams = stage.slack
      .messages(stage.ops, thread)
      .filter(({ streamingState }) => streamingState !== undefined);
    expect(streams.map(({ text: said }) => said).join("")).toBe(
      Array.from({ length: 7 }, (_, i) => `minute ${i}. `).join(""),
    );
    expect(streams.length).toBeGreaterThan(1);
    expect(streams.every(({ streamingState }) => streamingState === "completed")).toBe(true);
    expect(stage.errors).toEqual([]);
  });

  test("when a form was not opened within Slack's three seconds, another click opens it", async () => {
    const stage = createSlackStage(talking(CITY));
    const question = await stage.shown(await stage.ask(), "Where to?");
    stage.slack.failNext("views.open", "expired_trigger_id");
    await stage.ada.press(question, "Answer…");
    expect(stage.slack.ephemerals).toMatchObject([
      { text: expect.stringContaining("press the button again") },
    ]);
    await stage.ada.press(question, "Answer…");
    expect(stage.ada.view()).toBeDefined();
  });

  test("Slack gets its acknowledgement in time even if everything else is slow", async () => {
    const stage = createSlackStage(talking(CITY), {
      surface: {
        userOf: async () => {
          await new Promise<void>((resolve) => void stage.clock.after(10_000, resolve));
          return { id: "ada" };
        },
      },
    });
    const thread = (await stage.during(stage.ada.say(stage.ops, `${stage.slack.mention} go`))).ts;
    expect(stage.slack.failures).toEqual([]);
    await stage.shown(thread, "Where to?");
  });
});

/** The earlier buttons of a message, for a client that still shows an outdated message. */
const pressable = ({ ts }: { ts: string }) => ({
  ts,
  blocks: [
    {
      type: "actions",
      block_id: "old",
      elements: [
        {
          type: "button",
          action_id: "elicit_kit:decline",
          text: { type: "plain_text", text: "Decline" },
          value: "gone",
        },
      ],
    },
  ],
});

describe("a decline with a note", () => {
  test("opens a text field, and the agent reads the text as the user's words", async () => {
    const stage = createSlackStage(asking(CITY));
    const thread = await stage.ask();
    const question = await stage.shown(thread, "Where to?");
    await stage.ada.press(question, "No, and …");
    expect(JSON.stringify(stage.ada.view()?.view)).toContain("reads this · Up to 500");
    await stage.ada.enter({ "No, and": "something by the sea" });
    await stage.during(stage.ada.submit());
    await stage.shown(thread, '{"outcome":"declined","note":"something by the sea"}');
    expect(JSON.stringify(question.blocks)).not.toContain("by the sea");
    expect(stage.slack.failures).toEqual([]);
    expect(stage.errors).toEqual([]);
  });

  test("without a note is an ordinary decline", async () => {
    const stage = createSlackStage(asking(CITY));
    const thread = await stage.ask();
    await stage.ada.press(await stage.shown(thread, "Where to?"), "No, and …");
    await stage.during(stage.ada.submit());
    expect(await stage.shown(thread, '{"outcome":"declined"}')).toBeTruthy();
  });

  test("is not offered for a request of a third party", async () => {
    const claimed = { name: "Acme Assistant", claimedName: "Some server" };
    const stage = createSlackStage(asking({ ...CITY, requester: claimed }));
    const question = await stage.shown(await stage.ask(), "Where to?");
    expect(JSON.stringify(buttonsOf(question))).not.toContain("No, and");
  });
});

test("a recommended option is labelled, and not preselected", async () => {
  const plans = ["Small", "Medium"].map((title) => ({ const: title, title, description: "per month" }));
  const stage = createSlackStage(
    asking({
      ...CITY,
      context: { trigger: "tool", fields: { plan: { recommended: { value: "Medium", word: "usual" } } } },
      requestedSchema: {
        type: "object",
        properties: { plan: { type: "string", title: "Plan", oneOf: plans } },
        required: ["plan"],
      },
    }),
  );
  const thread = await stage.ask();
  await stage.ada.press(await stage.shown(thread, "Where to?"), "Answer…");
  const shown = JSON.stringify(stage.ada.view()?.view);
  expect(shown).toContain("★ usual · per month");
  expect(shown).not.toContain("initial_option");
  await stage.ada.enter({ Plan: "Medium" });
  await stage.during(stage.ada.submit());
  expect(await stage.shown(thread, '"plan":"Medium"')).toBeTruthy();
  expect(stage.slack.failures).toEqual([]);
});
