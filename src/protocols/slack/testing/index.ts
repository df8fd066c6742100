/**
 * `elicit-kit/slack/testing`: a Slack for tests of any Slack app. People write, press and submit; the app gets signed
 * requests and calls the Web API; Block Kit, expiry, rates and scopes are enforced with Slack's own errors.
 */
export { checkBlocks, checkModal, checkSuggestions } from "./block-kit.ts";
export { type FakeSlack, createFakeSlack } from "./fake-slack.ts";
export type { FakePerson } from "./person.ts";
export type { FakeEphemeral, FakeMessage, FakeView, JsonObject, Workspace } from "./state.ts";
