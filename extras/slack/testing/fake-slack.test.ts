import { expect, test } from "vitest";
import { createManualClock, promisesSettled } from "../../../src/base/testing/manual-clock.ts";
import { isObject } from "../../../src/contract/json.ts";
import { createFakeSlack } from "./index.ts";
import type { FakeSlackOptions } from "./fake-slack.ts";

const ok = async () => new Response();

function setUp(options: Partial<FakeSlackOptions> = {}) {
  const clock = createManualClock();
  const received: Request[] = [];
  const app = options.app ?? ok;
  const slack = createFakeSlack({
    clock,
    ...options,
    app: async (request) => {
      received.push(request.clone());
      return app(request);
    },
  });
  const ada = slack.person({ name: "Ada" });
  const ops = slack.channel({ name: "ops", members: [ada] });
  /** Calls the Web API. */
  async function call(method: string, args: object, token = slack.token): Promise<Record<string, unknown>> {
    const response = await slack.fetch(`https://slack.com/api/${method}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json; charset=utf-8" },
      body: JSON.stringify(args),
    });
    const reply: unknown = await response.json();
    return isObject(reply) ? { ...reply } : {};
  }
  return { clock, slack, ada, ops, call, received };
}

const plain = (text: string) => ({ type: "plain_text", text });
const pressable = [
  {
    type: "actions",
    block_id: "b",
    elements: [{ type: "button", action_id: "go", text: plain("Go"), value: "7" }],
  },
];
const view = (changes: object = {}) => ({
  type: "modal",
  title: plain("Trip"),
  submit: plain("Send"),
  blocks: [
    {
      type: "input",
      block_id: "city",
      label: plain("City"),
      element: { type: "plain_text_input", action_id: "v", min_length: 2 },
    },
  ],
  ...changes,
});

async function payloadOf(request: Request | undefined): Promise<Record<string, unknown>> {
  const text = (await request?.clone().text()) ?? "";
  const parsed: unknown = JSON.parse(new URLSearchParams(text).get("payload") ?? text);
  return isObject(parsed) ? { ...parsed } : {};
}

test("a mention reaches the app as a signed event, and other messages of a channel do not", async () => {
  const { slack, ada, ops, received, clock } = setUp();
  await ada.say(ops, "hello everyone");
  expect(received).toHaveLength(0);
  const message = await ada.say(ops, `${slack.mention} deploy`);
  expect(await payloadOf(received[0])).toMatchObject({
    type: "event_callback",
    team_id: "T0ACME",
    event: { type: "app_mention", user: "UADA", channel: ops.id, ts: message.ts, text: "<@U0APP> deploy" },
  });
  const headers = received[0]?.headers;
  expect(headers?.get("x-slack-request-timestamp")).toBe(String(clock.now() / 1000));
  expect(headers?.get("x-slack-signature")).toMatch(/^v0=[0-9a-f]{64}$/);
  expect(headers?.get("x-slack-retry-num")).toBeNull();
});

test("the signature matches the example in Slack's documentation", async () => {
  const { slack } = setUp({ signingSecret: "8f742231b10e8888abcd99yyyzzz85a5" });
  const text =
    "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
  const request = await slack.delivery.sign(
    { contentType: "application/x-www-form-urlencoded", text },
    { timestamp: 1531420618 },
  );
  expect(request.headers.get("x-slack-signature")).toBe(
    "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
  );
});

test("an event that is not acknowledged is sent again three times, with the reason", async () => {
  const { slack, ada, ops, received, clock } = setUp({ app: () => new Promise(() => {}) });
  const said = ada.say(ops, slack.mention);
  await expect.poll(() => received.length).toBe(1);
  await clock.advanceAsync(3000);
  await said;
  const retries = async (count: number, ms: number) => {
    await clock.advanceAsync(ms);
    await expect.poll(() => received.length).toBe(count);
    await promisesSettled();
    return received.at(-1)?.headers.get("x-slack-retry-num");
  };
  expect(await retries(2, 0)).toBe("1");
  await clock.advanceAsync(3000);
  expect(await retries(3, 60_000)).toBe("2");
  await clock.advanceAsync(3000);
  expect(await retries(4, 300_000)).toBe("3");
  expect(received.at(-1)?.headers.get("x-slack-retry-reason")).toBe("http_timeout");
  await clock.advanceAsync(3000);
  await expect.poll(() => slack.failures).toHaveLength(4);
  await clock.advanceAsync(3_600_000);
  expect(received).toHaveLength(4);
});

test("the Web API refuses invalid tokens, unknown methods, missing scopes and channels that the app is not in", async () => {
  const { slack, ops, call } = setUp();
  const message = { channel: ops.id, text: "hi" };
  expect(await call("chat.postMessage", message, "xoxb-other")).toEqual({ ok: false, error: "invalid_auth" });
  expect(await call("chat.shout", message)).toMatchObject({ error: "unknown_method" });
  expect(await call("chat.postMessage", { channel: "C9" })).toMatchObject({ error: "channel_not_found" });
  expect(await call("chat.postMessage", { channel: ops.id })).toMatchObject({ error: "no_text" });
  slack.revokeScope("chat:write");
  expect(await call("chat.postMessage", message)).toMatchObject({
    error: "missing_scope",
    needed: "chat:write",
  });
  const other = setUp();
  other.slack.removeApp(other.ops);
  expect(await other.call("chat.postMessage", { channel: other.ops.id, text: "hi" })).toMatchObject({
    error: "not_in_channel",
  });
});

test("a message with an invalid block is refused, and the error says where it is", async () => {
  const { slack, ops, call } = setUp();
  const blocks = [{ type: "section", text: { type: "mrkdwn", text: "a".repeat(3001) } }];
  expect(await call("chat.postMessage", { channel: ops.id, text: "hi", blocks })).toEqual({
    ok: false,
    error: "invalid_blocks",
    response_metadata: {
      messages: ["[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]"],
    },
  });
  expect(slack.messages(ops)).toEqual([]);
});

test("a stream grows until it is stopped, and ends after five minutes", async () => {
  const { slack, ada, ops, call, clock } = setUp();
  const { ts: thread } = await ada.say(ops, "hi");
  const where = { channel: ops.id, thread_ts: thread };
  expect(await call("chat.startStream", where)).toMatchObject({ error: "missing_recipient_team_id" });
  const recipient = { recipient_team_id: "T0ACME", recipient_user_id: "UADA" };
  const { ts } = await call("chat.startStream", { ...where, ...recipient });
  await call("chat.appendStream", { channel: ops.id, ts, markdown_text: "Let me " });
  expect(await call("chat.update", { channel: ops.id, ts, text: "no" })).toMatchObject({ ok: false });
  clock.advance(5 * 60_000 - 1);
  await call("chat.appendStream", { channel: ops.id, ts, markdown_text: "see." });
  clock.advance(1);
  const late = { channel: ops.id, ts, markdown_text: "!" };
  expect(await call("chat.appendStream", late)).toMatchObject({ error: "message_not_in_streaming_state" });
  expect(await call("chat.stopStream", late)).toMatchObject({ error: "message_not_in_streaming_state" });
  expect(slack.messages(ops, thread).at(-1)).toMatchObject({
    text: "Let me see.",
    streamingState: "completed",
  });
  expect(await call("chat.appendStream", { ...late, markdown_text: "a".repeat(12_001) })).toMatchObject({
    ok: false,
  });
});

test("a trigger id opens one modal, for three seconds", async () => {
  const { slack, ada, ops, call, clock, received } = setUp();
  const { ts } = await call("chat.postMessage", { channel: ops.id, text: "hi", blocks: pressable });
  expect(typeof ts).toBe("string");
  const press = async () => {
    await ada.press(slack.messages(ops)[0]!, "Go");
    return (await payloadOf(received.at(-1)))["trigger_id"];
  };
  const trigger = await press();
  expect(await call("views.open", { trigger_id: "made-up", view: view() })).toMatchObject({
    error: "invalid_trigger_id",
  });
  expect(await call("views.open", { trigger_id: trigger, view: view() })).toMatchObject({ ok: true });
  expect(await call("views.open", { trigger_id: trigger, view: view() })).toMatchObject({
    error: "exchanged_trigger_id",
  });
  const late = await press();
  clock.advance(3000);
  expect(await call("views.open", { trigger_id: late, view: view() })).toMatchObject({
    error: "expired_trigger_id",
  });
});

test("a modal submits its values, shows the app's errors next to the inputs, and closes only when they are accepted", async () => {
  let reply: object = { response_action: "errors", errors: { city: "We do not fly there." } };
  const { slack, ada, ops, call, received } = setUp({ app: async () => Response.json(reply) });
  await call("chat.postMessage", { channel: ops.id, text: "hi", blocks: pressable });
  await ada.press(slack.messages(ops)[0]!, "Go");
  const { trigger_id } = await payloadOf(received.at(-1));
  await call("views.open", { trigger_id, view: view() });

  await expect(ada.submit()).rejects.toThrow('"City": Please complete this required field.');
  expect(ada.view()?.errors).toEqual({ city: "Please complete this required field." });
  await expect(ada.submit({ City: "x" })).rejects.toThrow("too short");
  expect(await ada.submit({ City: "Rome" })).toEqual({ City: "We do not fly there." });
  expect(ada.view()?.errors).toEqual({ city: "We do not fly there." });
  expect(await payloadOf(received.at(-1))).toMatchObject({
    type: "view_submission",
    user: { id: "UADA", team_id: "T0ACME" },
    view: { state: { values: { city: { v: { type: "plain_text_input", value: "Rome" } } } } },
  });
  reply = { response_action: "errors", errors: { town: "?" } };
  await ada.submit();
  expect(slack.failures.at(-1)).toMatchObject({ reason: "errors name no input block: town" });
  reply = {};
  expect(await ada.submit()).toEqual({});
  expect(ada.view()).toBeUndefined();
});

test("the app learns that a modal was closed, but not what was typed", async () => {
  const { slack, ada, ops, call, received } = setUp();
  await call("chat.postMessage", { channel: ops.id, text: "hi", blocks: pressable });
  await ada.press(slack.messages(ops)[0]!, "Go");
  const { trigger_id } = await payloadOf(received.at(-1));
  await call("views.open", { trigger_id, view: view({ notify_on_close: true }) });
  await ada.enter({ City: "Rome" });
  await ada.close();
  expect(await payloadOf(received.at(-1))).toMatchObject({
    type: "view_closed",
    view: { state: { values: {} } },
  });
});

test("calls above a method's rate limit get 429 with the seconds to wait", async () => {
  const { slack, ops, call, clock } = setUp();
  for (let count = 0; count < 60; count += 1) await call("chat.postMessage", { channel: ops.id, text: "hi" });
  expect(await call("chat.postMessage", { channel: ops.id, text: "hi" })).toEqual({
    ok: false,
    error: "ratelimited",
  });
  clock.advance(60_000);
  expect(await call("chat.postMessage", { channel: ops.id, text: "hi" })).toMatchObject({ ok: true });
  slack.limitRate("chat.postMessage", { retryAfter: 30 });
  const response = await slack.fetch("https://slack.com/api/chat.postMessage", {
    method: "POST",
    headers: { authorization: `Bearer ${slack.token}` },
    body: new URLSearchParams({ channel: ops.id, text: "hi" }),
  });
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "30"]);
});

test("only one user sees an ephemeral message, and in assistant threads it is dropped although Slack replies ok", async () => {
  const { slack, ada, ops, call } = setUp();
  const bob = slack.person({ name: "Bob" });
  expect(await call("chat.postEphemeral", { channel: ops.id, user: bob.id, text: "psst" })).toMatchObject({
    error: "user_not_in_channel",
  });
  await call("chat.postEphemeral", { channel: ops.id, user: ada.id, text: "psst" });
  const assistant = slack.directMessages(ada, { isAssistant: true });
  expect(
    await call("chat.postEphemeral", { channel: assistant.id, user: ada.id, text: "gone" }),
  ).toMatchObject({ ok: true });
  expect(slack.ephemerals).toEqual([expect.objectContaining({ user: "UADA", text: "psst" })]);
});

test("mentions notify users in mrkdwn, but not in plain text", async () => {
  const { slack, ops, call } = setUp();
  const blocks = [{ type: "section", text: plain("<!channel>") }];
  await call("chat.postMessage", { channel: ops.id, text: "quiet", blocks });
  expect(slack.notifications()).toEqual([]);
  await call("chat.postMessage", { channel: ops.id, text: "<!channel> and <@UADA>" });
  expect(slack.notifications().map(({ who }) => who)).toEqual(["channel", "UADA"]);
});

test("in an org-wide installation an interaction has no team, and a member of another team keeps their team", async () => {
  const { slack, ops, call, received } = setUp({ enterprise: "E1", isOrgInstall: true });
  const eve = slack.person({ name: "Eve", team: "T9OTHER" });
  await call("chat.postMessage", { channel: ops.id, text: "hi", blocks: pressable });
  await eve.press(slack.messages(ops)[0]!, "Go");
  expect(await payloadOf(received.at(-1))).toMatchObject({
    team: null,
    enterprise: { id: "E1" },
    user: { id: "UEVE", team_id: "T9OTHER" },
  });
});

test("users.info returns users and the app, with their locale on request", async () => {
  const { slack, call } = setUp();
  const dora = slack.person({ name: "Dora", locale: "de-DE" });
  expect(await call("users.info", { user: dora.id, include_locale: true })).toMatchObject({
    user: { id: "UDORA", team_id: "T0ACME", is_bot: false, locale: "de-DE" },
  });
  const { user } = await call("users.info", { user: slack.workspace.bot });
  expect(user).toMatchObject({ id: slack.workspace.bot, is_bot: true });
  expect(user).not.toHaveProperty("locale");
  expect(await call("users.info", { user: "UNOBODY" })).toMatchObject({ ok: false, error: "user_not_found" });
});

const BOXES = {
  type: "actions",
  block_id: "more",
  elements: [
    {
      type: "checkboxes",
      action_id: "tell",
      options: [
        { text: plain("Tell #ops"), value: "ops" },
        { text: plain("Tell me"), value: "me" },
      ],
    },
  ],
};
const withTicks = (...values: readonly string[]) => ({
  values: {
    more: {
      tell: {
        type: "checkboxes",
        selected_options: values.map((value) => expect.objectContaining({ value })),
      },
    },
  },
});

test("a user's next click contains the boxes they have checked in a message, until the message changes, and never those of another user", async () => {
  const { slack, ada, ops, call, received } = setUp();
  const bob = slack.person({ name: "Bob" });
  const blocks = [BOXES, ...pressable];
  const { ts } = await call("chat.postMessage", { channel: ops.id, text: "hi", blocks });
  const message = slack.messages(ops)[0]!;
  await ada.tick(message, "Tell #ops");
  await ada.tick(message, "Tell me");
  await ada.tick(message, "Tell #ops");
  expect(await payloadOf(received.at(-1))).toMatchObject({
    type: "block_actions",
    actions: [{ type: "checkboxes", block_id: "more", action_id: "tell" }],
    state: withTicks("me"),
  });
  await bob.press(message, "Go");
  expect(await payloadOf(received.at(-1))).toMatchObject({ state: withTicks() });
  await ada.press(message, "Go");
  expect(await payloadOf(received.at(-1))).toMatchObject({ state: withTicks("me") });
  await call("chat.update", { channel: ops.id, ts, text: "hi", blocks });
  await ada.press(message, "Go");
  expect(await payloadOf(received.at(-1))).toMatchObject({ state: withTicks() });
  await expect(ada.tick(message, "Tell Bob")).rejects.toThrow('the message has no box "Tell Bob"');
});

test("the state of a modal contains its checkboxes and its inputs", async () => {
  const { slack, ada, ops, call, received } = setUp();
  await call("chat.postMessage", { channel: ops.id, text: "hi", blocks: pressable });
  await ada.press(slack.messages(ops)[0]!, "Go");
  const { trigger_id } = await payloadOf(received.at(-1));
  await call("views.open", { trigger_id, view: view({ blocks: [...view().blocks, BOXES] }) });
  await ada.tick(ada.view()!, "Tell me");
  await ada.submit({ City: "Rome" });
  expect(await payloadOf(received.at(-1))).toMatchObject({
    type: "view_submission",
    view: { state: withTicks("me") },
  });
});
