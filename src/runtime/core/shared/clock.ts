import { type Clock, createSystemClock } from "../../../clock/clock.ts";

/** The clock of this machine. Its timers do not keep a Node process alive. */
export const systemClock: Clock = createSystemClock((timer) => {
  // A waiting question must not keep a Node process alive. Browsers have numbers here.
  if (typeof timer === "object") timer.unref();
});

export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

/** Waits for `work`, but not for ever. What it rejects with within the time, this rejects with. */
export async function atMost(clock: Clock, ms: number, work: Promise<void>): Promise<void> {
  let callOff: (() => void) | undefined;
  const late = new Promise<void>((resolve) => {
    callOff = clock.after(ms, resolve);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    callOff?.();
  }
}

/** A signal for work that must not hold a person's window, or a tool call, for ever, and what calls it off. */
function deadline(clock: Clock, ms: number): { signal: AbortSignal; callOff: () => void } {
  const abort = new AbortController();
  const callOff = clock.after(ms, () =>
    abort.abort(new DOMException("it took too long to answer", "TimeoutError")),
  );
  return { signal: abort.signal, callOff };
}

/** Aborts after `ms`, for work that may be over by then. */
export function timeout(clock: Clock, ms: number): AbortSignal {
  return deadline(clock, ms).signal;
}

/** Gives `work` a signal that aborts when it takes longer. */
export async function within<T>(
  clock: Clock,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, callOff } = deadline(clock, ms);
  try {
    return await work(signal);
  } finally {
    callOff();
  }
}
