import type { Clock } from "./clock.ts";

/** The answers that the user can still undo, each for the same time. */
export interface UndoTimes {
  /** The undo time in milliseconds. 0: no undo. */
  readonly length: number;
  /** Starts the undo time of an answer. Returns when it ends. */
  begin(id: string): number;
  has(id: string): boolean;
  /** Ends the undo time without calling back. */
  end(id: string): void;
  /** Ends all undo times, because the user is leaving the page. */
  leave(): void;
}

/**
 * Calls `onOver` with each answer that can no longer be undone. This includes all answers when the user leaves the page.
 * It listens to `onLeft` only while there is such an answer.
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
    // Remove all first, because those of one round are sent together.
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
