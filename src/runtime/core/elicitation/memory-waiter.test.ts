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
