import { expect, test } from "vitest";
import { nextTask, createDeferred } from "../../src/base/deadlines.ts";
import { stepOperation } from "../../src/runtime/internal.ts";
import { CallKeys, type RecordedOperation } from "./call-keys.ts";

/** The operations that an earlier run recorded. */
function recorded(...names: readonly string[]): RecordedOperation[] {
  return names.map((name) => {
    const { kind, identity, shape, hasKey } = stepOperation(name, undefined);
    return { kind, shape, hasKey, key: JSON.stringify([kind, identity, 1]) };
  });
}

function keysAfter(...names: readonly string[]) {
  const changes: unknown[] = [];
  const keys = new CallKeys({ recorded: recorded(...names), onChanged: (error) => changes.push(error) });
  const step = (name: string) => keys.run(stepOperation(name, undefined), async () => name);
  return { keys, changes, step };
}

test("a turn that runs again ends if a step is new before a recorded one", async () => {
  const { changes, step } = keysAfter("archive");
  await expect(step("delete")).rejects.toThrow("did not repeat");
  expect(changes).toHaveLength(1);
});

test("a turn that runs again ends if a recorded step is missing", async () => {
  const { changes, step, keys } = keysAfter("look up", "archive");
  await expect(step("archive")).rejects.toThrow("did not repeat");
  expect(() => keys.finish()).toThrow("did not repeat");
  expect(changes).toHaveLength(2);
});

test("when a turn runs again, a new step of one branch waits for the recorded steps of the other branch", async () => {
  const { changes, step, keys } = keysAfter("a", "b", "after b");
  const b = createDeferred<void>();
  const branches = Promise.all([
    step("a").then(() => step("after a")),
    keys.run(stepOperation("b", undefined), () => b.promise).then(() => step("after b")),
  ]);
  await nextTask();
  await nextTask();
  b.resolve();
  expect(await branches).toEqual(["after a", "after b"]);
  expect(changes).toEqual([]);
});
