import type { RunClaims } from "../../../durable/engine.ts";
import type { TurnOverview } from "../../../runtime/internal.ts";

/** Tracks in the database which process runs which turn. A process that dies loses its claims. */
export interface TurnClaims extends RunClaims {
  /** Runs `work` in one process at a time. */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Like {@link TurnRunner.overview}. */
  overview(most: number): Promise<TurnOverview>;
  /** Whether this process runs the turn. */
  isHere(turnId: string): boolean;
  /** Resolves when no turn runs in this process any more. */
  idle(): Promise<void>;
}
