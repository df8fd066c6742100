import type { Clock } from "./clock.ts";

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/** The pauses between the tries of a failing call. All end when the browser is online again. */
export interface RetryPauses {
  /** Resolves when the pause after this try (0: the first) is over. `ids` identify the waiting requests. */
  after(attempt: number, ids: readonly string[], atLeastMs?: number): Promise<void>;
  /** Ends the pauses of this id, or all pauses. */
  end(id?: string): void;
}

/** The length of the pause after this try in milliseconds, but at least `atLeastMs`, which a server may ask for. */
export function pauseAfter(attempt: number, atLeastMs = 0): number {
  return Math.max(atLeastMs, Math.min(FIRST_MS * 2 ** attempt, LONGEST_MS));
}

/** Listens to `onOnline` only during a pause, so that an unused client leaves no listener. */
export function createRetryPauses(
  clock: Clock,
  signal: AbortSignal,
  onOnline: (listener: () => void) => () => void,
): RetryPauses {
  const sleepers = new Map<() => void, readonly string[]>();
  let stopOnline: (() => void) | undefined;

  function end(id?: string): void {
    for (const [wake, ids] of sleepers) if (id === undefined || ids.includes(id)) wake();
  }

  signal.addEventListener("abort", () => end());
  return {
    after(attempt, ids, atLeastMs) {
      return new Promise((resolve) => {
        const cancel = clock.after(pauseAfter(attempt, atLeastMs), wake);
        function wake(): void {
          cancel();
          sleepers.delete(wake);
          if (sleepers.size === 0) {
            stopOnline?.();
            stopOnline = undefined;
          }
          resolve();
        }
        sleepers.set(wake, ids);
        stopOnline ??= onOnline(() => end());
      });
    },
    end,
  };
}
