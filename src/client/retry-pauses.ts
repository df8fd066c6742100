import type { Clock } from "./clock.ts";

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/** The pauses between the tries of a call that fails. All end when the browser is online again. */
export interface RetryPauses {
  /** How long the pause after this try is, in milliseconds. */
  length(attempt: number, atLeastMs?: number): number;
  /** Resolves when the pause after this try (0: the first) is over. `ids` name what waits. */
  after(attempt: number, ids: readonly string[], atLeastMs?: number): Promise<void>;
  /** Ends the pauses of this id, or all pauses. */
  end(id?: string): void;
}

/** Listens to `onOnline` only while a pause lasts, so that a client that is made and never used leaves no listener. */
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

  function length(attempt: number, atLeastMs = 0): number {
    // Also when the server asks to come back at once.
    return Math.max(atLeastMs, Math.min(FIRST_MS * 2 ** attempt, LONGEST_MS));
  }

  signal.addEventListener("abort", () => end());
  return {
    length,
    after(attempt, ids, atLeastMs) {
      return new Promise((resolve) => {
        const cancel = clock.after(length(attempt, atLeastMs), wake);
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
