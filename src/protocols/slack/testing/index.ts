/**
 * `elicit-kit/slack/testing`: a Slack for tests of any Slack app. People write, press and submit; the app gets signed
 * requests and calls the Web API; Block Kit, expiry, rates and scopes are enforced with Slack's own errors.
 */
/** The rules of Block Kit, without a server. */
export * as blockKit from "./block-kit.ts";
export { type FakeSlack, createFakeSlack } from "./fake-slack.ts";
export type { FakePerson } from "./person.ts";
export type { FakeMessage } from "./state.ts";
