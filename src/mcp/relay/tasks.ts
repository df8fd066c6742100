/**
 * Tools that run as tasks: the server replies to a call at once with a task, and the client polls it. In MCP 2026-07-28
 * this is the extension `io.modelcontextprotocol/tasks`: the task contains the questions, and `tasks/update` answers
 * them. In MCP 2025-11-25 the client requests a task and waits for `tasks/result`, during which the server asks as in any
 * other call.
 */
import { isObject } from "../../contract/json.ts";
import type { Clock } from "../../base/clock.ts";
import { createDeferred, sleep } from "../../base/deadlines.ts";
import type { CallTime } from "../../base/call-time.ts";
import { type InputResponses, McpRelayError } from "./input-rounds.ts";
import { type McpRound, readRound } from "../wire/translate.ts";

type TaskMethod = "tasks/get" | "tasks/result" | "tasks/update" | "tasks/cancel";

/** Makes one request about a task. */
export type TaskRequest = (method: TaskMethod, params: Readonly<Record<string, unknown>>) => Promise<unknown>;

interface McpTask {
  readonly taskId: string;
  readonly status: unknown;
  /** How long to wait before the next poll. */
  readonly pauseMs: number;
}

/** The value that a call returned instead of a result. Revisions before and after 2026 follow it in different ways. */
export interface StartedTask {
  readonly era: "2025" | "2026";
  readonly about: unknown;
}

interface FollowOptions {
  started: StartedTask;
  request: TaskRequest;
  rounds: { answer(round: McpRound): Promise<InputResponses> };
  time: Pick<CallTime, "restart">;
  clock: Clock;
  service: string;
  /** Aborts when the call is given up. */
  signal: AbortSignal;
}

const DEFAULT_PAUSE_MS = 1000;
/** The longest pause between polls, whatever the server asks for, so that the card of an ended task closes soon. */
const MAX_PAUSE_MS = 1000;
const MIN_PAUSE_MS = 200;

/** Follows a task to its result, and answers its questions. */
export function followTask(options: FollowOptions): Promise<unknown> {
  return options.started.era === "2026" ? pollTask(options) : awaitResult(options);
}

/** 2026-07-28: the task contains the questions. Each key is asked once. */
function pollTask(options: FollowOptions): Promise<unknown> {
  const { request, rounds, service } = options;
  const asked = new Set<string>();
  const failed = createDeferred<void>();
  let failure: { readonly error: unknown } | undefined;

  async function answer(taskId: string, round: McpRound): Promise<void> {
    const { inputResponses = {} } = await rounds.answer(round);
    await request("tasks/update", { taskId, inputResponses });
  }

  return followOrCancel(options, async ({ taskId }) => {
    for (;;) {
      const before = failure;
      const found = await request("tasks/get", { taskId });
      const task = taskOf(found);
      const state = isObject(found) ? found : {};
      if (task?.status === "completed") return state["result"];
      if (task?.status === "failed") throw errorOf(state["error"], service);
      if (task?.status !== "working" && task?.status !== "input_required") throw endedError(service, task);
      // A server refuses an answer that arrives when the task has just ended. Otherwise the task waits for it in vain.
      if (before !== undefined) throw before.error;
      const round = readRound({ ...state, resultType: "input_required" });
      const requests = round?.requests.filter(({ key }) => !asked.has(key)) ?? [];
      for (const { key } of requests) asked.add(key);
      // The task is polled while the user thinks, because it may end without an answer.
      if (requests.length > 0) {
        answer(taskId, { requests }).catch((error: unknown) => {
          failure ??= { error };
          failed.resolve();
        });
      }
      options.time.restart();
      await Promise.race([sleep(options.clock, task.pauseMs), failed.promise]);
    }
  });
}

/** 2025-11-25: questions arrive as in any other call while the client waits for the result. */
function awaitResult(options: FollowOptions): Promise<unknown> {
  const { request, clock, time } = options;
  return followOrCancel(options, async ({ taskId, pauseMs }) => {
    const settled = new AbortController();
    const result = request("tasks/result", { taskId }).finally(() => settled.abort());
    const watch = async () => {
      for (;;) {
        await sleep(clock, pauseMs);
        if (settled.signal.aborted) return;
        // This only keeps the connection alive: the outcome of the task is in its result.
        await request("tasks/get", { taskId });
        time.restart();
      }
    };
    watch().catch(() => {});
    return result;
  });
}

/** Follows a task. Cancels it if the call is given up. */
async function followOrCancel(
  { started, request, service, signal }: FollowOptions,
  follow: (task: McpTask) => Promise<unknown>,
): Promise<unknown> {
  const task = taskOf(started.about);
  if (task === undefined) throw new McpRelayError(`${service} started a task without an id.`);
  try {
    return await follow(task);
  } catch (error) {
    if (signal.aborted || error instanceof McpRelayError) {
      await request("tasks/cancel", { taskId: task.taskId }).catch(() => {});
    }
    throw error;
  }
}

function taskOf(value: unknown): McpTask | undefined {
  if (!isObject(value)) return undefined;
  const { taskId, status, pollIntervalMs, pollInterval = pollIntervalMs } = value;
  if (typeof taskId !== "string" || taskId === "") return undefined;
  const suggested = typeof pollInterval === "number" ? pollInterval : DEFAULT_PAUSE_MS;
  return { taskId, status, pauseMs: Math.min(Math.max(suggested, MIN_PAUSE_MS), MAX_PAUSE_MS) };
}

function endedError(service: string, task: McpTask | undefined): McpRelayError {
  const how =
    task?.status === "cancelled" ? "was cancelled by the server" : "has a state that does not exist";
  return new McpRelayError(`The task of ${service} ${how}.`);
}

function errorOf(error: unknown, service: string): Error {
  const { code, message } = isObject(error) ? error : {};
  const text = typeof message === "string" ? message : "no reason given";
  return Object.assign(new Error(`The task of ${service} failed: ${text}`), { code });
}
