import { isObject } from "../../src/contract/json.ts";
import type { RecordStep, RecordedStep } from "./engine.ts";
import type { RecordKey } from "./record-key.ts";

const KEY: RecordKey = ["", "stop", 0];
const NAME = JSON.stringify([...KEY, { name: "stop" }]);

/**
 * Records why a turn is stopped. Calls may run other code after a stop, so their later results are recorded behind it. A
 * run that reads those results must be stopped, too.
 */
export async function recordStop(reason: unknown, record: RecordStep): Promise<void> {
  const { name, message } = reason instanceof Error ? reason : new Error("The turn was stopped.");
  await record(NAME, async () => JSON.stringify({ name, message }));
}

/** Returns why an earlier run was stopped. `undefined`: no run was stopped, or nothing was recorded after the stop. */
export function stopIn(past: readonly RecordedStep[]): Error | undefined {
  const stop = past.find(({ name }) => name === NAME);
  if (stop === undefined) return undefined;
  const reason: unknown = JSON.parse(stop.text);
  const message = isObject(reason) && typeof reason["message"] === "string" ? reason["message"] : "";
  const isWanted = isObject(reason) && reason["name"] === "AbortError";
  return isWanted ? new DOMException(message, "AbortError") : new Error(message);
}
