import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Lets Node.js free unreachable objects. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") throw new Error("this Node.js does not collect on demand");
  for (let round = 0; round < 5; round += 1) {
    // Finalizers run in a separate task, and release more.
    await new Promise((resolve) => setTimeout(resolve, 0));
    collect();
  }
}

/** How many of the objects are still in memory. */
export async function countHeld(objects: readonly WeakRef<object>[]): Promise<number> {
  await collectGarbage();
  return objects.filter((object) => object.deref() !== undefined).length;
}
