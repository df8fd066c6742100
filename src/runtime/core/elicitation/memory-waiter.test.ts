import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createManualClock } from "../../testing/manual-clock.ts";
import { type Settlement, createMemoryWaiter } from "../index.ts";

const ROME: Settlement = { outcome: "accepted", content: { city: "Rome" } };
const { signal } = new AbortController();

test("everybody who waits for a request gets its one settlement", async () => {
  const waiter = createMemoryWaiter();
  const waits = [1, 2, 3].map(() => waiter.wait("e1", { signal }));
  await waiter.settle("e1", ROME);
  expect(await Promise.all(waits)).toEqual([ROME, ROME, ROME]);
});

test("who begins to wait after the end has it at once, for ten minutes", async () => {
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

test("of two settlements the first counts", async () => {
  const waiter = createMemoryWaiter();
  await waiter.settle("e1", ROME);
  await waiter.settle("e1", { outcome: "declined" });
  expect(await waiter.wait("e1", { signal })).toEqual(ROME);
});

test("who stops waiting takes nobody along", async () => {
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

test("of settlements that nobody fetched only so many are kept, the newest", async () => {
  const waiter = createMemoryWaiter({ limit: 2 });
  for (const id of ["e1", "e2", "e3"]) await waiter.settle(id, ROME);
  expect(await waiter.wait("e3", { signal })).toEqual(ROME);
  expect(await waiter.wait("e2", { signal })).toEqual(ROME);
  const gone = new AbortController();
  const first = waiter.wait("e1", { signal: gone.signal });
  gone.abort(new Error("was not kept"));
  await expect(first).rejects.toThrow("was not kept");
});

test("what was typed is let go of after ten minutes, also when nobody asks or answers anything any more", async () => {
  const clock = createManualClock();
  const waiter = createMemoryWaiter({ clock });
  /** In a function of its own, so that nothing of the content is left on the stack. */
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
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") throw new Error("this Node.js does not collect on demand");
  async function isHeld(...contents: WeakRef<object>[]): Promise<boolean[]> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (typeof collect === "function") collect();
    return contents.map((content) => content.deref() !== undefined);
  }
  expect(await isHeld(first, second)).toEqual([true, true]);
  clock.advance(300_000);
  expect(await isHeld(first, second)).toEqual([false, true]);
  clock.advance(300_000);
  expect(await isHeld(first, second)).toEqual([false, false]);
  expect(clock.waiting).toBe(0);
});
