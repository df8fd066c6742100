import { isTakenOver } from "../../runtime/internal.ts";
import type { FollowedTask } from "../wire/follow-task.ts";
import { type TaskView, hasEnded, isInterrupted } from "../wire/task-view.ts";
import { readWithdrawn } from "../wire/translate.ts";

/** The call whose task waits for its client. */
export interface AskingCall {
  task: FollowedTask;
  /** Pauses the time limits of the call until the returned function is called. */
  pause: () => () => void;
  /** Ends the call. */
  signal: AbortSignal;
  /** Errors after which the call is repeated with another credential. */
  isRefusal: (error: unknown) => boolean;
}

/**
 * Asks the questions of a status while the task waits for them. `undefined` if the agent has moved on, which aborts
 * `withdraw`. `ids`: the requests that the agent may withdraw.
 */
export async function whileAsked<Result>(
  view: TaskView,
  ids: readonly string[],
  { task, pause, signal, isRefusal }: AskingCall,
  ask: (withdraw: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  const withdraw = new AbortController();
  const goOn = pause();
  const asked = ask(withdraw.signal);
  const movedOn = task
    .until((now) => isPast(now, view, ids))
    .catch((error: unknown) => {
      // The answer is still needed: it will be sent with another credential.
      if (isRefusal(error)) return asked;
      throw error;
    })
    .finally(() => {
      // If another process has taken over the turn, the cards stay open.
      if (!isTakenOver(signal)) withdraw.abort();
    });
  try {
    const result = await Promise.race([asked, movedOn.then(() => asked)]);
    return isPast(task.view(), view, ids) ? undefined : result;
  } finally {
    movedOn.catch(() => {});
    goOn();
  }
}

/** Whether the task no longer waits for these answers. A status of "working" alone may be out of date. */
function isPast(now: TaskView, asked: TaskView, ids: readonly string[]): boolean {
  if (hasEnded(now)) return true;
  if (now.statusKey === asked.statusKey) return false;
  const withdrawn = readWithdrawn(now.message);
  return isInterrupted(now) || ids.some((id) => withdrawn.includes(id));
}
