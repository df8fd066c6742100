/** `elicit-kit/slack`: requests as Slack messages and modals, and a surface that connects your agent to Slack. */
export type { SlackLanguage } from "./blocks/text.ts";
export { slackLanguageFor } from "./people/person-language.ts";
export { type SlackPayload, payloadOf } from "./wire/payload.ts";
export type { SlackInstallation } from "./wire/payload.ts";
export { type SlackSurface, createSlackSurface } from "./slack-surface.ts";
export { requestMessage } from "./blocks/request-message.ts";
export { requestModal } from "./blocks/request-modal.ts";
export { type SlackPerson, authorOf, mayPress, personOfClaims, presserOf } from "./people/right-person.ts";
export { isSignedBySlack } from "./wire/signature.ts";
export { readSubmission } from "./answers/submission.ts";
export { suggestOptions } from "./answers/suggestions.ts";
export { SlackApiError, type SlackClient, createSlackClient } from "./wire/web-client.ts";
export { type SlackWords, slackEn } from "./words/slack-words.ts";
