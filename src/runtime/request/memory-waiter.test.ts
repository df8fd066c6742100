import { collectGarbage } from "../../../test/stages/garbage.ts";
import { expect, test } from "vitest";
import { createManualClock } from "../../base/testing/manual-clock.ts";
import { createMemoryWaiter } from "../index.ts";
import type { Settlement } from "../internal.ts";

const ROME: Settlement = { outcome: "accepted", content: { city: "Rome" } };
const { signal } = new AbortController();

test("every wait for the end of a request gets the same outcome", async () => {
  const waiter = createMemoryWaiter();
  const waits = [1, 2, 3].map(() => waiter.wait("e1", { signal }));
  await waiter.settle("e1", ROME);
  expect(await Promise.all(waits)).toEqual([ROME, ROME, ROME]);
});

test("a wait that starts up to ten minutes after the outcome gets it at once", async () => {
  const clock = createManualClock();
  const waiter = createMemoryWaiter({ clock });
  await waiter.settle("e1", ROME);
  clock.advance(599_999);
  expect(await waiter.wait("e1", { signal })).toEqual(ROME);
  clock.advance(1);
  await waiter.settle("e2", { outcome: "declined" });
  const late = waiter.wait("e1", { signal });
  await waiter.settle("e1", { outcome: "withdrawn" });
  expect(await late).toEqual({ outcome: "withdrawn" });
});

test("the first of two outcomes counts", async () => {
  const waiter = createMemoryWaiter();
  await waiter.settle("e1", ROME);
  await waiter.settle("e1", { outcome: "declined" });
  expect(await waiter.wait("e1", { signal })).toEqual(ROME);
});

test("a wait that is aborted does not affect the others", async () => {
  const waiter = createMemoryWaiter();
  const impatient = new AbortController();
  const left = waiter.wait("e1", { signal: impatient.signal });
  const stays = waiter.wait("e1", { signal });
  impatient.abort(new Error("no longer needed"));
  await expect(left).rejects.toThrow("no longer needed");
  await waiter.settle("e1", ROME);
  expect(await stays).toEqual(ROME);
  await expect(waiter.wait("e2", { signal: impatient.signal })).rejects.toThrow("no longer needed");
});

test("only the newest outcomes are kept, up to the limit", async () => {
  const waiter = createMemoryWaiter({ limit: 2 });
  for (const id of ["e1", "e2", "e3"]) await waiter.settle(id, ROME);
  expect(await waiter.wait("e3", { signal })).toEqual(ROME);
  expect(await waiter.wait("e2", { signal })).toEqual(ROME);
  const gone = new AbortController();
  const first = waiter.wait("e1", { signal: gone.signal });
  gone.abort(new Error("was not kept"));
  await expect(first).rejects.toThrow("was not kept");
});

test("the content of an answer is freed after ten minutes, even if nothing else happens", async () => {
  const clock = createManualClock();
  const waiter = createMemoryWaiter({ clock });
  /** A separate function, so that no reference to the content stays on the stack. */
  async function settle(id: string): Promise<WeakRef<object>> {
    const content = { city: "Rome" };
    const waiting = waiter.wait(id, { signal });
    await waiter.settle(id, { outcome: "accepted", content });
    await waiting;
    return new WeakRef(content);
  }
  const first = await settle("e1");
  clock.advance(300_000);
  const second = await settle("e2");
  async function isHeld(...contents: WeakRef<object>[]): Promise<boolean[]> {
    await collectGarbage();
    return contents.map((content) => content.deref() !== undefined);
  }
  expect(await isHeld(first, second)).toEqual([true, true]);
  clock.advance(300_000);
  expect(await isHeld(first, second)).toEqual([false, true]);
  clock.advance(300_000);
  expect(await isHeld(first, second)).toEqual([false, false]);
  expect(clock.waiting).toBe(0);
});
