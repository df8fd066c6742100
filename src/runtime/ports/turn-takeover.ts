/**
 * The abort reason of a turn's signal when another process takes over the turn. Its requests stay open. Waits in this
 * process never settle, so that no tool continues here without a result.
 */
export const TAKEN_OVER = new DOMException("Another process has taken over this turn.", "AbortError");

/** Compares the message, because a bundle may contain this module more than once. */
export function isTakeover(reason: unknown): boolean {
  return reason instanceof DOMException && reason.message === TAKEN_OVER.message;
}

/** The text for the user at the end of a turn whose process has died. */
export const SERVER_STOPPED = "The server that ran this stopped unexpectedly. Send the message again.";

/** The text for the user at the end of a turn that a newer version of the code cannot continue. */
export const CODE_CHANGED = "The assistant was updated while this was waiting. Send the message again.";

export function isTakenOver(signal: AbortSignal): boolean {
  return signal.aborted && isTakeover(signal.reason);
}

/** A promise that never settles. It does not leak: only its own waiters reference it. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
