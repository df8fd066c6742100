/** The surface behind Bolt, as an operator would run it: every journey of a question, in real time and over HTTP. */
import { type RunTurn, type RuntimeOptions, createRuntime } from "elicit-kit/runtime";
import { createSlackSurface } from "elicit-kit/slack";
import { elicitation } from "elicit-kit/slack/bolt";
import type { FakeMessage } from "elicit-kit/slack/testing";
import { buttonsOf } from "../../../extras/slack/testing/person.ts";
import { describe, expect, test } from "vitest";
import { withBolt } from "./served.ts";

const form = {
  mode: "form",
  message: "Where to?",
  tool: { id: "trip", name: "trip" },
  requestedSchema: {
    type: "object",
    properties: { city: { type: "string", title: "City", minLength: 2 } },
    required: ["city"],
  },
} as const;
const page = {
  mode: "url",
  message: "The trip needs your account.",
  tool: { id: "rail", name: "rail" },
  service: { name: "Rail" },
  url: (elicitationId: string) => `https://auth.example.com/auth/connect?elicitationId=${elicitationId}`,
} as const;

const asking = (question: typeof form | typeof page): RunTurn =>
  async function* run(turn) {
    yield { type: "start", messageId: turn.id };
    yield { type: "text-start", id: "a" };
    yield { type: "text-delta", id: "a", delta: "Let me see. " };
    yield { type: "text-end", id: "a" };
    const { outcome } = await turn.ask(question);
    yield { type: "text-start", id: "b" };
    yield { type: "text-delta", id: "b", delta: `It was ${outcome}.` };
    yield { type: "text-end", id: "b" };
    yield { type: "finish" };
  };

async function setUp(runTurn: RunTurn, options: Partial<RuntimeOptions> = {}) {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const runtime = createRuntime({
    runTurn,
    authenticate: () => undefined,
    allowedOrigins: [],
    hostedPage: { origin: "https://auth.example.com" },
    onError,
    ...options,
  });
  const people = await withBolt((app, fake, apiUrl) => {
    const surface = createSlackSurface({
      runtime,
      signingSecret: fake.signingSecret,
      token: fake.token,
      userOf: ({ user }) => ({ id: user }),
      commands: ["/assistant"],
      apiUrl,
      onError,
    });
    app.use(elicitation(surface));
  });
  const { slack, ops, ada } = people;
  async function shown(words: string): Promise<FakeMessage> {
    const has = (one: FakeMessage) =>
      one.isFromApp && (one.text + JSON.stringify(one.blocks)).includes(words);
    const find = () => slack.messages(ops).findLast(has);
    await expect.poll(find).toBeDefined();
    return find()!;
  }
  /** What has gone wrong, on either side. */
  const faults = () => [...errors, ...slack.failures];
  return { ...people, runtime, shown, faults, ask: () => ada.say(ops, `${slack.mention} go`) };
}

describe("in an app with Bolt,", () => {
  test("the user connects an account through a link, and the same turn continues", async () => {
    const { slack, ops, ada, runtime, shown, faults, ask } = await setUp(asking(page));
    const { ts: thread } = await ask();
    const question = await shown("Connect Rail");
    const [open] = await runtime.elicitations.listOpen(`slack:T0ACME:${ops.id}:${thread}`, ada.id);
    const id = open?.request.elicitationId ?? "";
    expect(await ada.press(question, "Connect")).toBe(page.url(id));
    await expect.poll(() => JSON.stringify(question.blocks)).toContain("I’ve finished");
    await ada.press(question, "I’ve finished");
    await expect.poll(() => slack.ephemerals).toMatchObject([{ user: ada.id }]);
    await runtime.elicitations.complete(id);
    await shown("It was accepted.");
    expect(question.text).toBe("✓ Rail connected");
    expect(faults()).toEqual([]);
  });

  test.each([
    ["Decline", "declined"],
    ["Not now", "cancelled"],
  ])("%s ends a form as %s", async (button, outcome) => {
    const { ada, shown, faults, ask } = await setUp(asking(form));
    await ask();
    const question = await shown("Where to?");
    await Promise.all([ada.press({ ...question }, button), ada.press({ ...question }, button)]);
    await shown(`It was ${outcome}.`);
    expect(faults()).toEqual([]);
  });

  test("a modal that was closed by mistake opens again with the user's input, and can be sent", async () => {
    const { ada, shown, faults, ask } = await setUp(asking(form));
    await ask();
    const question = await shown("Where to?");
    for (const text of ["Rom", "Rome"]) {
      await ada.press(question, "Answer…");
      await expect.poll(() => ada.view()).toBeDefined();
      await ada.enter({ City: text });
      await ada.close();
    }
    await ada.press(question, "Answer…");
    await expect.poll(() => JSON.stringify(ada.view()?.values)).toContain('"Rome"');
    expect(await ada.submit()).toEqual({});
    await shown("It was accepted.");
    await shown("City: Rome");
    expect(faults()).toEqual([]);
  });

  test("a colleague's click ends nothing, and two users in one thread have a question each", async () => {
    const { slack, ops, ada, bob, shown, faults, ask } = await setUp(asking(form));
    const { ts: thread } = await ask();
    const hers = await shown("For <@UADA>");
    await bob.say(ops, `${slack.mention} me too`, { thread });
    const his = await shown("For <@UBOB>");
    await bob.press(hers, "Decline");
    await ada.press(his, "Decline");
    await expect.poll(() => slack.ephemerals.map(({ user }) => user)).toEqual([bob.id, ada.id]);
    expect([hers, his].map((one) => buttonsOf(one).length)).toEqual([5, 5]);
    await bob.press(his, "Not now");
    await shown("It was cancelled.");
    expect(buttonsOf(hers)).toHaveLength(5);
    expect(faults()).toEqual([]);
  });

  test("an expired question says so in its message", async () => {
    const { shown, faults, ask } = await setUp(asking(page), { timeToAnswer: { expiresInMs: 500 } });
    await ask();
    await shown("⌛ The request for Rail expired");
    await shown("It was expired.");
    expect(faults()).toEqual([]);
  });

  test("Slack's stop button, the word stop and the shortcut end a turn", async () => {
    const { slack, ops, ada, shown, faults, ask } = await setUp(asking(form));
    const stops = [
      (thread: string) => ada.stop(ops, thread),
      (thread: string) => ada.say(ops, `${slack.mention} stop`, { thread }),
      async () => ada.shortcut(await shown("Where to?"), "elicit_kit:stop"),
    ];
    for (const stop of stops) {
      const { ts: thread } = await ask();
      const question = await shown("Where to?");
      await stop(thread);
      await expect.poll(() => question.text).toBe("– No longer needed");
    }
    expect(faults()).toEqual([]);
  });

  test("a slash command starts a turn in a new thread", async () => {
    const { ops, ada, shown, faults } = await setUp(asking(form));
    await ada.command(ops, "/assistant", "a trip");
    await ada.press(await shown("Where to?"), "Decline");
    await shown("It was declined.");
    expect(faults()).toEqual([]);
  });

  test("a click on a message from before the server stopped gets the reply that the question is no longer open", async () => {
    const { ada, runtime, slack, shown, ask } = await setUp(asking(form));
    await ask();
    const question = await shown("Where to?");
    const stale = { ...question };
    await runtime.close();
    await expect.poll(() => question.text).toBe("– No longer needed");
    await ada.press(stale, "Decline");
    await expect.poll(() => slack.ephemerals).toMatchObject([{ text: "This question is no longer open." }]);
    expect(slack.failures).toEqual([]);
  });
});
