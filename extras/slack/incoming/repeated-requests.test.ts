import { describe, expect, test } from "vitest";
import { CITY, text as saying } from "../../../test/stages/test-runtime.ts";
import { createSlackSurface } from "../index.ts";
import { createSlackStage } from "../../../test/stages/slack/slack-stage.ts";
import { talking } from "../../../test/stages/slack/talking.ts";
import { buttonsOf } from "../testing/person.ts";

describe("repeated, late and forged requests", () => {
  test("an event that Slack sends again, or a mention that arrives as two events, starts only one turn", async () => {
    let runs = 0;
    const stage = createSlackStage(async function* run(turn) {
      runs += 1;
      yield* saying("Hello.");
      await turn.ask(CITY);
    });
    const { slack, ada, ops } = stage;
    const { ts } = await ada.say(ops, `${slack.mention} go`);
    const event = { type: "app_mention", user: "UADA", team: "T0ACME", text: "go", ts, channel: ops.id };
    const envelope = { type: "event_callback", team_id: "T0ACME", event_id: "Ev77", event };
    for (let sent = 0; sent < 3; sent += 1) await slack.delivery.event(envelope);
    const twin = { ...event, type: "message", channel_type: "im" };
    await slack.delivery.event({ ...envelope, event_id: "Ev78", event: twin });
    await stage.shown(ts, "Where to?");
    expect(runs).toBe(1);
    expect(slack.messages(ops, ts)).toHaveLength(3);
  });

  test("a click that arrives twice counts once", async () => {
    const stage = createSlackStage(talking(CITY));
    const thread = await stage.ask();
    const question = await stage.shown(thread, "Where to?");
    const same = { ...question };
    await Promise.all([stage.ada.press(same, "Decline"), stage.ada.press(same, "Decline")]);
    await stage.shown(thread, "It was declined.");
    expect(stage.errors).toEqual([]);
  });

  test("requests that are old, unsigned or signed with another secret are refused", async () => {
    const stage = createSlackStage(talking(CITY));
    const { slack, surface, ops } = stage;
    const event = {
      type: "app_mention",
      user: "UADA",
      team: "T0ACME",
      text: "go",
      ts: "1.1",
      channel: ops.id,
    };
    const body = {
      contentType: "application/json",
      text: JSON.stringify({ type: "event_callback", team_id: "T0ACME", event }),
    };
    const old = Math.floor(stage.clock.now() / 1000) - 301;
    for (const request of [
      await slack.delivery.sign(body, { secret: "guessed" }),
      await slack.delivery.sign(body, { timestamp: old }),
      new Request("https://app.example.com/slack", { method: "POST", body: body.text }),
    ]) {
      expect((await surface.fetch(request)).status).toBe(401);
    }
    expect((await surface.fetch(new Request("https://app.example.com/slack"))).status).toBe(405);
    const huge = { contentType: "application/json", text: " ".repeat(1024 * 1024 + 1) };
    expect((await surface.fetch(await slack.delivery.sign(huge))).status).toBe(413);
    const nonsense = { contentType: "application/json", text: "nonsense" };
    // The signature is checked before parsing.
    const forged = await slack.delivery.sign(nonsense, { secret: "guessed" });
    expect((await surface.fetch(forged)).status).toBe(401);
    expect((await surface.fetch(await slack.delivery.sign(nonsense))).status).toBe(400);
    expect(slack.calls).toEqual([]);
  });

  test("Slack's URL verification is answered", async () => {
    const { slack, surface } = createSlackStage(talking(CITY));
    const text = JSON.stringify({ type: "url_verification", challenge: "c-1" });
    const response = await surface.fetch(
      await slack.delivery.sign({ contentType: "application/json", text }),
    );
    expect(await response.json()).toEqual({ challenge: "c-1" });
  });

  test("Slack's certificate check is acknowledged", async () => {
    const { slack, surface } = createSlackStage(talking(CITY));
    const body = { contentType: "application/x-www-form-urlencoded", text: "ssl_check=1&token=x" };
    expect((await surface.fetch(await slack.delivery.sign(body))).status).toBe(200);
  });

  test("a click that arrives at another app of the same runtime ends no request and changes no message", async () => {
    const stage = createSlackStage(talking(CITY));
    const { slack, runtime, ada, ops } = stage;
    const thread = await stage.ask();
    const question = await stage.shown(thread, "Where to?");
    const other = createSlackSurface({
      runtime,
      kind: "other",
      signingSecret: slack.signingSecret,
      token: slack.token,
      userOf: () => ({ id: "ada" }),
      fetch: slack.fetch,
      clock: stage.clock,
      onError: () => undefined,
    });
    await other.handle({
      kind: "interaction",
      body: {
        type: "block_actions",
        user: { id: ada.id, team_id: "T0ACME" },
        team: { id: "T0ACME" },
        channel: { id: ops.id },
        container: { message_ts: question.ts },
        actions: buttonsOf(question),
      },
    });
    expect(slack.ephemerals).toMatchObject([{ text: "This question is no longer open." }]);
    expect(buttonsOf(question)).toHaveLength(5);
    await ada.press(question, "Decline");
    expect(await stage.shown(thread, "It was declined.")).toBeTruthy();
  });

  test("messages of bots, edits and joins start no turn", async () => {
    const stage = createSlackStage(talking(CITY));
    for (const change of [
      { bot_id: "B1" },
      { subtype: "message_changed" },
      { subtype: "channel_join" },
      { user: undefined },
    ]) {
      const event = {
        type: "app_mention",
        user: "UADA",
        text: "go",
        ts: "1.1",
        channel: stage.ops.id,
        ...change,
      };
      await stage.slack.delivery.event({ type: "event_callback", team_id: "T0ACME", event });
    }
    expect(stage.slack.calls).toEqual([]);
  });
});

test("two apps of one runtime in one thread each have a turn for the same user", async () => {
  const stage = createSlackStage(talking(CITY));
  const { slack, ada, ops, runtime } = stage;
  const thread = await stage.ask();
  const first = await stage.shown(thread, "Where to?");
  const other = createSlackSurface({
    runtime,
    kind: "other",
    signingSecret: slack.signingSecret,
    token: slack.token,
    userOf: () => ({ id: "ada" }),
    fetch: slack.fetch,
    clock: stage.clock,
    onError: () => undefined,
  });
  const event = { type: "app_mention", user: ada.id, team: "T0ACME", text: "go", channel: ops.id };
  const body = {
    type: "event_callback",
    team_id: "T0ACME",
    event: { ...event, ts: `${Number(thread) + 1}`, thread_ts: thread },
  };
  await stage.during(other.handle({ kind: "event", body }));
  await stage.until(() =>
    slack.messages(ops, thread).find((one) => one !== first && one.text.includes("Where to?")),
  );
  expect(buttonsOf(first)).toHaveLength(5);
  expect(await stage.openIds(thread)).toHaveLength(1);
  expect(await stage.openIds(thread, "other")).toHaveLength(1);
});

test("an older message or stop that Slack sends again does not affect the turn of a newer message", async () => {
  const stage = createSlackStage(talking(CITY));
  const { slack, ada, ops } = stage;
  const thread = await stage.ask();
  await stage.shown(thread, "Where to?");
  const again = async (text: string, ts: string) => {
    const event = { type: "app_mention", user: ada.id, team: "T0ACME", text, channel: ops.id, ts };
    await stage.during(
      slack.delivery.event({
        type: "event_callback",
        team_id: "T0ACME",
        event: { ...event, thread_ts: thread },
      }),
    );
  };
  const older = `${Number(thread) - 1}`;
  await again("something older", older);
  await again("stop", older);
  await stage.shown(thread, "There is nothing of yours to stop here.");
  expect(await stage.openIds(thread)).toHaveLength(1);
  expect(slack.messages(ops, thread).filter(({ text }) => text.includes("Where to?"))).toHaveLength(1);
});

test("a message that failed after the acknowledgement to Slack is retried, and starts one turn", async () => {
  let lookUps = 0;
  const stage = createSlackStage(
    async function* run() {
      yield* saying("Hello.");
    },
    {
      surface: {
        // First slower than Slack waits, then failing.
        async userOf() {
          lookUps += 1;
          if (lookUps > 2) return { id: "ada" };
          await new Promise<void>((resolve) => void stage.clock.after(4000, resolve));
          throw new Error("The directory is down.");
        },
      },
    },
  );
  const thread = (await stage.during(stage.ada.say(stage.ops, `${stage.slack.mention} go`))).ts;
  expect(stage.slack.failures).toEqual([]);
  await stage.clock.advanceAsync(70_000);
  await stage.shown(thread, "Hello.");
  expect(lookUps).toBe(3);
  expect(stage.errors).toHaveLength(2);
});
