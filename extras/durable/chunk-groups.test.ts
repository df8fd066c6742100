import { expect, test } from "vitest";
import { createChunkQueue } from "../../src/base/chunk-queue.ts";
import { createDeferred } from "../../src/base/deadlines.ts";
import { createManualClock } from "../../src/base/testing/manual-clock.ts";
import { REQUEST_PART_TYPE } from "../../src/contract/contract.ts";
import type { StreamChunk } from "../../src/runtime/internal.ts";
import { inGroups } from "./chunk-groups.ts";

function setUp(store: (group: readonly string[]) => Promise<void> = async () => {}) {
  const clock = createManualClock();
  const queue = createChunkQueue<StreamChunk>(() => false);
  const groups: string[] = [];
  let isBusy = false;
  const done = inGroups(queue.chunks, {
    isKnown: () => false,
    async write(group) {
      const types = group.map(({ type }) => type);
      await store(types);
      groups.push(types.join(" "));
    },
    async busy(work) {
      isBusy = true;
      await work();
      isBusy = false;
    },
    clock,
  });
  return {
    clock,
    queue,
    groups,
    done,
    isBusy: () => isBusy,
    write: (...types: string[]) => Promise.all(types.map((type) => queue.write({ type }))),
  };
}

test("the chunks before a question are stored together with it, without a wait", async () => {
  const { write, groups, clock, isBusy } = setUp();
  void write("start", "start-step", "tool-input-available");
  await clock.advanceAsync(0);
  expect(groups).toEqual([]);
  expect(isBusy()).toBe(true);
  void write(REQUEST_PART_TYPE);
  await clock.advanceAsync(0);
  expect(groups).toEqual([`start start-step tool-input-available ${REQUEST_PART_TYPE}`]);
  expect(isBusy()).toBe(false);
});

test("the first text after a pause is stored at once, and the next is stored with what follows within 30 ms", async () => {
  const { write, groups, clock } = setUp();
  void write("start", "text-delta");
  await clock.advanceAsync(0);
  void write("text-delta");
  await clock.advanceAsync(29);
  void write("tool-output-available");
  expect(groups).toEqual(["start text-delta"]);
  await clock.advanceAsync(1);
  expect(groups).toEqual(["start text-delta", "text-delta tool-output-available"]);
});

test("a log that fails gets no chunk after the lost ones", async () => {
  let isAway = true;
  const tried: string[] = [];
  const { write, done, queue, clock } = setUp(async (group) => {
    tried.push(group.join(" "));
    if (isAway) throw new Error("away");
  });
  void write("start", "finish");
  await expect(done).rejects.toThrow("away");
  isAway = false;
  void write("text-delta");
  queue.end();
  await clock.advanceAsync(1000);
  expect(tried).toEqual(["start finish"]);
});

test("an agent waits while its chunks are not stored", async () => {
  const stored = createDeferred<void>();
  const { write, clock, queue, done, groups } = setUp(() => stored.promise);
  let taken = 0;
  const chunks = Array.from({ length: 300 }, () => "text-delta");
  for (const chunk of chunks) void write(chunk).then(() => (taken += 1));
  await clock.advanceAsync(1000);
  expect(taken).toBeLessThan(130);
  stored.resolve();
  queue.end();
  await done;
  expect(groups.join(" ").split(" ")).toHaveLength(300);
});
