import type { RunClaims } from "../../durable/engine.ts";
import { type TurnOverview, type TurnRunner, SERVER_STOPPED } from "../../../src/runtime/internal.ts";

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

/**
 * Runs each turn once, in this process, and can stop turns of other processes. When a process dies, another process ends
 * its turns: it withdraws their requests and closes their logs.
 */
export function createPostgresTurnRunner(claims: TurnClaims): TurnRunner {
  return {
    register: (name, body) =>
      claims.register(name, ({ turnId, input, run, signals: { stop, letGo } }) => {
        const isLost = run > 1 && !stop.aborted;
        return body(turnId, input, {
          stop: isLost ? AbortSignal.abort(new Error(SERVER_STOPPED)) : stop,
          letGo,
          run,
        });
      }),
    stop: claims.stop,
    wake: async (turnId) => claims.isHere(turnId),
    release: async () => false,
    overview: claims.overview,
  };
}
