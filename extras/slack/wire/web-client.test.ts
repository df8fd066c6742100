import { expect, onTestFinished, test, vi } from "vitest";
import { createManualClock, promisesSettled } from "../../../src/base/testing/manual-clock.ts";
import { createFakeSlack } from "../testing/index.ts";
import { type SlackClientOptions, createSlackClient } from "./web-client.ts";

function setUp(options: Partial<SlackClientOptions> = {}) {
  const clock = createManualClock();
  const slack = createFakeSlack({ app: async () => new Response(), clock });
  const ops = slack.channel({ name: "ops", members: [] });
  const client = createSlackClient({ token: slack.token, fetch: slack.fetch, clock, ...options });
  return { clock, slack, ops, client, message: { channel: ops.id, text: "hi" } };
}

test("blocks, metadata and flags reach Slack unchanged", async () => {
  const { slack, ops, client, message } = setUp();
  const blocks = [{ type: "section", text: { type: "plain_text", text: "a & b = c", emoji: false } }];
  const metadata = { event_type: "x", event_payload: { seq: 7 } };
  expect(
    await client.call("chat.postMessage", { ...message, blocks, metadata, thread_ts: undefined }),
  ).toMatchObject({ ok: true });
  expect(slack.messages(ops)).toMatchObject([{ text: "hi", blocks, metadata }]);
});

test("a rate-limited call waits as long as Slack asks and is then repeated", async () => {
  const { slack, ops, client, clock, message } = setUp();
  slack.limitRate("chat.postMessage", { retryAfter: 30, times: 2 });
  const called = client.call("chat.postMessage", message);
  await vi.waitFor(() => expect(slack.calls).toHaveLength(1));
  await clock.advanceAsync(29_999);
  expect(slack.calls).toHaveLength(1);
  await clock.advanceAsync(1);
  await vi.waitFor(() => expect(slack.calls).toHaveLength(2));
  await vi.waitFor(() => expect(clock.waiting).toBe(1));
  await clock.advanceAsync(30_000);
  await called;
  expect(slack.messages(ops)).toHaveLength(1);
});

test("a call that waits for Slack does not keep an otherwise idle process open", async () => {
  const { slack, client, message } = setUp({ clock: undefined });
  slack.limitRate("chat.postMessage", { retryAfter: 30 });
  const waits: NodeJS.Timeout[] = [];
  const original = globalThis.setTimeout;
  const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation((...args) => {
    const timer = original(...args);
    if ((args[1] ?? 0) > 20_000) waits.push(timer);
    return timer;
  });
  onTestFinished(() => spy.mockRestore());
  void client.call("chat.postMessage", message);
  await vi.waitFor(() => expect(waits).toHaveLength(1));
  expect(waits[0]?.hasRef()).toBe(false);
});

test("while Slack limits a method, other calls of it wait without a request, and other methods do not wait", async () => {
  const { slack, client, clock, message } = setUp();
  slack.limitRate("chat.postMessage", { retryAfter: 30 });
  const calls = [client.call("chat.postMessage", message)];
  // Waits until the reply has been read.
  await promisesSettled();
  calls.push(client.call("chat.postMessage", message));
  await client.call("auth.test", {});
  expect(slack.calls.map(({ method }) => method)).toEqual(["chat.postMessage", "auth.test"]);
  await vi.waitFor(() => expect(clock.waiting).toBe(2));
  await clock.advanceAsync(30_000);
  await Promise.all(calls);
  expect(slack.calls).toHaveLength(4);
});

test("a call that would have to wait too long fails", async () => {
  const { slack, client, message } = setUp({ maxWaitMs: 5000 });
  slack.limitRate("chat.postMessage", { retryAfter: 6 });
  await expect(client.call("chat.postMessage", message)).rejects.toMatchObject({ code: "ratelimited" });
  slack.limitRate("chat.postMessage", { retryAfter: 3 });
  await expect(client.call("chat.postMessage", message, { maxWaitMs: 2000 })).rejects.toThrow(
    "elicit-kit: Slack refused",
  );
});

test("after a server error, a call is repeated if that is safe, and no message is posted twice", async () => {
  const { slack, ops, client, clock, message } = setUp();
  const { ts } = await client.call("chat.postMessage", message);
  slack.failNext("chat.update", 503, 2);
  const updated = client.call("chat.update", { ...message, ts, text: "ho" });
  for (let tries = 0; tries < 2; tries += 1) {
    await vi.waitFor(() => expect(clock.waiting).toBe(1));
    await clock.advanceAsync(1000);
  }
  await updated;
  expect(slack.messages(ops)[0]?.text).toBe("ho");
  slack.failNext("chat.postMessage", 503);
  await expect(client.call("chat.postMessage", message)).rejects.toThrow("status 503");
  expect(slack.messages(ops)).toHaveLength(1);
});

test("the error for a missing scope names the scope and the fix", async () => {
  const { slack, client, message } = setUp();
  slack.revokeScope("chat:write");
  await expect(client.call("chat.postMessage", message)).rejects.toThrow(
    'elicit-kit: Slack refused chat.postMessage (missing_scope). The token lacks the scope chat:write. Add it under "OAuth & Permissions" and install the app again.',
  );
});

test("errors name the problem and its position, but contain neither the token nor the content of the call", async () => {
  const { slack, client, message, ops } = setUp();
  const secret = "s3cret ".repeat(1000);
  const wrong = client.call("chat.postMessage", {
    ...message,
    blocks: [{ type: "section", text: { type: "plain_text", text: secret } }],
  });
  const error: unknown = await wrong.catch((thrown: unknown) => thrown);
  expect(String(error)).toContain("[json-pointer:/blocks/0/text/text]");
  expect(String(error)).not.toContain("s3cret");
  expect(JSON.stringify(error)).not.toContain(slack.token);
  slack.removeApp(ops);
  await expect(client.call("chat.postMessage", message)).rejects.toThrow("The app is not in the channel.");
});

test("a response that is not Slack's, or no response, is an error", async () => {
  const page = setUp({ fetch: async () => new Response("<html>") });
  await expect(page.client.call("auth.test", {})).rejects.toThrow("Something other than Slack");
  const silent = setUp({
    fetch: (_url, init) =>
      new Promise((_resolve, reject) =>
        init?.signal?.addEventListener("abort", () => reject(new Error("aborted"))),
      ),
  });
  const called = silent.client.call("chat.postMessage", silent.message);
  const refused = called.catch((error: unknown) => String(error));
  await silent.clock.advanceAsync(10_000);
  expect(await refused).toContain("Slack cannot be reached");
});
