import type { Clock } from "../../src/base/clock.ts";

/** Parks a turn that has only waited for the user for some time. */
export interface Parking {
  /**
   * Call it at every change with the ids of the requests that the turn waits for. Pass none while the turn also does other
   * work.
   */
  waitsFor(requests: readonly string[]): void;
  /** The attempt to park that is under way, if there is one. Resolves when it has succeeded or failed. */
  pending(): Promise<void> | undefined;
  /** Whether the turn was parked a moment ago. Work that begins now would have prevented that if it had begun before. */
  hasJustParked(): boolean;
  /** Call it when the turn has ended. */
  end(): void;
}

/** Longer than what follows an answer takes to begin, on a busy machine. */
const JUST_MS = 1000;

export function createParking(options: {
  /** In milliseconds. `false`: never. */
  afterMs: number | false;
  /** Parks the turn, if these requests are open. */
  park: (requests: readonly string[]) => Promise<void>;
  /** Aborts when the turn is parked. */
  letGo: AbortSignal;
  clock: Clock;
  onError: (error: unknown) => void;
}): Parking {
  const { afterMs, park, letGo, clock, onError } = options;
  let requests: readonly string[] = [];
  let cancel: (() => void) | undefined;
  let pending: Promise<void> | undefined;
  let hasEnded = false;
  let parkedAt = Number.NEGATIVE_INFINITY;

  function schedule(): void {
    cancel?.();
    if (afterMs === false || requests.length === 0 || pending !== undefined) return;
    if (hasEnded || letGo.aborted) return;
    cancel = clock.after(afterMs, () => {
      pending = tryToPark();
    });
  }

  async function tryToPark(): Promise<void> {
    await park(requests).catch(onError);
    pending = undefined;
    if (letGo.aborted) parkedAt = clock.now();
    // By now, the turn may wait for another request.
    schedule();
  }

  return {
    waitsFor(ids) {
      requests = ids;
      schedule();
    },
    pending: () => pending,
    hasJustParked: () => clock.now() - parkedAt < JUST_MS,
    end() {
      hasEnded = true;
      cancel?.();
    },
  };
}
