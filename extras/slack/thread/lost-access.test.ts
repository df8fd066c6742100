import { describe, expect, test } from "vitest";
import { CITY, text as saying } from "../../../test/stages/test-runtime.ts";
import { slackLanguageFor } from "../people/person-language.ts";
import { type SlackStage, createSlackStage } from "../../../test/stages/slack/slack-stage.ts";
import { SERVICE, talking } from "../../../test/stages/slack/talking.ts";
import { buttonsOf } from "../testing/person.ts";

/** Without calls of the Web API for the language, so that tests know which call is the first. */
const languageOf = () => slackLanguageFor("en");

describe("a Slack token", () => {
  test("that was rotated during a request is looked up again, and the turn continues", async () => {
    const stage = createSlackStage(talking(CITY), {
      surface: { token: undefined, tokenOf: () => stage.slack.token },
    });
    const thread = await stage.ask();
    const question = await stage.shown(thread, "Where to?");
    stage.slack.rotateToken("xoxe.xoxb-second");
    await stage.ada.press(question, "Decline");
    await stage.shown(thread, "It was declined.");
    expect(question.text).toBe("✗ Declined");
    expect(stage.errors).toEqual([]);
  });

  test("that is refused ends the turn if there is no newer token", async () => {
    const stage = createSlackStage(talking(CITY));
    const thread = await stage.ask();
    stage.slack.rotateToken("xoxb-somebody-elses");
    await stage.until(() => stage.errors.some((error) => String(error).includes("token_expired")));
    await stage.until(() => stage.clock.waiting < 3);
    expect(await stage.openIds(thread)).toEqual([]);
    expect(JSON.stringify(stage.errors.map(String))).not.toContain("xoxb");
  });

  test("that cannot be read for some seconds delays a request, but nothing is lost", async () => {
    let lookUps = 0;
    const stage = createSlackStage(talking(CITY), {
      surface: {
        languageOf,
        token: undefined,
        tokenOf() {
          lookUps += 1;
          if (lookUps >= 2 && lookUps <= 5) throw new Error("The directory is down.");
          return stage.slack.token;
        },
      },
    });
    const thread = await stage.ask();
    await stage.ada.press(await stage.shown(thread, "Where to?"), "Decline");
    await stage.shown(thread, "It was declined.");
    const said = stage.slack.messages(stage.ops, thread).map(({ text }) => text);
    expect(said.filter((words) => words.includes("Let me look."))).toHaveLength(1);
  });
});

test("a request that Slack refuses ends the turn, because no user could answer it", async () => {
  const stage = createSlackStage(talking(CITY));
  const { slack, errors, clock } = stage;
  slack.failNext("chat.postMessage", "restricted_action_thread_locked");
  const thread = await stage.ask();
  await stage.until(() => errors.some((error) => String(error).includes("restricted_action_thread_locked")));
  await stage.until(() => clock.waiting < 3);
  expect(await stage.openIds(thread)).toEqual([]);
  expect(errors).toHaveLength(1);
});

describe("a request whose message could not be posted", () => {
  /** `failing`: called when the agent is about to ask. */
  const stageOf = (failing: (slack: SlackStage["slack"]) => void) => {
    const stage = createSlackStage(async function* run(turn) {
      failing(stage.slack);
      const { outcome } = await turn.ask(CITY);
      yield* saying(`It was ${outcome}.`);
    });
    return stage;
  };

  test("is posted once after an outage of Slack of several seconds", async () => {
    const stage = stageOf((slack) => {
      slack.failNext("chat.postMessage", 503);
      // Three looks, each repeated twice.
      slack.failNext("conversations.replies", 503, 9);
    });
    const thread = await stage.ask();
    await stage.ada.press(await stage.shown(thread, "Where to?"), "Decline");
    await stage.shown(thread, "It was declined.");
    const said = stage.slack.messages(stage.ops, thread).filter(({ isFromApp }) => isFromApp);
    expect(said.map(({ text }) => text)).toEqual(["✗ Declined", "It was declined."]);
    expect(stage.errors).toEqual([]);
  });

  test("is posted again if the app must not read the thread", async () => {
    const stage = stageOf((slack) => {
      slack.failNext("chat.postMessage", 503);
      slack.failNext("conversations.replies", "missing_scope", 9);
    });
    const thread = await stage.ask();
    await stage.ada.press(await stage.shown(thread, "Where to?"), "Decline");
    await stage.shown(thread, "It was declined.");
    expect(stage.errors).toEqual([]);
  });
});

test("when the channel is archived during a request, the turn ends at its next message", async () => {
  const stage = createSlackStage(async function* run(turn) {
    const { outcome } = await turn.ask(CITY);
    yield* saying(`It was ${outcome}.`);
    await turn.ask(CITY);
  });
  const thread = await stage.ask();
  const question = await stage.shown(thread, "Where to?");
  stage.slack.archive(stage.ops);
  await stage.ada.press(question, "Decline");
  await stage.until(() => stage.errors.some((error) => String(error).includes("The channel is archived.")));
  await stage.until(() => stage.clock.waiting < 3);
  expect(await stage.openIds(thread)).toEqual([]);
});

describe("a request whose message was deleted", () => {
  test("is posted again when it changes, and can be answered there", async () => {
    const stage = createSlackStage(talking(SERVICE));
    const thread = await stage.ask();
    const first = await stage.shown(thread, "Connect Tracker");
    stage.slack.deleteMessage(first);
    const [id = ""] = await stage.openIds(thread);
    await stage.runtime.elicitations.fail(id, "You cancelled at Tracker.");
    const second = await stage.shown(thread, "You cancelled at Tracker.");
    expect(second.ts).not.toBe(first.ts);
    await stage.ada.press(second, "Decline");
    await stage.shown(thread, "It was declined.");
    expect(buttonsOf(second)).toEqual([]);
    expect(stage.errors).toEqual([]);
  });

  test("is not posted again when it ends, and the turn continues", async () => {
    const stage = createSlackStage(talking(CITY));
    const thread = await stage.ask();
    stage.slack.deleteMessage(await stage.shown(thread, "Where to?"));
    await stage.clock.advanceAsync(600_000);
    await stage.shown(thread, "It was expired.");
    expect(stage.slack.messages(stage.ops, thread).map(({ text }) => text)).toEqual([
      `${stage.slack.mention} go`,
      "Let me look. ",
      "It was expired.",
    ]);
    expect(stage.errors).toEqual([]);
  });
});

test("a text whose message is deleted while it is streamed continues in a new message", async () => {
  const stage = createSlackStage(async function* run() {
    for (const delta of ["One. ", "Two. "]) {
      yield* saying(delta);
      await new Promise<void>((resolve) => void stage.clock.after(2000, resolve));
    }
  });
  const thread = await stage.ask();
  stage.slack.deleteMessage(await stage.shown(thread, "One."));
  await stage.shown(thread, "Two.");
  expect(stage.errors).toEqual([]);
});
