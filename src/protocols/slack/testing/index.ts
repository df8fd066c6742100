/**
 * `elicit-kit/slack/testing`: a Slack for tests of any Slack app. People write, press and submit; the app gets signed
 * requests and calls the Web API; Block Kit, expiry, rates and scopes are enforced with Slack's own errors.
 */
export { type BlockKitErrors, checkBlocks, checkModal, checkSuggestions } from "./block-kit.ts";
export type { AppFetch, Delivery } from "./delivery.ts";
export { type FakeSlack, type FakeSlackOptions, createFakeSlack } from "./fake-slack.ts";
export type { Notification } from "./notifications.ts";
export { type FakePerson, buttonsOf } from "./person.ts";
export type {
  FakeCall,
  FakeChannel,
  FakeEphemeral,
  FakeFailure,
  FakeMember,
  FakeMessage,
  FakeView,
  JsonObject,
  Workspace,
} from "./state.ts";
export type { Entry } from "./view-values.ts";
