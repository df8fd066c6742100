import type { TurnOverview } from "./records.ts";
import type { StreamChunk } from "./turn-stream.ts";

/** The log of a turn, for the process that holds its lease. */
export interface TurnLog {
  append(chunk: StreamChunk): Promise<void>;
  /** Like {@link TurnStream.discard}. */
  discard(from: number): Promise<void>;
}

/** The signals of a {@link TurnRunner} to a turn that runs in this process. */
export interface TurnSignals {
  /**
   * Aborts to end the turn: with an `AbortError` if it was stopped, or with an error whose message is shown to the user.
   */
  readonly stop: AbortSignal;
  /**
   * Aborts when the turn must no longer run in this process, because it is parked or another process runs it. This
   * process then ends none of its requests and writes no more chunks.
   */
  readonly letGo: AbortSignal;
  /** The number of this run of the turn, from 1. Absent if turns run only once. */
  readonly run?: number | undefined;
}

/** A step or a question of a turn, or of one call of a tool in it. */
export interface TurnOperation {
  readonly kind: "step" | "question";
  /** A name for developers: the name of the step, or of the tool that asks. */
  readonly name: string;
  /** Equal for equal operations: it contains their content, or the key that the application gave them. */
  readonly identity: string;
  /** Must be the same in every run. */
  readonly shape: string;
  /** Whether the application has given it a key. If so, it may begin in any order. */
  readonly hasKey: boolean;
}

/** A question and its id. */
export interface AskedQuestion {
  readonly elicitationId: string;
  /** Whether no earlier run of the turn has asked it. */
  readonly isNew: boolean;
  /** Call it when the question is open and not yet answered. */
  isOpen(): void;
}

/**
 * Runs turns, and runs a turn again after its process has crashed. The turns of the default,
 * {@link createMemoryTurnRunner}, end with the process. A durable engine also has a {@link TurnRecorder}.
 */
export interface TurnRunner {
  /**
   * Called once, when the runtime is created. `body` runs a turn from its id and input (plain data), in any process and
   * possibly more than once. It rejects after an error of a store, and then has to run again. `version` is the version of the code of `body`. A turn is left to
   * processes with the version that began it, as long as there are any. Returns a function that starts a turn and
   * resolves when it no longer runs in this process.
   */
  register<Input>(
    name: string,
    body: (turnId: string, input: Input, signals: TurnSignals) => Promise<void>,
    version?: string,
  ): (turnId: string, input: Input) => Promise<void>;
  /**
   * Aborts the stop signal of a turn, in any process, and resolves without waiting for its end. A turn whose process has
   * crashed is not continued after this. So a durable engine stores the stop before it aborts the signal: the turn then
   * withdraws its requests, and its process may crash at once. Returns `false` if no process runs the turn.
   */
  stop(turnId: string, reason: string): Promise<boolean>;
  /**
   * Called after a request of the turn has changed. If no process runs the turn, because it is parked or its process
   * has crashed, this process runs it again. Resolves without waiting for its end, with `true` if the turn now runs in
   * this process.
   */
  wake(turnId: string): Promise<boolean>;
  /**
   * Called when the runtime closes. Releases the turns of this process and returns `true`. Returns `false` if turns end
   * with the process, so that the runtime must stop them.
   */
  release(): Promise<boolean>;
  /** Returns where turns run, and counts them up to `most` for each process. For the operator page. */
  overview?(most: number): Promise<TurnOverview>;
  /**
   * Records what turns do. Leave it out for a runner whose turns do not continue after a crash.
   * @default calls each function once, and refuses operations that an engine could not tell apart
   */
  readonly recorder?: TurnRecorder | undefined;
}

/**
 * Records the results of `step`, `tool` and `model`, and returns them when the same turn runs again, so that no question,
 * call or effect is repeated.
 */
export interface TurnRecorder {
  /**
   * Runs one call of a tool. `call.id` is the same when the turn runs again. Calls run concurrently, so each has its own
   * steps and questions. A call that has ended does not run again. `call.input` is the input of the tool. A call that
   * runs again with another input ends the turn. `call.hasFailed` tells whether a result stands for a failure. A call that
   * fails need not repeat the steps and questions of an earlier run.
   */
  tool<Result>(
    call: {
      readonly id: string;
      readonly name: string;
      readonly input?: unknown;
      readonly hasFailed?: ((result: Result) => boolean) | undefined;
    },
    run: () => Promise<Result>,
  ): Promise<Result>;
  /**
   * Runs an effect at least once, and not again once its result is recorded. Within a turn or a tool call, its name
   * identifies it. Steps with the same name are told apart by their order. Rejects if that order is not certain because
   * other work runs in parallel. Then give each step a `key`.
   */
  step<Result>(
    name: string,
    run: () => Promise<Result>,
    options?: { readonly key?: string | undefined },
  ): Promise<Result>;
  /**
   * Asks the user and waits. `ask` gets the id of the request, which is the same when the turn runs again and asks the
   * same question: `elicitationId`, or an id that is recorded for the operation. Rejects with an `ElicitorError` if the
   * question needs a key. A turn that only waits may be parked: this process releases it, and `wake` runs it again. If
   * another process has taken over the turn in the meantime, the result is dropped and the promise never settles.
   */
  ask<Result>(
    question: TurnOperation & { readonly elicitationId?: string | undefined },
    ask: (asked: AskedQuestion) => Promise<Result>,
  ): Promise<Result>;
  /**
   * Keeps the turn from being parked until `run` has ended, because parking would lose a connection that the turn needs.
   */
  hold<Result>(run: () => Promise<Result>): Promise<Result>;
  /**
   * Runs the rest of a tool call whose first result the turn already has. Until `untilAnswered`, the turn does not count as
   * waiting because of it, so it is not parked while its agent works.
   */
  background<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Runs `wait`, in which the turn waits for the questions of its background as for others. */
  untilAnswered<Result>(wait: () => Promise<Result>): Promise<Result>;
  /**
   * Binds a callback to the current turn or tool call. Required if the callback asks or runs steps, and is called by a
   * connection that was opened elsewhere.
   */
  bind<Args extends unknown[], Result>(callback: (...args: Args) => Result): (...args: Args) => Result;
  /**
   * Writes the chunks of a turn to its log until `chunks` ends. Skips chunks that the log already has from an earlier
   * run, and discards those of a model call that was not recorded.
   */
  pump(turnId: string, chunks: AsyncIterable<StreamChunk>, log: TurnLog): Promise<void>;
  /** Wraps a model so that its results are recorded. */
  model<Model>(model: Model): Model;
}

/**
 * The abort reason of a turn's signal when another process takes over the turn. Its requests stay open. Waits in this
 * process never settle, so that no tool continues here without a result.
 */
export const TAKEN_OVER = new DOMException("Another process has taken over this turn.", "AbortError");

/** Compares the message, because a bundle may contain this module more than once. */
export function isTakeover(reason: unknown): boolean {
  return reason instanceof DOMException && reason.message === TAKEN_OVER.message;
}

/** The text for the user at the end of a turn whose process has died. */
export const SERVER_STOPPED = "The server that ran this stopped unexpectedly. Send the message again.";

/** The text for the user at the end of a turn that a newer version of the code cannot continue. */
export const CODE_CHANGED = "The assistant was updated while this was waiting. Send the message again.";

export function isTakenOver(signal: AbortSignal): boolean {
  return signal.aborted && isTakeover(signal.reason);
}

/** A promise that never settles. It does not leak: only its own waiters reference it. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
