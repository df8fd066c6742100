import { expect, test, vi } from "vitest";
import { testRecord } from "../../../test/stages/test-ports.ts";
import { createMemoryRecords } from "./memory-records.ts";
import { createRecordNotifier } from "./record-notifier.ts";

/** A notifier whose nudges get lost. */
async function setUp() {
  const records = createMemoryRecords();
  const record = await records.create(testRecord());
  const wake = vi.fn<(turnId: string) => Promise<unknown>>(async () => true);
  const waiter = { settle: async () => {}, nudge: async () => {}, onNudge: () => () => {} };
  const notifier = createRecordNotifier({
    records,
    waiter,
    observer: { changed() {} },
    wake,
    onError: (error) => expect.unreachable(String(error)),
  });
  return { records, record, wake, notifier };
}

test("a turn that its process has released runs again if its request changed during the release", async () => {
  const { records, record, wake, notifier } = await setUp();
  const following = notifier.follow(record);
  await records.compareAndSet({ ...record, revision: 1, lastError: "Access was refused." });
  await following.leave();
  expect(wake.mock.calls).toEqual([[record.turnId]]);
});

test("a turn that its process has released does not run again if nothing changed or the change was shown", async () => {
  const { records, record, wake, notifier } = await setUp();
  const following = notifier.follow(record);
  await following.leave();
  await records.compareAndSet({ ...record, revision: 1, lastError: "Access was refused." });
  await following.catchUp();
  await following.leave();
  expect(wake).not.toHaveBeenCalled();
});
