import { atMost } from "../shared/clock.ts";
import type { Clock, StreamChunk } from "../ports.ts";

/** What a stop waits for the end of what it stops. A person is waiting for it. */
export const STOP_MS = 10_000;

export interface OpenTurn {
  readonly id: string;
  /**
   * Withdraws what the turn asks, aborts it, and resolves when its log is closed, or after ten seconds: what the agent
   * or the keeper of history does then is not waited for. The log's last chunk is `last`. Once; later calls wait too.
   */
  stop(reason: string, last?: StreamChunk): Promise<void>;
  /** Resolves when nothing of the turn runs any more. Never rejects. */
  readonly ended: Promise<void>;
}

export interface RunningTurn extends OpenTurn {
  readonly key: string | undefined;
  readonly abort: AbortController;
  /** The last chunk, when it is stopped. */
  last: StreamChunk;
  end(): void;
}

/** A handle on a turn, which somebody else runs. */
export function createRunningTurn(
  id: string,
  { key, clock }: { key: string | undefined; clock: Clock },
): RunningTurn {
  const abort = new AbortController();
  let resolveEnded: (() => void) | undefined;
  const ended = new Promise<void>((resolve) => {
    resolveEnded = resolve;
  });
  const handle: RunningTurn = {
    id,
    key,
    abort,
    last: { type: "abort" },
    ended,
    end: () => resolveEnded?.(),
    stop(reason, farewell) {
      if (!abort.signal.aborted) {
        handle.last = farewell ?? handle.last;
        abort.abort(new DOMException(reason, "AbortError"));
      }
      return atMost(clock, STOP_MS, ended);
    },
  };
  return handle;
}
