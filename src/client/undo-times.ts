import type { Clock } from "./clock.ts";

/** Which answers can still be taken back, each for the same time. */
export interface UndoTimes {
  /** In milliseconds. 0: nothing can be taken back. */
  readonly length: number;
  /** Begins the time of an answer. Returns when it ends. */
  begin(id: string): number;
  has(id: string): boolean;
  /** Ends it, and does not call back. */
  end(id: string): void;
  /** Ends all, because the page is left. */
  leave(): void;
}

/**
 * Calls `onOver` with each answer that can no longer be taken back. That is also so when the page is left: `onLeft` is listened
 * to only while there is such an answer.
 */
export function createUndoTimes(
  clock: Clock,
  length: number,
  onLeft: (listener: () => void) => () => void,
  onOver: (id: string, isLeaving: boolean) => void,
): UndoTimes {
  const timers = new Map<string, () => void>();
  let stopListening: (() => void) | undefined;

  function end(id: string): void {
    timers.get(id)?.();
    timers.delete(id);
    if (timers.size > 0) return;
    stopListening?.();
    stopListening = undefined;
  }

  function leave(): void {
    const ids = [...timers.keys()];
    // All at first: those of one round leave together.
    for (const id of ids) end(id);
    for (const id of ids) onOver(id, true);
  }

  return {
    length,
    begin(id) {
      end(id);
      function over(): void {
        end(id);
        onOver(id, false);
      }
      timers.set(id, clock.after(length, over));
      stopListening ??= onLeft(leave);
      return clock.now() + length;
    },
    has: (id) => timers.has(id),
    end,
    leave,
  };
}
