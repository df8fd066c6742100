/**
 * Why a turn's signal aborts in a process that is to leave the turn to another one. What was asked stays open, and who
 * waits for it here waits for ever, so that no tool goes on with a result that it did not get.
 */
export const LET_GO = new DOMException("Another process goes on with this turn.", "AbortError");

export function isLetGo(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason === LET_GO;
}

/** Of a promise that is never settled nothing is kept but by those who wait for it. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
