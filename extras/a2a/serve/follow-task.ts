import { type StreamResponse, TaskState, type TaskStatus } from "@a2a-js/sdk";
import type { ElicitationRequest } from "../../../src/contract/contract.ts";
import { type TurnStreamEntry, untilBlocked } from "../../../src/runtime/internal.ts";
import { type WriteEvent, eventsOf } from "../../../src/base/event-stream.ts";
import { type OpenTask, askedOf, nowOf, readTask, shown } from "./open-task.ts";
import { type TaskNow, progressUpdate, replyUpdate, statusOf, statusUpdate } from "./task.ts";
import type { Asked } from "./waiting.ts";

export interface FollowOptions {
  /** Ends the reading, not the task. */
  readonly signal: AbortSignal;
  /** Whether the stream ends when the client has to send a message. If so, the stream is the reply to a message. */
  readonly endsAtInput: boolean;
  readonly historyLength?: number | undefined;
}

/** The stream of a task: its current state, followed by its changes. It stays open while the user is on a page. */
export async function* followTask(
  task: OpenTask,
  options: FollowOptions,
): AsyncGenerator<StreamResponse, void, undefined> {
  const { signal, endsAtInput, historyLength } = options;
  const first = await readTask(task, signal);
  const { state } = statusOf(first);
  yield { payload: { $case: "task", value: shown(task, first, historyLength) } };
  if (first.hasEnded || (endsAtInput && state === TaskState.TASK_STATE_INPUT_REQUIRED)) return;
  yield* eventsOf<StreamResponse>(
    (write, until) => writeChanges(task, first, { ...options, signal: until, write }),
    signal,
  );
}

async function writeChanges(
  task: OpenTask,
  first: TaskNow,
  options: FollowOptions & { readonly write: WriteEvent<StreamResponse> },
): Promise<void> {
  const { turn, clock } = task;
  const { signal, endsAtInput, write } = options;
  const { log } = first;
  let asked = first.asked;
  let told = keyOf(statusOf(first));
  let hasReply = log.text !== "";
  /** Open requests that the client already knows, or that wait behind those. The stream does not stop for them. */
  const known = new Map<string, string>();

  async function tell(now: TaskNow): Promise<TaskState> {
    const status = statusOf(now);
    const key = keyOf(status);
    if (key !== told) await write(statusUpdate(task, status));
    told = key;
    return status.state;
  }

  async function end(elicitationId: string): Promise<void> {
    known.delete(elicitationId);
    const left = asked.filter(({ request }) => request.elicitationId !== elicitationId);
    if (left.length === asked.length) return;
    asked = left;
    if (asked.length === 0) known.clear();
    await tell(nowOf(task, log, asked));
  }

  async function see(entry: TurnStreamEntry): Promise<void> {
    const change = log.see(entry);
    if (change.kind === "resolved") return end(change.elicitationId);
    if (change.kind === "text") {
      await write(replyUpdate(task, change.text, !hasReply));
      hasReply = true;
    }
    if (change.kind === "rewritten") await write(replyUpdate(task, log.text, true));
    // If the task worked on beside an open page, a client would take the page for complete.
    if (change.kind !== "tool" || asked.length > 0) return;
    await write(progressUpdate(task, entry.at, `tool.${entry.seq}`, `Using ${change.name}`));
    told = "";
  }

  const watched = {
    read: turn.read,
    async open(): Promise<readonly ElicitationRequest[]> {
      const open = await turn.open();
      return open.map((request) =>
        known.get(request.elicitationId) === stateOf(request)
          ? { ...request, progress: { status: "consented" } }
          : request,
      );
    },
  };

  for (;;) {
    for (const { request } of asked) known.set(request.elicitationId, stateOf(request));
    const pause = await untilBlocked(watched, { after: log.after, signal, clock, onEntry: see });
    if (pause.state === "aborted") return;
    if (pause.state === "ended") return void (await tell(nowOf(task, log, "ended")));
    for (const request of await turn.open()) known.set(request.elicitationId, stateOf(request));
    asked = await askedOf(task);
    if (asked.length === 0) continue;
    const state = await tell(nowOf(task, log, asked));
    if (endsAtInput && state === TaskState.TASK_STATE_INPUT_REQUIRED) return;
  }
}

/** Changes when a form is asked again. Progress on a page is shown on the page itself. */
function stateOf(request: Asked["request"]): string {
  const { mode, progress } = request;
  return mode === "form" && progress?.status === "pending" ? (progress.lastError ?? "") : "";
}

function keyOf({ state, message }: TaskStatus): string {
  return JSON.stringify([state, message?.parts, message?.metadata]);
}
