/**
 * `elicit-kit/runtime`: the reference server on Web standards. Runs on Node, in workers and in a browser (mock). Needs
 * `zod`: `npm install zod`.
 */
export { keepAlive } from "../base/event-stream.ts";
export { toNextHandlers } from "./next-handlers.ts";
export { type TurnTimeline, timelineOf } from "../contract/timeline.ts";
export { createListedFetch } from "../base/guarded-fetch.ts";
export { originalOf } from "../base/foreign-error.ts";
export { historyForModel } from "../contract/message-parts.ts";
export type { ElicitedChoice } from "./tool/choice.ts";
export type { Elicited } from "./tool/asked.ts";
export { askFirst } from "./tool/ask-first.ts";
export type { Confirmed, Elicitor } from "./tool/elicitor-interface.ts";
export { createElicitor } from "./tool/elicitor.ts";
export { createMemoryRemembered } from "../features/remember/memory-remembered.ts";
export { createMemoryRecords } from "./request/memory-records.ts";
export { createMemoryTurnRunner } from "./turn/memory-turn-runner.ts";
export { createMemoryTurnStream } from "./turn/memory-turn-stream.ts";
export { createMemoryWaiter } from "./request/memory-waiter.ts";
export type { WaitingNotice } from "../features/notices/notices.ts";
export type { User } from "../base/identity.ts";
export type { RuntimeOptions } from "./runtime-options.ts";
export type { Runtime } from "./runtime-interface.ts";
export { createRuntime } from "./create-runtime.ts";
export type { Telemetry } from "./request/features/telemetry.ts";
export type { FormQuestion, Question, UrlQuestion } from "./ask/question.ts";
export type { RunTurn, Turn } from "./turn/turn.ts";
export { ElicitorError } from "../contract/kit-error.ts";
