import type { ChannelEvent } from "../client/index.ts";
import { isolateErrors } from "./isolate-errors.ts";
import { IDLE, nextRunState, type RunEvent, type RunState } from "./run-state.ts";

/** The runs of all conversations that go through one `fetch`. */
export interface Runs {
  /** Whether a stream of this conversation was ever read here. */
  has(conversationId: string): boolean;
  stateOf(conversationId: string): RunState;
  dispatch(conversationId: string, event: RunEvent): void;
  /** Calls `listener` when the status of a conversation changes. Returns a function that ends it. */
  onStatus(conversationId: string, listener: () => void): () => void;
  /** The person stopped listening: calls `send` to stop the run on the server, once, unless a new request comes first. */
  stop(conversationId: string, send: () => Promise<void>): void;
  /**
   * Call before each new request of a conversation. A stop that was not sent yet is called off: a new message ends the
   * old run by itself, and a client that re-attaches wants it to go on. A stop that was sent is waited for, or it could
   * end the new run.
   */
  beforeRequest(conversationId: string, signal: AbortSignal | undefined): Promise<void> | undefined;
  /** Ends all re-attaching. */
  giveUp(): void;
}

interface Run {
  state: RunState;
  readonly listeners: Set<() => void>;
  stopTimer?: ReturnType<typeof setTimeout> | undefined;
  stopSent?: Promise<void> | undefined;
}

/** Keeps the state of each conversation's run and says (`push`) when one becomes live, or is no longer. */
export function createRuns(push: ((event: ChannelEvent) => void) | undefined): Runs {
  const runs = new Map<string, Run>();
  const tell = isolateErrors(push);

  function runOf(conversationId: string): Run {
    let run = runs.get(conversationId);
    if (run === undefined) runs.set(conversationId, (run = { state: IDLE, listeners: new Set() }));
    return run;
  }

  function dispatch(conversationId: string, event: RunEvent): void {
    const run = runOf(conversationId);
    const before = run.state;
    run.state = nextRunState(before, event);
    const live = run.state.open > 0;
    if (live !== before.open > 0) tell({ type: "live", conversationId, live });
    if (run.state.status !== before.status) for (const listener of run.listeners) listener();
  }

  return {
    has: (conversationId) => runs.has(conversationId),
    stateOf: (conversationId) => runs.get(conversationId)?.state ?? IDLE,
    dispatch,
    onStatus(conversationId, listener) {
      const { listeners } = runOf(conversationId);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop(conversationId, send) {
      const run = runOf(conversationId);
      if (run.state.status === "stopping") return;
      dispatch(conversationId, "stop");
      // A chat that re-attaches twice aborts its first stream just before it asks for the second.
      run.stopTimer = setTimeout(() => {
        run.stopSent = send().finally(() => {
          run.stopSent = undefined;
          dispatch(conversationId, "stopped");
        });
      });
    },
    beforeRequest(conversationId, signal) {
      const { stopTimer, stopSent } = runOf(conversationId);
      if (stopSent === undefined) {
        clearTimeout(stopTimer);
        dispatch(conversationId, "stopped");
        return undefined;
      }
      if (signal === undefined) return stopSent;
      return Promise.race([
        stopSent,
        new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve())),
      ]);
    },
    giveUp() {
      for (const conversationId of runs.keys()) dispatch(conversationId, "given-up");
    },
  };
}
