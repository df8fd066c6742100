import { isObject } from "../../../../contract/json.ts";
import { KitError } from "../../../../contract/kit-error.ts";

/**
 * Runs effects of a call once. `done` contains earlier results and collects new ones. `during` is called with each
 * running effect.
 */
export function createOnce(
  done: Record<string, unknown>,
  during: <T>(work: () => Promise<T>) => Promise<T> = (work) => work(),
): <T>(key: string, run: () => T | Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<void>>();

  return async <T>(key: string, run: () => T | Promise<T>): Promise<T> => {
    if (!Object.hasOwn(done, key)) {
      const work = running.get(key) ?? during(async () => void (done[key] = { value: await run() }));
      running.set(key, work);
      // A failed effect may run again.
      await work.finally(() => running.delete(key));
    }
    const kept = done[key];
    // JSON leaves out a result that is undefined.
    const value = isObject(kept) ? kept["value"] : undefined;
    if (isResult(value, kept, run)) return value;
    throw new KitError(`elicit-kit: once(${JSON.stringify(key)}) has no result.`);
  };
}

/** The value stored under a key is the result of the function with that key, in this run or an earlier one. */
function isResult<T>(_value: unknown, kept: unknown, _run: () => T | Promise<T>): _value is T {
  return kept !== undefined;
}
