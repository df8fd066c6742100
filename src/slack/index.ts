/** `elicit-kit/slack`: requests as Slack messages and modals, and a surface that puts your agent into Slack. */
export { type SlackLanguage, slackLanguageFor } from "./language.ts";
export type { SlackReply } from "./modal-events.ts";
export { type SlackPayload, payloadOf } from "./payload.ts";
export type { SlackInstallation } from "./place.ts";
export { type SlackSurface, type SlackSurfaceOptions, createSlackSurface } from "./slack-surface.ts";
export type { SlackBlock, SlackElement, SlackModal } from "./block.ts";
export {
  type AnswerLine,
  type MessageOptions,
  type SlackMessage,
  requestMessage,
} from "./request-message.ts";
export { type MadeModal, type ModalOptions, requestModal } from "./request-modal.ts";
export {
  type PressVerdict,
  type SlackPerson,
  authorOf,
  mayPress,
  personOfClaims,
  presserOf,
} from "./right-person.ts";
export { type SignatureCheck, isSignedBySlack } from "./signature.ts";
export {
  type SubmissionErrors,
  describeAnswers,
  readDrafts,
  readSubmission,
  submissionErrors,
} from "./submission.ts";
export { suggestOptions } from "./suggestions.ts";
export type { PlainText } from "./text.ts";
export { SlackApiError, type SlackClient, type SlackClientOptions, createSlackClient } from "./web-client.ts";
export { slackEn } from "./words/en.ts";
export type { SlackWords } from "./words/slack-words.ts";
