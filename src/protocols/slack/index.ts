/** `elicit-kit/slack`: requests as Slack messages and modals, and a surface that puts your agent into Slack. */
export type { SlackLanguage } from "./blocks/english.ts";
export { slackLanguageFor } from "./blocks/language.ts";
export { type SlackPayload, type SlackReply, payloadOf } from "./wire/payload.ts";
export type { SlackInstallation } from "./wire/installation.ts";
export { type SlackSurface, type SlackSurfaceOptions, createSlackSurface } from "./slack-surface.ts";
export type { SlackBlock, SlackElement, SlackModal } from "./blocks/block.ts";
export {
  type AnswerLine,
  type MessageOptions,
  type SlackMessage,
  requestMessage,
} from "./blocks/request-message.ts";
export { type MadeModal, type ModalOptions, requestModal } from "./blocks/request-modal.ts";
export {
  type PressVerdict,
  type SlackPerson,
  authorOf,
  mayPress,
  personOfClaims,
  presserOf,
} from "./people/right-person.ts";
export { type SignatureCheck, isSignedBySlack } from "./wire/signature.ts";
export {
  type SubmissionErrors,
  describeAnswers,
  readDrafts,
  readSubmission,
  submissionErrors,
} from "./answers/submission.ts";
export { suggestOptions } from "./answers/suggestions.ts";
export type { PlainText } from "./blocks/text.ts";
export {
  SlackApiError,
  type SlackClient,
  type SlackClientOptions,
  createSlackClient,
} from "./wire/web-client.ts";
export { slackEn } from "../../words/slack/en.ts";
export type { SlackWords } from "../../words/slack/slack-words.ts";
