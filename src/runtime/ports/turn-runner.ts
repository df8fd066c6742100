import type { TurnOverview } from "./overview.ts";
import type { StreamChunk } from "./turn-stream.ts";

/** The log of a turn, for the process that holds its lease. */
export interface TurnLog {
  append(chunk: StreamChunk): Promise<void>;
  /** Like {@link TurnStream.discard}. */
  discard(from: number): Promise<void>;
}

/** What a {@link TurnRunner} tells a turn that runs in this process. */
export interface TurnSignals {
  /**
   * Aborts to end the turn: with an `AbortError` as the reason if it was stopped, or with an error whose message the user
   * sees.
   */
  readonly stop: AbortSignal;
  /**
   * Aborts when the turn is no longer to run in this process, because it is parked or another process runs it. This process
   * then ends none of its requests and writes nothing more.
   */
  readonly letGo: AbortSignal;
  /** Which run of the turn this is, from 1. Absent if a turn runs only once. */
  readonly run?: number | undefined;
}

/** A step or a question of a turn, or of one call of a tool in it. */
export interface TurnOperation {
  readonly kind: "step" | "question";
  /** Names it for developers: the name of the step, or of the tool that asks. */
  readonly name: string;
  /** The same for equal operations: their content, or the key that the application gave them. */
  readonly identity: string;
  /** Must be the same in every run. */
  readonly shape: string;
  /** The application has given it a key. It may then begin in any order. */
  readonly hasKey: boolean;
}

/** A question that has its id. */
export interface AskedQuestion {
  readonly elicitationId: string;
  /** No earlier run of the turn has asked it. */
  readonly isNew: boolean;
  /** Call it when the question is open, and nobody has answered it yet. */
  isOpen(): void;
}

/**
 * Runs turns, and runs a turn again after its process has crashed. The turns of the default,
 * {@link createMemoryTurnRunner}, end with the process. A durable engine also has a {@link TurnRecorder}.
 */
export interface TurnRunner {
  /**
   * Called once, when the runtime is created. `body` runs a turn from its id and input (plain data), in any process and
   * possibly more than once; it never rejects. `version`: of the code of `body`. A turn is left to a process with the
   * version that began it, as long as there is one. Returns a function that starts a turn and resolves when it no longer
   * runs in this process.
   */
  register<Input>(
    name: string,
    body: (turnId: string, input: Input, signals: TurnSignals) => Promise<void>,
    version?: string,
  ): (turnId: string, input: Input) => Promise<void>;
  /**
   * Aborts the stop signal of a turn, in any process, and resolves without waiting for its end. A turn whose process has
   * crashed is not continued after this. Returns `false` if no process runs the turn.
   */
  stop(turnId: string, reason: string): Promise<boolean>;
  /**
   * Called after a request of the turn has changed. If no process runs the turn, because it is parked or its process has
   * crashed, this process runs it again. Resolves without waiting for its end; `true` if the turn now runs in this process.
   */
  wake(turnId: string): Promise<boolean>;
  /**
   * Called when the runtime closes. Lets go of the turns of this process and returns `true`, or returns `false` if they
   * end with the process and the runtime must stop them.
   */
  release(): Promise<boolean>;
  /** Says where turns run, and counts them up to `most` a process. For the operator page. */
  overview?(most: number): Promise<TurnOverview>;
  /**
   * Records what turns do. Leave it out for a runner whose turns do not continue after a crash.
   * @default calls each function once, and refuses what an engine could not tell apart
   */
  readonly recorder?: TurnRecorder | undefined;
}

/**
 * Records the results of `step`, `tool` and `model`, and returns them when the same turn runs again, so that nothing is
 * asked, called or done twice.
 */
export interface TurnRecorder {
  /**
   * Runs one call of a tool. `call.id` is the same when the turn runs again. Calls run concurrently, so each has its own
   * steps and questions. A call that has ended does not run again. `call.input`: what the tool gets. A call that runs again
   * with another one ends the turn.
   */
  tool<Result>(
    call: { readonly id: string; readonly name: string; readonly input?: unknown },
    run: () => Promise<Result>,
  ): Promise<Result>;
  /**
   * Runs an effect at least once, and not again once its result is recorded. Within a turn or a tool call, its name
   * identifies it. Steps with the same name are told apart by their order. Rejects if that order is not certain, because
   * other work runs beside them: then give each a `key`.
   */
  step<Result>(
    name: string,
    run: () => Promise<Result>,
    options?: { readonly key?: string | undefined },
  ): Promise<Result>;
  /**
   * Asks the user and waits. `ask` gets the id of the request, which is the same when the turn runs again and asks the same
   * question: `elicitationId`, or an id that is recorded for the operation. Rejects with an `ElicitorError` if the question
   * needs a key. A turn that only waits may be parked: this process lets go of it, and `wake` runs it again. If another
   * process has taken over the turn meanwhile, the result is dropped and the promise stays pending.
   */
  ask<Result>(
    question: TurnOperation & { readonly elicitationId?: string | undefined },
    ask: (asked: AskedQuestion) => Promise<Result>,
  ): Promise<Result>;
  /** Keeps the turn from being parked until `run` has ended, because a connection that it needs would be lost. */
  hold<Result>(run: () => Promise<Result>): Promise<Result>;
  /**
   * Binds a callback to the turn or tool call that runs now. Needed if it asks or makes steps, and is called by a connection
   * that was opened elsewhere.
   */
  bind<Args extends unknown[], Result>(callback: (...args: Args) => Result): (...args: Args) => Result;
  /**
   * Writes the chunks of a turn to its log until `chunks` ends. Skips the chunks that the log already has from an earlier
   * run, and takes back those of a model call that was not recorded.
   */
  pump(turnId: string, chunks: AsyncIterable<StreamChunk>, log: TurnLog): Promise<void>;
  /** Wraps a model so that its results are recorded. */
  model<Model>(model: Model): Model;
}
