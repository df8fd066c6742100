import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { createGuardedFetch } from "elicit-kit/node";
import { createSlackClient } from "elicit-kit/slack";
import { createFakeSlack } from "elicit-kit/slack/testing";
import { SMTPServer } from "smtp-server";
import { expect, onTestFinished, test } from "vitest";
import webPush, { type PushSubscription } from "web-push";
import { createMailNotices } from "../../docs/examples/notify-mail.ts";
import { createPushNotices } from "../../docs/examples/notify-push.ts";
import { createSlackNotices } from "../../docs/examples/notify-slack.ts";
import { promisesSettled } from "../../src/base/testing/manual-clock.ts";
import type { RuntimeOptions } from "../../src/runtime/index.ts";
import { createChatClient } from "../stages/chat-client.ts";
import { startPushService } from "../stages/push-service.ts";
import { CITY, asking, createTestRuntime } from "../stages/test-runtime.ts";

const MINUTE = 60_000;
const LOOK = 5000;
const LINK = "https://auth.example.com/auth/answer?elicitationId=";
const SECRET_WORDS = /Where to|City|weather/i;

/** Ada is asked and leaves, and the notice is sent as in the recipe. */
function setUp(onWaiting: NonNullable<RuntimeOptions["notices"]>["onWaiting"]) {
  const runtime = createTestRuntime(asking(CITY), {
    notices: { onWaiting },
    timeToAnswer: { expiresInMs: 24 * 60 * MINUTE },
    hostedPage: { origin: "https://auth.example.com" },
  });
  onTestFinished(() => runtime.close());
  async function askAndLeave(conversationId: string): Promise<string> {
    const stream = await createChatClient(runtime.fetch, { user: "ada" }).send(conversationId);
    const { elicitationId } = await stream.request();
    await stream.cancel();
    return elicitationId;
  }
  async function pass(ms: number): Promise<void> {
    await runtime.clock.advanceAsync(ms);
    await promisesSettled();
  }
  return { runtime, askAndLeave, pass };
}

interface Mail {
  headers: string;
  text: string;
  to: readonly string[];
}

/** A real SMTP server. `refuse`: accepts the next messages, and then reports that it could not store them. */
async function startMailServer() {
  const mails: Mail[] = [];
  const state = { refuse: 0 };
  const server = new SMTPServer({
    authOptional: true,
    // The certificate of this server is self-signed.
    disabledCommands: ["STARTTLS"],
    async onData(stream, { envelope }, done) {
      const raw = await text(stream);
      const [headers = "", ...body] = raw.split("\r\n\r\n");
      const words = body.join("\n\n").replaceAll("=\r\n", "").replaceAll("=3D", "=");
      mails.push({ headers, text: words, to: envelope.rcptTo.map(({ address }) => address) });
      state.refuse -= 1;
      if (state.refuse >= 0) done(Object.assign(new Error("try again later"), { responseCode: 451 }));
      else done();
    },
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const address = server.server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const notices = createMailNotices({
    smtp: `smtp://127.0.0.1:${port}`,
    from: { name: "Example chat", address: "chat@example.com" },
    addressOf: async ({ id }) => (id === "ada" ? "ada@example.org" : undefined),
    chatUrl: (conversationId) => `https://chat.example.com/#${conversationId}`,
  });
  return { mails, state, notices };
}

const messageIdOf = ({ headers }: Mail) => /^Message-ID: (.+)$/m.exec(headers)?.[1]?.trim();

test("an absent user gets a mail with the link, without the text of the question", async () => {
  const { mails, notices } = await startMailServer();
  const { runtime, askAndLeave, pass } = setUp(notices);
  const elicitationId = await askAndLeave("c1");
  await pass(MINUTE + LOOK);
  await expect.poll(() => mails.length).toBe(1);
  const [mail] = mails;
  expect(mail?.to).toEqual(["ada@example.org"]);
  expect(mail?.headers).toMatch(/^To: Ada <ada@example.org>\r?$/m);
  expect(mail?.headers).toMatch(/^From: Example chat <chat@example.com>\r?$/m);
  expect(mail?.headers).toMatch(/^Subject: Your answer is needed\r?$/m);
  expect(mail?.headers).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
  expect(mail?.text).toContain(`Your answer is needed:\r\n${LINK}${elicitationId}\r\n`);
  expect(`${mail?.headers}${mail?.text}`).not.toMatch(SECRET_WORDS);
  expect(runtime.errors).toEqual([]);
});

test("several questions are in one mail", async () => {
  const { mails, notices } = await startMailServer();
  const { askAndLeave, pass } = setUp(notices);
  const ids = [await askAndLeave("c1"), await askAndLeave("c2")];
  await pass(MINUTE + LOOK);
  await expect.poll(() => mails.length).toBe(1);
  const [mail] = mails;
  expect(mail?.headers).toMatch(/^Subject: 2 questions wait for you\r?$/m);
  for (const id of ids) expect(mail?.text).toContain(LINK + id);
  await pass(10 * MINUTE);
  expect(mails).toHaveLength(1);
});

test("a mail that is sent again has the same Message-ID, so that it counts as one", async () => {
  const { mails, state, notices } = await startMailServer();
  state.refuse = 1;
  const { runtime, askAndLeave, pass } = setUp(notices);
  await askAndLeave("c1");
  await pass(MINUTE + LOOK);
  await expect.poll(() => runtime.errors.length).toBe(1);
  await pass(MINUTE + LOOK);
  await expect.poll(() => mails.length).toBe(2);
  const [first, second] = mails.map(messageIdOf);
  expect(first).toMatch(/^<[\w-]{20,}@example\.com>$/);
  expect(second).toBe(first);
});

/** Two browsers of Ada at a push service. */
async function startPush() {
  const keys = webPush.generateVAPIDKeys();
  const service = await startPushService(keys.publicKey);
  onTestFinished(() => service.close());
  const kept = new Map<string, PushSubscription>();
  for (const subscription of [service.subscribe(), service.subscribe()]) {
    kept.set(subscription.endpoint, subscription);
  }
  const notices = createPushNotices({
    vapid: { subject: "mailto:ops@example.com", ...keys },
    subscriptions: {
      of: async (userId) => (userId === "ada" ? [...kept.values()] : []),
      remove: async (_, endpoint) => void kept.delete(endpoint),
    },
    inboxUrl: "https://chat.example.com/inbox",
    fetch: createGuardedFetch({ allowLoopback: true }),
  });
  return { service, kept, notices };
}

test("each browser of an absent user gets a push, encrypted for that browser and signed by the app", async () => {
  const { service, kept, notices } = await startPush();
  const { runtime, askAndLeave, pass } = setUp(notices);
  const elicitationId = await askAndLeave("c1");
  await pass(MINUTE + LOOK);
  await expect.poll(() => service.messages.length).toBe(2);
  const endpoints = service.messages.map(({ endpoint }) => endpoint);
  expect(endpoints.toSorted()).toEqual([...kept.keys()].toSorted());
  for (const { payload, headers, claims, endpoint } of service.messages) {
    expect(JSON.parse(payload)).toEqual({
      id: expect.any(String),
      title: "Your answer is needed",
      link: LINK + elicitationId,
    });
    expect(claims).toMatchObject({ aud: new URL(endpoint).origin, sub: "mailto:ops@example.com" });
    expect(headers).toMatchObject({ "content-encoding": "aes128gcm", ttl: "86400" });
  }
  expect(runtime.errors).toEqual([]);
});

test("several questions are in one push, which leads to the inbox", async () => {
  const { service, notices } = await startPush();
  const { askAndLeave, pass } = setUp(notices);
  await askAndLeave("c1");
  await askAndLeave("c2");
  await pass(MINUTE + LOOK);
  await expect.poll(() => service.messages.length).toBe(2);
  expect(JSON.parse(service.messages[0]?.payload ?? "")).toMatchObject({
    title: "2 questions wait for you",
    link: "https://chat.example.com/inbox",
  });
});

test.for([404, 410])("a subscription that the push service does not know (%d) is removed", async (status) => {
  const { service, kept, notices } = await startPush();
  service.answer(status);
  const { runtime, askAndLeave, pass } = setUp(notices);
  await askAndLeave("c1");
  await pass(MINUTE + LOOK);
  await expect.poll(() => kept.size).toBe(0);
  expect(runtime.errors).toEqual([]);
});

test("a push service that was busy gets the same push again", async () => {
  const { service, kept, notices } = await startPush();
  service.answer(503);
  const { runtime, askAndLeave, pass } = setUp(notices);
  await askAndLeave("c1");
  await pass(MINUTE + LOOK);
  await expect.poll(() => runtime.errors.length).toBe(1);
  expect(kept.size).toBe(2);
  service.answer(201);
  await pass(MINUTE + LOOK);
  await expect.poll(() => service.messages.length).toBe(2);
});

test("a push is sent only to public addresses, unless the app allows others", async () => {
  const { service, kept } = await startPush();
  const { runtime, askAndLeave, pass } = setUp(
    createPushNotices({
      vapid: { subject: "mailto:ops@example.com", ...webPush.generateVAPIDKeys() },
      subscriptions: { of: async () => [...kept.values()], remove: async () => {} },
      inboxUrl: "https://chat.example.com/inbox",
    }),
  );
  await askAndLeave("c1");
  await pass(MINUTE + LOOK);
  await expect.poll(() => runtime.errors.length).toBe(1);
  expect(service.messages).toEqual([]);
});

test("an absent user gets one Slack message with a link for each question", async () => {
  const slack = createFakeSlack({ app: async () => new Response() });
  const ada = slack.person({ name: "Ada" });
  const channel = slack.directMessages(ada);
  const { runtime, askAndLeave, pass } = setUp(
    createSlackNotices({
      slack: createSlackClient({ token: slack.token, fetch: slack.fetch }),
      channelOf: async ({ id }) => (id === "ada" ? channel.id : undefined),
      chatUrl: (conversationId) => `https://chat.example.com/#${conversationId}`,
    }),
  );
  const ids = [await askAndLeave("c1"), await askAndLeave("c2")];
  await pass(MINUTE + LOOK);
  await expect.poll(() => slack.messages(channel).length).toBe(1);
  const lines = ids.map((id) => `<${LINK}${id}|Your answer is needed>`);
  expect(slack.messages(channel)[0]?.text).toBe(lines.join("\n"));
  expect(slack.failures).toEqual([]);
  expect(runtime.errors).toEqual([]);
});

test("the links in a Slack message are intact, whatever the address or the name of the service", async () => {
  const slack = createFakeSlack({ app: async () => new Response() });
  const channel = slack.directMessages(slack.person({ name: "Ada" }));
  const notify = createSlackNotices({
    slack: createSlackClient({ token: slack.token, fetch: slack.fetch }),
    channelOf: async () => channel.id,
    chatUrl: (conversationId) => `https://chat.example.com/?a=1&c=${conversationId}`,
  });
  const at = "2026-11-21T12:00:00Z";
  const asked = { elicitationId: "1", surface: "chat", kind: "connect", askedAt: at, expiresAt: at } as const;
  const service = "R&D <Tracker> | <!channel>";
  await notify({
    id: "n1",
    user: { id: "ada" },
    requests: [{ ...asked, service, conversationId: "c|1>" }],
    more: 2,
  });
  expect(slack.messages(channel).map((message) => message.text)).toEqual([
    "<https://chat.example.com/?a=1&amp;c=c%7C1&gt;|Connect R&amp;D &lt;Tracker&gt; ¦ &lt;!channel&gt;>\n2 more questions wait for you.",
  ]);
});

test.for(["mail.ts", "push.ts", "push-page.ts", "push-worker.mjs", "slack.ts"])(
  "docs/run/notify.md contains the recipe notify-%s unchanged",
  (name) => {
    const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
    const path = `docs/examples/notify-${name}`;
    const fence = name.endsWith(".mjs") ? "js" : "ts";
    expect(read("docs/run/notify.md")).toContain(`\`\`\`${fence}\n// ${path}\n${read(path)}\`\`\``);
  },
);
