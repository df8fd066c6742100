import { describe, expect, test } from "vitest";
import { CITY, text as saying } from "../../../test/stages/test-runtime.ts";
import { createSlackStage } from "../../../test/stages/slack/slack-stage.ts";
import { SERVICE, talking } from "../../../test/stages/slack/talking.ts";
import { buttonsOf } from "../testing/person.ts";

describe("the user who is asked", () => {
  test("is the only one who can answer: a colleague who clicks or submits the modal reads why they cannot", async () => {
    const stage = createSlackStage(talking(CITY));
    const { slack, ada, bob } = stage;
    const thread = await stage.ask();
    const question = await stage.shown(thread, "Where to?");
    for (const button of ["Answer…", "Decline", "Not now"]) await bob.press(question, button);
    expect(bob.view()).toBeUndefined();
    expect(slack.ephemerals.map(({ user, text }) => [user, text])).toEqual(
      Array.from({ length: 3 }, () => ["UBOB", "This question is for <@UADA>. Only they can answer it."]),
    );
    expect(await stage.openIds(thread)).toHaveLength(1);

    await ada.press(question, "Answer…");
    // Slack shows a modal to one user, so a submission in the name of another user is forged.
    const stolen = slack.calls.findLast(({ method }) => method === "views.open")?.args["view"];
    const reply = await slack.delivery.interaction({
      type: "view_submission",
      user: { id: "UBOB", team_id: "T0ACME" },
      team: { id: "T0ACME" },
      view: { ...(stolen as object), state: { values: { "field:0": { v: { value: "Rome" } } } } },
    });
    expect(JSON.stringify(reply)).toContain("no longer open");
    expect(await stage.openIds(thread)).toHaveLength(1);
  });

  test("is not confused with a user with the same id in another workspace", async () => {
    const stage = createSlackStage(talking(CITY));
    const question = await stage.shown(await stage.ask(), "Where to?");
    const impostor = stage.slack.person({ name: "Ada", team: "T9OTHER" });
    await impostor.press(question, "Decline");
    expect(buttonsOf(question)).toHaveLength(5);
    expect(stage.slack.ephemerals).toHaveLength(1);
  });

  test("can be a guest of Slack Connect", async () => {
    const stage = createSlackStage(talking(CITY), {
      surface: { userOf: ({ user, team }) => ({ id: `${team}:${user}` }) },
    });
    const eve = stage.slack.person({ name: "Eve", team: "T9OTHER" });
    stage.ops.members.add(eve.id);
    const thread = await stage.ask("go", eve);
    await eve.press(await stage.shown(thread, "Where to?"), "Decline");
    expect(await stage.shown(thread, "It was declined.")).toBeTruthy();
  });

  test("can answer in an org-wide installation, and stop the turn with the shortcut", async () => {
    const stage = createSlackStage(talking(CITY), { slack: { enterprise: "E1", isOrgInstall: true } });
    const thread = await stage.ask();
    await stage.ada.press(await stage.shown(thread, "Where to?"), "Decline");
    await stage.shown(thread, "It was declined.");
    const second = await stage.ask();
    const question = await stage.shown(second, "Where to?");
    await stage.during(stage.ada.shortcut(question, "elicit_kit:stop"));
    expect(await stage.shown(second, "No longer needed")).toBeTruthy();
  });

  test("gets a link to connect their account, and starts no turn, when the app does not know them", async () => {
    let runs = 0;
    const stage = createSlackStage(
      async function* run() {
        runs += 1;
        yield* saying("Hello.");
      },
      { surface: { linkUrl: "https://auth.example.com/slack" } },
    );
    const eve = stage.slack.person({ name: "Eve" });
    const thread = await stage.ask("go", eve);
    const told = await stage.shown(thread, "I do not know yet who you are here.");
    expect(await eve.press(told, "Link your account")).toBe("https://auth.example.com/slack");
    expect(runs).toBe(0);
  });

  test("has their own turn in a shared thread, and answers only its questions", async () => {
    const stage = createSlackStage(talking(CITY));
    const { ada, bob, ops, slack } = stage;
    const thread = await stage.ask();
    const hers = await stage.shown(thread, "For <@UADA>");
    await bob.say(ops, `${slack.mention} me too`, { thread });
    const his = await stage.shown(thread, "For <@UBOB>");
    await bob.press(hers, "Decline");
    await ada.press(his, "Decline");
    expect([buttonsOf(hers).length, buttonsOf(his).length]).toEqual([5, 5]);
    await bob.press(his, "Decline");
    await stage.shown(thread, "It was declined.");
    expect(buttonsOf(hers)).toHaveLength(5);
    await ada.press(hers, "Not now");
    await stage.shown(thread, "It was cancelled.");
  });
});

describe("an external page", () => {
  const FOREIGN = { ...SERVICE, url: "https://tracker.example/connect?state=adas-secret" } as const;

  test("is linked through the hosted page, which authenticates users: the thread never shows its URL", async () => {
    const stage = createSlackStage(talking(FOREIGN));
    const thread = await stage.ask();
    const question = await stage.shown(thread, "Connect Tracker");
    const [id] = await stage.openIds(thread);
    expect(await stage.ada.press(question, "Connect")).toBe(
      `https://auth.example.com/auth/answer?elicitationId=${id}`,
    );
    expect(JSON.stringify(question)).toContain("Link to tracker.example.");
    expect(JSON.stringify(stage.slack.calls)).not.toContain("adas-secret");
  });

  test("is in a modal that only the user who is asked can open, if there is no hosted page", async () => {
    const stage = createSlackStage(talking(FOREIGN), { runtime: { hostedPage: undefined } });
    const { ada, bob, slack } = stage;
    const thread = await stage.ask();
    const question = await stage.shown(thread, "Connect Tracker");
    expect(JSON.stringify(question)).not.toContain("adas-secret");
    await bob.press(question, "Connect");
    expect(bob.view()).toBeUndefined();
    expect(slack.ephemerals).toMatchObject([{ user: "UBOB" }]);

    await ada.press(question, "Connect");
    expect(await ada.press(ada.view()!, "Connect")).toBe(FOREIGN.url);
    await stage.until(() => JSON.stringify(question.blocks).includes("Waiting for tracker.example"));
    const [id = ""] = await stage.openIds(thread);
    await stage.runtime.elicitations.complete(id);
    await stage.shown(thread, "It was accepted.");
    expect(slack.failures).toEqual([]);
    expect(stage.errors).toEqual([]);
  });
});
