import type { TurnOverview, TurnSignals } from "../runtime/internal.ts";

/** A turn that this process has claimed, to run it. */
export interface ClaimedTurn<Input = unknown> {
  readonly turnId: string;
  readonly input: Input;
  /** 1 for the first run of the turn. */
  readonly run: number;
  /** How many processes have died while it worked, since it last recorded something or waited. */
  readonly deaths: number;
  readonly signals: TurnSignals;
}

/**
 * What a turn does. `waits` is the number of answers that it waits for while it does nothing else; 0 while it works.
 * `recorded`: it has just recorded something new.
 */
export type TurnConduct = { readonly waits: number } | "recorded";

/** Decides which process runs which turn. The claims of the PostgreSQL ports are one. */
export interface RunClaims {
  /**
   * Calls `run` with each turn that this process claims. Turns of another `version` are left to processes that have it, as
   * long as there are some. Returns a function that starts a turn and resolves at the end of its run.
   */
  register<Input>(
    name: string,
    run: (turn: ClaimedTurn<Input>) => Promise<void>,
    version?: string,
  ): (turnId: string, input: Input) => Promise<void>;
  /** Like `stop` of a runner. A turn that no process runs is claimed and ended here. */
  stop(turnId: string, reason: string): Promise<boolean>;
  /** Claims and runs a turn that is parked, or whose process has died or has let go of it. Resolves with `true` if this process runs it now. */
  wake(turnId: string): Promise<boolean>;
  /** Like `overview` of a runner. */
  overview?(most: number): Promise<TurnOverview>;
  /** Whether this is still the latest run of the turn. If not, lets go of it. */
  check(turn: Pick<ClaimedTurn, "turnId" | "run">): Promise<boolean>;
  /**
   * Lets go of a turn that only waits for the user, until a request of it ends or expires. Does nothing if fewer than
   * `waits` of its requests are open.
   */
  park(turn: Pick<ClaimedTurn, "turnId" | "run">, waits: number): Promise<void>;
  /** Notes what the turn does now, so that it is blamed only for deaths of processes in which it worked. */
  note(turn: Pick<ClaimedTurn, "turnId" | "run">, what: TurnConduct): void;
  /**
   * Lets go of a turn after an error that says only that the store is away for long: it runs again later. Returns `false` for
   * any other error.
   */
  leave(turn: Pick<ClaimedTurn, "turnId" | "run">, error: unknown): boolean;
  /** Lets go of all turns of this process. Other processes claim them. */
  release(): Promise<void>;
}

/** Runs `work` and records its text under `name`, unless the run was cancelled. */
export type RecordStep = (name: string, work: () => Promise<string>) => Promise<string>;

export interface RecordedStep {
  readonly name: string;
  readonly text: string;
}

/** Stores the recorded steps of runs. DBOS is one: each run of a turn is a workflow. */
export interface StepStore {
  /** Runs `work` as the run `id`. Resolves at its end. */
  run(id: string, work: (record: RecordStep) => Promise<void>): Promise<void>;
  /** Cancels runs, so that they record nothing more, and reads the steps of each. */
  take(ids: readonly string[]): Promise<readonly (readonly RecordedStep[])[]>;
  /** Deletes runs and their steps. */
  forget(ids: readonly string[]): Promise<void>;
}
