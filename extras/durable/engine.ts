import type { TurnOverview, TurnSignals } from "../../src/runtime/internal.ts";

/** A turn that this process has claimed, to run it. */
export interface ClaimedTurn<Input = unknown> {
  readonly turnId: string;
  readonly input: Input;
  /** 1 for the first run of the turn. */
  readonly run: number;
  /** How many processes have died while the turn worked, since it last recorded something or waited. */
  readonly deaths: number;
  readonly signals: TurnSignals;
}

/**
 * What a turn is doing. `waits`: the number of answers that it waits for, or 0 while it works. `recorded`: it has just
 * recorded something new.
 */
export type TurnConduct = { readonly waits: number } | "recorded";

/** Decides which process runs which turn. The PostgreSQL ports implement this. */
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
  /** Like `stop` of a runner. If no process runs the turn, this process claims and ends it. */
  stop(turnId: string, reason: string): Promise<boolean>;
  /**
   * Claims and runs a turn that is parked, or that its process released, or whose process died. Resolves with `true` if
   * this process runs it now.
   */
  wake(turnId: string): Promise<boolean>;
  /** Like `overview` of a runner. */
  overview?(most: number): Promise<TurnOverview>;
  /** Returns whether this is still the latest run of the turn. If not, releases the turn. */
  check(turn: Pick<ClaimedTurn, "turnId" | "run">): Promise<boolean>;
  /**
   * Releases a turn that only waits for the user, until one of its requests ends or expires. Does nothing unless all of
   * `waits` are open: the ids of the requests that it waits for. It may have others, of code that is gone.
   */
  park(turn: Pick<ClaimedTurn, "turnId" | "run">, waits: readonly string[]): Promise<void>;
  /** Stores what the turn is doing. So the turn is blamed only for processes that died while it worked. */
  note(turn: Pick<ClaimedTurn, "turnId" | "run">, what: TurnConduct): void;
  /** Releases a turn after an error of a store that may pass. The turn runs again later, here or in another process. */
  leave(turn: Pick<ClaimedTurn, "turnId" | "run">): void;
  /** Releases all turns of this process, so that other processes can claim them. */
  release(): Promise<void>;
}

/**
 * Runs `work` and records its text under `name`, unless the run was cancelled. `work` never rejects, so a rejection is one
 * of the engine: a `StoreAway`, or an error about the data.
 */
export type RecordStep = (name: string, work: () => Promise<string>) => Promise<string>;

export interface RecordedStep {
  readonly name: string;
  readonly text: string;
}

/** A run of a turn. */
export type RunKey = Pick<ClaimedTurn, "turnId" | "run">;

/** Stores the recorded steps of turns. */
export interface StepStore {
  /** Runs `work` as this run of its turn. Resolves when `work` ends. */
  run(key: RunKey, work: (record: RecordStep) => Promise<void>): Promise<void>;
  /** Reads the steps of all earlier runs of the turn, one list for each run. Those runs record no more steps. */
  take(key: RunKey): Promise<readonly (readonly RecordedStep[])[]>;
  /** Deletes the steps of this run and of all earlier ones, because the turn has ended. */
  forget(key: RunKey): Promise<void>;
}
