/**
 * `elicit-kit/slack/testing`: a fake Slack for tests of any Slack app. Fake users write, click and submit; the app gets
 * signed requests and calls the Web API. It enforces Block Kit, expiry, rates and scopes with Slack's own errors.
 */
/** The rules of Block Kit, without a server. */
export * as blockKit from "./block-kit.ts";
export { type FakeSlack, createFakeSlack } from "./fake-slack.ts";
export type { FakePerson } from "./person.ts";
export type { FakeMessage } from "./state.ts";
