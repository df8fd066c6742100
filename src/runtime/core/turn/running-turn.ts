import type { Clock, StreamChunk } from "../ports.ts";
import { atMost } from "../shared/clock.ts";
import { LET_GO } from "../shared/let-go.ts";

/** How long a stop waits for the end of what it stops. A person is waiting for it. */
export const STOP_MS = 10_000;

/** A turn that runs, or is about to run, in this process. */
export interface RunningTurn {
  readonly id: string;
  readonly signal: AbortSignal;
  /** The last chunk, when it is stopped. */
  readonly last: StreamChunk;
  /** Resolves when nothing of the turn runs here any more. Never rejects. */
  readonly ended: Promise<void>;
  /**
   * Withdraws what the turn asks, aborts it, and resolves when its log is closed, or after ten seconds: what the agent
   * or the keeper of history does then is not waited for. The log's last chunk is `last`. Once; later calls wait too.
   */
  stop(reason: string, last?: StreamChunk): Promise<void>;
  /** Stops it here, and here only: another process goes on with it. */
  letGo(): void;
  /** For who runs it: aborts what still runs. */
  abort(reason: unknown): void;
  /** For who runs it: nothing runs any more. */
  end(): void;
  /** For who runs it: `false` the second time. */
  begin(): boolean;
}

export function createRunningTurn(id: string, clock: Clock): RunningTurn {
  const abort = new AbortController();
  let last: StreamChunk = { type: "abort" };
  let hasBegun = false;
  let resolveEnded: (() => void) | undefined;
  const ended = new Promise<void>((resolve) => {
    resolveEnded = resolve;
  });
  return {
    id,
    signal: abort.signal,
    get last() {
      return last;
    },
    ended,
    stop(reason, farewell = last) {
      if (!abort.signal.aborted) {
        last = farewell;
        abort.abort(new DOMException(reason, "AbortError"));
      }
      return atMost(clock, STOP_MS, ended);
    },
    letGo: () => abort.abort(LET_GO),
    abort: (reason) => abort.abort(reason),
    end: () => resolveEnded?.(),
    begin() {
      const isFirst = !hasBegun;
      hasBegun = true;
      return isFirst;
    },
  };
}
