import type { Clock } from "./clock.ts";
import { KitError } from "../contract/kit-error.ts";

/** The time limit of one call. It does not run while a user thinks, and restarts afterwards. */
export interface CallTime {
  /** Aborts when the other side has been silent for too long. */
  readonly late: AbortSignal;
  /** Pauses the limit until the returned function is called. */
  pause(): () => void;
  /** Restarts the limit, because the other side has shown that it is working on the call. */
  restart(): void;
  end(): void;
}

export function createCallTime(clock: Clock, limitMs: number, who: string): CallTime {
  const abort = new AbortController();
  let pauses = 0;
  let hasEnded = false;
  let stopTimer: (() => void) | undefined;

  function restart(): void {
    stopTimer?.();
    stopTimer = undefined;
    if (pauses > 0 || hasEnded) return;
    stopTimer = clock.after(limitMs, () => {
      const seconds = Math.round(limitMs / 1000);
      abort.abort(new KitError(`elicit-kit: ${who} did not answer within ${seconds} seconds.`));
    });
  }

  restart();
  return {
    late: abort.signal,
    pause() {
      let isPaused = true;
      pauses += 1;
      restart();
      return () => {
        if (!isPaused) return;
        isPaused = false;
        pauses -= 1;
        restart();
      };
    },
    restart,
    end() {
      hasEnded = true;
      restart();
    },
  };
}
