import { ErrorCode, WebClient, retryPolicies } from "@slack/web-api";
import { expect, test } from "vitest";
import { requestMessage, requestModal } from "elicit-kit/slack";
import { withBolt } from "./served.ts";

async function setUp() {
  const { slack, apiUrl, ada, ops } = await withBolt(() => undefined);
  const options = { slackApiUrl: apiUrl, retryConfig: retryPolicies.rapidRetryPolicy };
  return { slack, ada, ops, client: new WebClient(slack.token, options), apiUrl };
}

const form = {
  type: "elicitation-request",
  elicitationId: "e-1",
  mode: "form",
  message: "Where to?",
  requestedSchema: { type: "object", properties: { city: { type: "string", title: "City" } } },
} as const;

test("the official client can send the kit's messages with metadata, updates and modals", async () => {
  const { slack, ops, client } = await setUp();
  const { text, blocks } = requestMessage(form);
  const metadata = { event_type: "x", event_payload: { seq: 1 } };
  const posted = await client.chat.postMessage({ channel: ops.id, text, blocks: [...blocks], metadata });
  await client.chat.update({ channel: ops.id, ts: posted.ts ?? "", text: "Done" });
  expect(slack.messages(ops)).toMatchObject([{ text: "Done", metadata, updates: 1 }]);
  const { messages } = await client.conversations.replies({
    channel: ops.id,
    ts: posted.ts ?? "",
    include_all_metadata: true,
  });
  expect(messages).toMatchObject([{ text: "Done", metadata }]);
  const made = requestModal(form);
  const opened = client.views.open({
    trigger_id: "made-up",
    view: made.ok ? { ...made.view, blocks: [...made.view.blocks] } : ({} as never),
  });
  await expect(opened).rejects.toMatchObject({
    code: ErrorCode.PlatformError,
    data: { error: "invalid_trigger_id" },
  });
});

test("the official client's stream helper works with the fake Slack", async () => {
  const { slack, ada, ops, client } = await setUp();
  const { ts } = await ada.say(ops, "hi");
  const stream = client.chatStream({
    channel: ops.id,
    thread_ts: ts,
    recipient_team_id: "T0ACME",
    recipient_user_id: ada.id,
    buffer_size: 1,
  });
  await stream.append({ markdown_text: "Let me " });
  await stream.append({ markdown_text: "see." });
  await stream.stop();
  expect(slack.messages(ops, ts).at(-1)).toMatchObject({ text: "Let me see.", streamingState: "completed" });
  const late = client.chat.appendStream({
    channel: ops.id,
    ts: slack.messages(ops, ts).at(-1)!.ts,
    markdown_text: "!",
  });
  await expect(late).rejects.toMatchObject({ data: { error: "message_not_in_streaming_state" } });
});

test("the official client understands the errors of the fake and waits as its rate limits say", async () => {
  const { slack, ops, client, apiUrl } = await setUp();
  const blocks = [{ type: "section", text: { type: "mrkdwn", text: "a".repeat(3001) } }];
  await expect(client.chat.postMessage({ channel: ops.id, text: "hi", blocks })).rejects.toMatchObject({
    data: {
      error: "invalid_blocks",
      response_metadata: {
        messages: ["[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]"],
      },
    },
  });
  const stranger = new WebClient("xoxb-other", { slackApiUrl: apiUrl });
  await expect(stranger.auth.test()).rejects.toMatchObject({ data: { error: "invalid_auth" } });
  slack.limitRate("chat.postMessage", { retryAfter: 1 });
  await client.chat.postMessage({ channel: ops.id, text: "hi" });
  expect(slack.messages(ops).map(({ text }) => text)).toEqual(["hi"]);
  slack.revokeScope("chat:write");
  const refused = client.chat.postMessage({ channel: ops.id, text: "hi" });
  await expect(refused).rejects.toMatchObject({ data: { error: "missing_scope", needed: "chat:write" } });
});
