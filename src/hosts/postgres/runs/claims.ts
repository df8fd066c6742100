import type { TurnSignals } from "../../../runtime/internal.ts";

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

/** Which process runs which turn. A process that dies loses its claims. */
export interface TurnClaims {
  /**
   * Calls `run` with each turn that this process claims. Turns of another `version` are left to processes that have it, as
   * long as one lives. Returns a function that starts a turn and resolves at the end of its run.
   */
  register<Input>(
    name: string,
    run: (turn: ClaimedTurn<Input>) => Promise<void>,
    version?: string,
  ): (turnId: string, input: Input) => Promise<void>;
  /** Like {@link TurnRunner.stop}. A turn that no process runs is claimed and ended here. */
  stop(turnId: string, reason: string): Promise<boolean>;
  /** Claims and runs a turn that is parked, or that its process has let go of. Resolves with `true` if this process runs it now. */
  wake(turnId: string): Promise<boolean>;
  /** Whether this is still the latest run of the turn. If not, lets go of it. */
  check(turn: Pick<ClaimedTurn, "turnId" | "run">): Promise<boolean>;
  /**
   * Lets go of a turn that only waits for the user, until a request of it ends or expires. Does nothing if fewer than `waits`
   * of its requests are open.
   */
  park(turn: Pick<ClaimedTurn, "turnId" | "run">, waits: number): Promise<void>;
  /** Notes what the turn does now, so that it is blamed only for deaths of processes in which it worked. */
  note(turn: Pick<ClaimedTurn, "turnId" | "run">, what: { readonly waits: number } | "recorded"): void;
  /**
   * Lets go of a turn after an error that says only that the database is away for long: it runs again later. Returns `false`
   * for any other error.
   */
  leave(turn: Pick<ClaimedTurn, "turnId" | "run">, error: unknown): boolean;
  /** Lets go of all turns of this process. Other processes claim them within seconds. */
  release(): Promise<void>;
  /** Runs `work` in one process at a time. */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Whether this process runs the turn. */
  isHere(turnId: string): boolean;
  /** Resolves when no turn runs here any more. */
  idle(): Promise<void>;
}
