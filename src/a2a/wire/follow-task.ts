import type { Message, StreamResponse } from "@a2a-js/sdk";
import type { Client, RequestOptions } from "@a2a-js/sdk/client";
import { createDeferred, sleep, timeout, untilAborted } from "../../base/deadlines.ts";
import type { Clock } from "../../base/clock.ts";
import { NEW_TASK, type TaskView, foldEvent, foldMessage, foldTask, hasEnded } from "./task-view.ts";
import { KitError } from "../../contract/kit-error.ts";

/** The part of the SDK's client that is used. */
export type A2aClient = Pick<
  Client,
  "sendMessage" | "sendMessageStream" | "resubscribeTask" | "getTask" | "cancelTask"
>;

export interface FollowOptions {
  client: A2aClient;
  /** Whether the agent streams, according to its card. */
  streaming: boolean;
  /** The headers of each HTTP request. */
  serviceParameters: NonNullable<RequestOptions["serviceParameters"]>;
  clock: Clock;
  signal: AbortSignal;
  /** Removes the credential of the call from the agent's texts. */
  conceal: <Value>(value: Value) => Value;
  /** Errors after which a retry is pointless. */
  isFinal: (error: unknown) => boolean;
  /** Called with each response of the agent. */
  onEvent: (view: TaskView) => void;
}

/**
 * The current state of one task of an agent: read from its streams, and by polling where a stream ends or does not exist.
 */
export interface FollowedTask {
  view(): TaskView;
  /** Sends a message and follows the resulting task. */
  send(message: Message): void;
  /** Follows a task that has been started before, perhaps by another process. */
  resume(taskId: string): void;
  /** Resolves when `is` returns true. Rejects if the task cannot be followed any longer. */
  until(is: (view: TaskView) => boolean): Promise<TaskView>;
  /** Reads the task now, because it has probably changed. */
  lookNow(): void;
  /** Asks the agent to cancel the task, and follows the result. */
  cancel(): Promise<void>;
  end(): void;
}

const FIRST_POLL_MS = 250;
const MAX_POLL_MS = 10_000;
/** How many reads of the task may fail in a row. */
const MAX_FAILURES = 20;
/** How often the task is read to find out whether a message arrived whose response was lost. */
const ANSWER_LOOKS = 4;
/** How long the end of a call waits for the cancellation of its task. */
const CANCEL_MS = 5000;
/** How many streams may end without a change before the task is only polled. */
const MAX_EMPTY_STREAMS = 3;
/** `TaskNotFoundError` of the SDK. Importing its class would load the SDK. */
const NOT_FOUND = /TaskNotFound/;

export function followTask(options: FollowOptions): FollowedTask {
  const { client, streaming, clock, signal, conceal, onEvent, isFinal, serviceParameters } = options;
  let view = NEW_TASK;
  let failure: { error: unknown } | undefined;
  let change = createDeferred<void>();
  let look = createDeferred<void>();
  let leg = new AbortController();

  const requestOptions = (): RequestOptions => ({
    signal: AbortSignal.any([signal, leg.signal]),
    serviceParameters,
  });
  const wake = () => {
    change.resolve();
    change = createDeferred();
  };

  function take(next: TaskView): void {
    if (next === view) return;
    view = next;
    onEvent(view);
    wake();
  }

  async function read(events: AsyncIterable<StreamResponse>): Promise<void> {
    for await (const event of events) take(foldEvent(view, conceal(event)));
  }

  async function deliver(message: Message): Promise<void> {
    const params = {
      tenant: "",
      message,
      metadata: undefined,
      configuration: {
        acceptedOutputModes: ["text/plain", "application/json"],
        taskPushNotificationConfig: undefined,
        // The task is read later. So its id is known before its work is done.
        returnImmediately: true,
      },
    };
    if (streaming) return read(client.sendMessageStream(params, requestOptions()));
    const result = conceal(await client.sendMessage(params, requestOptions()));
    take("messageId" in result ? foldMessage(view, result) : foldTask(view, result));
  }

  async function poll(): Promise<void> {
    const task = await client.getTask({ tenant: "", id: taskIdOf(view), historyLength: 0 }, requestOptions());
    take(foldTask(view, conceal(task)));
  }

  /** Whether the task is about to leave this status. */
  async function hasMoved(statusKey: string, stop: AbortSignal): Promise<boolean> {
    for (let looks = 0; looks < ANSWER_LOOKS && !stop.aborted; looks += 1) {
      await poll();
      if (view.statusKey !== statusKey) return true;
      await untilAborted(sleep(clock, FIRST_POLL_MS * 2 ** looks), stop);
    }
    return false;
  }

  /** Reads the task until it has ended, from its stream and by polling. */
  async function watch(stop: AbortSignal): Promise<void> {
    let pause = FIRST_POLL_MS;
    let failures = 0;
    let streamsLeft = streaming ? MAX_EMPTY_STREAMS : 0;
    while (!hasEnded(view) && !stop.aborted) {
      const before = view;
      const id = taskIdOf(view);
      // Servers close the stream of a task that needs input.
      if (streamsLeft > 0 && view.state !== "input-required") {
        await read(client.resubscribeTask({ tenant: "", id }, requestOptions())).catch((error: unknown) => {
          if (isFinal(error)) throw error;
        });
        if (view === before) streamsLeft -= 1;
      }
      if (hasEnded(view) || stop.aborted) return;
      try {
        await poll();
        failures = 0;
      } catch (error) {
        failures += 1;
        if (stop.aborted || failures >= MAX_FAILURES || isNotFound(error) || isFinal(error)) throw error;
      }
      if (hasEnded(view)) return;
      pause = view === before ? Math.min(pause * 2, MAX_POLL_MS) : FIRST_POLL_MS;
      look = createDeferred();
      await untilAborted(Promise.race([sleep(clock, pause), look.promise]), stop);
    }
  }

  function start(work: (stop: AbortSignal) => Promise<void>): void {
    leg.abort();
    const own = new AbortController();
    leg = own;
    failure = undefined;
    work(own.signal).catch((error: unknown) => {
      if (own.signal.aborted && !signal.aborted) return;
      failure = { error };
      wake();
    });
  }

  const onAbort = () => wake();
  signal.addEventListener("abort", onAbort);

  return {
    view: () => view,
    send(message) {
      start(async (stop) => {
        const before = view.statusKey;
        try {
          await deliver(message);
        } catch (error) {
          // The agent may have received the message although its response was lost. The task shows it.
          if (view.taskId === undefined || stop.aborted || isFinal(error)) throw error;
          if (message.taskId !== "" && !(await hasMoved(before, stop))) throw error;
        }
        if (view.taskId !== undefined) await watch(stop);
        else if (!hasEnded(view))
          throw new KitError("elicit-kit: the agent answered with neither a task nor a message.");
      });
    },
    resume(taskId) {
      view = { ...view, taskId };
      start(watch);
    },
    async until(is) {
      for (;;) {
        const changed = change.promise;
        signal.throwIfAborted();
        if (is(view)) return view;
        if (failure !== undefined) throw failure.error;
        await changed;
      }
    },
    lookNow: () => look.resolve(),
    async cancel() {
      const request = { tenant: "", id: taskIdOf(view), metadata: undefined };
      // Sent without the signal of the call, which may have aborted: the agent must still get the cancellation.
      const task = await client.cancelTask(request, { signal: timeout(clock, CANCEL_MS), serviceParameters });
      take(foldTask(view, conceal(task)));
    },
    end() {
      signal.removeEventListener("abort", onAbort);
      leg.abort();
    },
  };
}

function taskIdOf({ taskId }: TaskView): string {
  if (taskId === undefined) throw new KitError("elicit-kit: the agent has not made a task yet.");
  return taskId;
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && NOT_FOUND.test(`${error.name} ${error.constructor.name}`);
}
