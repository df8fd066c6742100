/**
 * The interfaces that a runtime needs from its operator: stores that survive a restart, and an engine that runs turns.
 */
export type { Clock } from "../../base/clock.ts";
export type { ElicitationRecord, SignInTarget, ToolRef } from "./record.ts";
export type { DraftStore, ElicitationRecords, Settlement, Waiter } from "./records.ts";
export type { RememberedAnswers } from "./remembered.ts";
export { type NoticeRecords, planNotice } from "./notices.ts";
export type {
  AskedQuestion,
  TurnLog,
  TurnOperation,
  TurnRecorder,
  TurnRunner,
  TurnSignals,
} from "./turn-runner.ts";
export type {
  PlannedRun,
  StreamChunk,
  TurnKey,
  TurnLease,
  TurnOpening,
  TurnStream,
  TurnStreamEntry,
} from "./turn-stream.ts";
