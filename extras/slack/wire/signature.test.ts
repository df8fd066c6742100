import { expect, test } from "vitest";
import { createRuntime } from "../../../src/runtime/index.ts";
import { isKitError } from "../../../src/contract/kit-error.ts";
import { createSlackSurface } from "../index.ts";
import type { SlackSurfaceOptions } from "../slack-surface.ts";
import { isSignedBySlack } from "./signature.ts";
import { createFakeSlack } from "../testing/index.ts";

const NOW = Date.parse("2026-11-23T12:00:00Z");
const body = { contentType: "application/json", text: '{"type":"event_callback"}' };

async function check(
  change: { secret?: string; at?: number; body?: string; signature?: string } = {},
  signingSecret: string | string[] = "s3cret",
) {
  const slack = createFakeSlack({ app: async () => new Response(), signingSecret: "s3cret" });
  const { secret = "s3cret", at = NOW } = change;
  const request = await slack.delivery.sign(body, { secret, timestamp: at / 1000 });
  return isSignedBySlack({
    signingSecret,
    timestamp: request.headers.get("x-slack-request-timestamp"),
    signature: change.signature ?? request.headers.get("x-slack-signature"),
    body: change.body ?? body.text,
    now: NOW,
  });
}

test("a request that Slack has signed with any of the secrets is accepted", async () => {
  expect(await check()).toBe(true);
  expect(await check({}, ["new", "s3cret"])).toBe(true);
  expect(await check({ at: NOW - 299_000 })).toBe(true);
});

test.each([
  ["signed with another secret", { secret: "other" }],
  ["changed on the way", { body: '{"type":"event_callback" }' }],
  ["replayed after five minutes", { at: NOW - 301_000 }],
  ["from the future", { at: NOW + 301_000 }],
  ["without a signature", { signature: "" }],
  ["with a signature of another version", { signature: `v1=${"0".repeat(64)}` }],
  ["with a signature that is cut off", { signature: "v0=00" }],
])("a request %s is refused", async (_title, change) => {
  expect(await check(change)).toBe(false);
});

test("a request without a timestamp is refused", async () => {
  const signed = { signingSecret: "s", signature: `v0=${"0".repeat(64)}`, body: "" };
  expect(await isSignedBySlack({ ...signed, timestamp: null })).toBe(false);
  expect(await isSignedBySlack({ ...signed, timestamp: "NaN" })).toBe(false);
});

test.each<[string, string | string[]]>([
  ["an empty secret", ""],
  ["no secret", []],
  ["a list with an empty secret", ["s3cret", ""]],
])("%s is an error, because anyone could sign with it", async (_title, signingSecret) => {
  await expect(check({}, signingSecret)).rejects.toThrow("elicit-kit: the signing secret");
  expect(() => surfaceWith({ token: "xoxb-1", signingSecret })).toThrow("elicit-kit: the signing secret");
});

test("a surface without a signing secret, as in an app with Bolt, throws when it should check requests itself", async () => {
  const surface = surfaceWith({ token: "xoxb-1" });
  const answered = surface.fetch(
    new Request("https://app.example.com/slack", { method: "POST", body: "{}" }),
  );
  await expect(answered).rejects.toSatisfy(isKitError);
  await expect(answered).rejects.toThrow(
    "elicit-kit: fetch of a Slack surface needs signingSecret. Pass it to createSlackSurface, or let Bolt check the requests.",
  );
});

test.each([
  ["no token", {}],
  ["an empty token", { token: "" }],
  ["a token and tokenOf", { token: "xoxb-1", tokenOf: () => "xoxb-2" }],
])("creating a Slack surface with %s fails", (_title, options) => {
  expect(() => surfaceWith({ signingSecret: "s3cret", ...options })).toThrow(
    "elicit-kit: give createSlackSurface either token or tokenOf.",
  );
});

function surfaceWith(options: Pick<SlackSurfaceOptions, "token" | "tokenOf" | "signingSecret">) {
  const onError = () => undefined;
  const runtime = createRuntime({
    async *runTurn() {},
    authenticate: () => undefined,
    allowedOrigins: [],
    onError,
  });
  return createSlackSurface({ runtime, userOf: () => undefined, onError, ...options });
}
