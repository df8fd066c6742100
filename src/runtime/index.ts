/** `elicit-kit/runtime`: the reference server on Web standards. Runs on Node, in workers and in a browser (mock). */
export type { ChatFormat, WrittenTurn } from "./http/chat-format.ts";
export { type KeepAliveOptions, keepAlive } from "../base/event-stream.ts";
export { toNextHandlers } from "./next-handlers.ts";
export { type RouteChat, supportedModes } from "./http/read-chat.ts";
export { type TurnTimeline, type TurnWait, timelineOf } from "../contract/timeline.ts";
export { systemClock } from "../base/clock.ts";
export { type BufferingStreamHelper, createBufferingStreamHelper } from "./turn/stream-helper.ts";
export { type FetchLimits, type ListedFetchOptions, createListedFetch } from "../base/guarded-fetch.ts";
export { originalOf } from "../base/foreign-error.ts";
export { stripElicitationParts } from "../contract/message-parts.ts";
export type { ElicitationService } from "./request/elicitation-service.ts";
export type { Choose, ChoiceOption, ElicitedChoice } from "./tool/choice.ts";
export {
  type AskOptions,
  type Elicited,
  type Elicitor,
  type ElicitorOptions,
  createElicitor,
} from "./tool/elicitor.ts";
export type { RequestEvent } from "./request/record-notifier.ts";
export type { ToolApprovalEvent } from "./turn/turn-writer.ts";
export { createMemoryRecords } from "./request/memory-records.ts";
export { createMemoryTurnRunner } from "./turn/memory-turn-runner.ts";
export { createMemoryTurnStream } from "./turn/memory-turn-stream.ts";
export { createMemoryWaiter } from "./request/memory-waiter.ts";
export type {
  AskedQuestion,
  Clock,
  DraftStore,
  ElicitationRecord,
  ElicitationRecords,
  PlannedRun,
  Settlement,
  SignInTarget,
  StreamChunk,
  ToolRef,
  TurnKey,
  TurnLease,
  TurnLog,
  TurnOperation,
  TurnOpening,
  TurnRecorder,
  TurnRunner,
  TurnSignals,
  TurnStream,
  TurnStreamEntry,
  User,
  Waiter,
} from "./ports/index.ts";
export type { Allowed } from "../base/rate-limit.ts";
export type { ReachedLimit, TurnLimits } from "../base/input-limit.ts";
export type { WriteLimit } from "../base/rate-limit.ts";
export type { OpenLimits } from "./request/open-request.ts";
export type { RuntimeOptions } from "./runtime-options.ts";
export { type Runtime, type TurnEvent, createRuntime } from "./runtime.ts";
export type { ResolvedRequest } from "./request/record.ts";
export { type StreamHelper, createUiMessageStreamHelper } from "./turn/stream-helper.ts";
export type { Telemetry, TelemetryAttributes } from "./request/telemetry.ts";
export { informationRefusedText, pageRefusedText } from "./tool/texts.ts";
export type {
  ElicitationResult,
  FormQuestion,
  Question,
  QuestionBase,
  SupportedModes,
  TurnScope,
  UrlQuestion,
} from "./request/question.ts";
export type { DelegateInput, RunTurn, Turn } from "./turn/turn.ts";
export type { AnswerResult } from "./request/elicitation-service.ts";
export {
  type LoggedEvent,
  discardChunk,
  discardedFrom,
  eventOf,
  wantsAnswer,
  withoutDiscarded,
} from "./turn/turn-log.ts";
export { type TurnPause, type UntilBlockedOptions, untilBlocked } from "./surface/until-blocked.ts";
export type {
  LoadMessages,
  Refusal,
  Surface,
  SurfaceAnswer,
  SurfaceAnswerResult,
  SurfaceOptions,
  SurfaceTurn,
  TurnPage,
  TurnStart,
} from "./turn/surface.ts";
export type { TextMessage } from "../contract/message-parts.ts";
export { ElicitorError } from "../contract/kit-error.ts";
export { toRequestedSchema } from "../form/zod-form.ts";
