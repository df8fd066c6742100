/** `elicit-kit/runtime`: the reference server on Web standards. Runs on Node, in workers and in a browser (mock). */
export type { TurnScope } from "./asking.ts";
export { supportedModes } from "./capability.ts";
export { systemClock } from "./clock.ts";
export { type BufferingStreamHelper, createBufferingStreamHelper } from "./completion.ts";
export { createCompletionsStreamHelper } from "./completions-stream.ts";
export type { Credential, CredentialStore } from "./credentials.ts";
export { createMemoryCredentials, isCredential, isSameCredential } from "./credentials.ts";
export type { Elicitations } from "./elicitations.ts";
export type { AskOptions, Elicited, Elicitor, ElicitorOptions } from "./elicitor.ts";
export { createElicitor } from "./elicitor.ts";
export {
  type ElicitationBusEvent,
  InProcessEventBus,
  type ToolApprovalBusEvent,
  elicitationBus,
  toolApprovalBus,
} from "./event-bus.ts";
export { createMemoryRecords } from "./memory-records.ts";
export { createMemoryTurnRunner } from "./memory-turn-runner.ts";
export { createMemoryTurnStream } from "./memory-turn-stream.ts";
export { createMemoryWaiter } from "./memory-waiter.ts";
export type {
  Clock,
  ElicitationRecord,
  ElicitationRecords,
  Settlement,
  StreamChunk,
  ToolRef,
  TurnKey,
  TurnRunner,
  TurnStream,
  TurnStreamEntry,
  User,
  Waiter,
} from "./ports.ts";
export type { OpenLimits } from "./open-limit.ts";
export type { Runtime, RuntimeOptions } from "./runtime.ts";
export { createRuntime } from "./runtime.ts";
export type { ResolvedRequest, StreamHelper } from "./stream-helper.ts";
export { createUiMessageStreamHelper } from "./stream-helper.ts";
export type { Telemetry, TelemetryAttributes } from "./telemetry.ts";
export { connectionRefusedText, informationRefusedText } from "./texts.ts";
export type {
  DelegateInput,
  ElicitationResult,
  FormQuestion,
  Question,
  RunTurn,
  SupportedModes,
  Turn,
  UrlQuestion,
} from "./turn.ts";
export type { Verdict } from "./verdict.ts";
export type { TurnTimeline, TurnWait } from "./timeline.ts";
export { timelineOf } from "./timeline.ts";
export { ElicitorError, toRequestedSchema } from "./zod-form.ts";
