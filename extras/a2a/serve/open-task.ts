import type { Message, Task } from "@a2a-js/sdk";
import type { Runtime } from "../../../src/runtime/index.ts";
import { type SupportedModes, type SurfaceTurn, untilBlocked } from "../../../src/runtime/internal.ts";
import type { Clock } from "../../../src/base/clock.ts";
import { type TaskLog, createTaskLog } from "./task-log.ts";
import { type TaskIds, type TaskNow, taskOf } from "./task.ts";
import { type Asked, questionsOf } from "./waiting.ts";

/** A task of a caller: a turn, and the ways to ask its client. */
export interface OpenTask extends TaskIds {
  readonly turn: SurfaceTurn;
  /** The modes in which the user of the task can be asked. Its first message sets them. */
  readonly modes: SupportedModes;
  /** Whether this request has activated the extension. */
  readonly isExtended: boolean;
  /** The message that started the task, if it is still known. */
  readonly history: readonly Message[];
  /** The id of that message. */
  readonly startedBy: string;
  /** The text of that message, or its beginning. */
  readonly said: string;
  readonly elicitations: Pick<Runtime["elicitations"], "get" | "linkFor">;
  readonly clock: Clock;
}

/**
 * Returns the task's open questions. Ends questions that its client cannot show, so only code that acts on a task may
 * call it.
 */
export async function askedOf(task: OpenTask): Promise<readonly Asked[]> {
  const { asked, refused } = await questionsOf(task);
  for (const { elicitationId, reason } of refused) await task.turn.failRequest(elicitationId, reason);
  return asked;
}

/** Reads the current state of the task. Changes nothing. */
export async function readTask(task: OpenTask, signal: AbortSignal): Promise<TaskNow> {
  const log = createTaskLog();
  for await (const entry of task.turn.read({ live: false, signal })) log.see(entry);
  return nowOf(task, log, task.turn.ended ? "ended" : (await questionsOf(task)).asked);
}

/** Returns what an unfinished task waits for, without reading its log. Changes nothing. */
export async function askedNow(task: OpenTask): Promise<TaskNow> {
  return nowOf(task, createTaskLog(), (await questionsOf(task)).asked);
}

/** Reads the task until it waits for its client, or has ended. */
export async function readUntilPause(task: OpenTask, signal: AbortSignal): Promise<TaskNow> {
  const { turn, clock } = task;
  const log = createTaskLog();
  for (;;) {
    const pause = await untilBlocked(turn, {
      after: log.after,
      signal,
      clock,
      onEntry: (entry) => void log.see(entry),
    });
    if (pause.state === "aborted") return nowOf(task, log, []);
    if (pause.state === "ended") return nowOf(task, log, "ended");
    const asked = await askedOf(task);
    if (asked.length > 0) return nowOf(task, log, asked);
  }
}

export function nowOf(task: OpenTask, log: TaskLog, asked: readonly Asked[] | "ended"): TaskNow {
  const { taskId, contextId, isExtended } = task;
  const hasEnded = asked === "ended";
  return { taskId, contextId, isExtended, log, hasEnded, asked: hasEnded ? [] : asked };
}

/** Returns the task with at most `historyLength` messages. */
export function shown(task: OpenTask, now: TaskNow, historyLength: number | undefined): Task {
  const { history } = task;
  const from = historyLength === undefined ? 0 : Math.max(0, history.length - historyLength);
  return taskOf(now, history.slice(from));
}
