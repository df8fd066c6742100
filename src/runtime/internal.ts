/**
 * The exports for other modules (agent, connect, protocols, hosts, the mock server), besides the public `index.ts`. They
 * may import no other file of the runtime, and `npm run lint` enforces this.
 */
export type * from "./ports/index.ts";
export type { RecordOverview, TurnOverview } from "./ports/records.ts";
export type { RememberedAnswer } from "./ports/remembered.ts";
export type {
  NoticeClaim,
  NoticePlan,
  PendingNotices,
  NoticeTimes,
  PendingNotice,
  ToldNotices,
  TriedNotice,
} from "./ports/notices.ts";
export { withAnswer } from "./ports/remembered.ts";
export { planNotice } from "./ports/index.ts";
export { NEVER_TOLD, NOTICE_RECORDS, isToldAnew } from "./ports/notices.ts";
export type { Features } from "./features.ts";
export { composeRuntime } from "./runtime.ts";
export { TURN_FAILED } from "./turn/stream-helper.ts";
export { CODE_CHANGED, SERVER_STOPPED, TAKEN_OVER, isTakenOver, never } from "./ports/turn-runner.ts";
export type { ChatFormat } from "./http/chat-format.ts";
export type { RouteChat } from "./http/read-chat.ts";
export type { AnswerResult } from "./request/answer-result.ts";
export type { ElicitationService } from "./request/elicitations.ts";
export { assignedStatement, deskOf, desksFor, readAssignee } from "./request/assignment.ts";
export type { OpenLimits } from "./request/open-limit.ts";
export type { ElicitationResult, SupportedModes } from "./ask/question.ts";
export { changesOf, currentRequest, extendedEnd, outcomeOf } from "./request/record.ts";
export { type TelemetryAttributes, createCount } from "./request/features/telemetry.ts";
export type { TurnEvent } from "./runtime-interface.ts";
export { type Presented, present, refuseSecrets, supportsOf } from "./surface/present.ts";
export { type Taken, type TakenNow, take, takeInTime, takeUnreadable } from "./surface/take.ts";
export { type TurnPause, type UntilBlockedOptions, untilBlocked } from "./surface/until-blocked.ts";
export { DELEGATED_TEXT, askedText, informationRefusedText, pageRefusedText } from "./tool/texts.ts";
export { CallOrder, stepOperation } from "./turn/call-order.ts";
export { type StreamHelper, createBufferingStreamHelper } from "./turn/stream-helper.ts";
export type {
  LoadMessages,
  Refusal,
  Surface,
  SurfaceAnswer,
  SurfaceAnswerResult,
  SurfaceTurn,
  TurnStart,
} from "./turn/surface.ts";
export { Asker } from "./ask/asker.ts";
export {
  discardChunk,
  discardedFrom,
  eventOf,
  isDiscardable,
  isEnd,
  wantsAnswer,
  withoutDiscarded,
} from "./turn/turn-log.ts";
export type { ToolApprovalEvent } from "./turn/turn-writer.ts";
