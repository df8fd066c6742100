import { createDeferred } from "../../base/deferred.ts";
import { untilAborted } from "../../base/until-aborted.ts";

/** The place of a question among those of its turn. */
export interface AskingPlace {
  /** Resolves when every question before this one is shown or given up. `undefined` for the first. */
  readonly reached: Promise<void> | undefined;
  /** Lets the next question follow. */
  leave(): void;
}

/**
 * The order in which one turn asks. Its requests are created and shown in this order, although creating them takes a
 * different time for each. A class, since every turn that waits holds one.
 */
export class AskingOrder {
  #last: Promise<void> | undefined;

  /** Call it as soon as a question is asked. The place must be left whatever happens. */
  join(): AskingPlace {
    const reached = this.#last;
    const left = createDeferred<void>();
    this.#last = left.promise.then(() => reached);
    return { reached, leave: () => left.resolve() };
  }
}

/** Waits for what comes before. `false`: `signal` has aborted meanwhile. */
export async function waitFor(before: Promise<unknown> | undefined, signal: AbortSignal): Promise<boolean> {
  if (before === undefined) return true;
  await untilAborted(before, signal);
  return !signal.aborted;
}
