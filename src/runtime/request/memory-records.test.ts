import { expect, test } from "vitest";
import { createManualClock } from "../../base/testing/manual-clock.ts";
import { testRecord } from "../../../test/stages/test-ports.ts";
import { createMemoryRecords } from "../index.ts";
import type { ElicitationRecord } from "../internal.ts";

const clock = createManualClock();

function recordOf(id: string, user: string, more: Partial<ElicitationRecord> = {}): ElicitationRecord {
  const now = clock.now();
  const times = { createdAt: now, expiresAt: now + 600_000 };
  return testRecord({ id, conversationId: "c1", user: { id: user }, ...times, ...more });
}

type Records = ReturnType<typeof createMemoryRecords>;

async function askAndEnd(records: Records, id: string, user: string): Promise<void> {
  const record = await records.create(recordOf(id, user));
  await records.compareAndSet({ ...record, revision: 1, status: "declined", endedAt: clock.now() });
}

const known = async (records: Records, ids: readonly string[]) => {
  const found = await Promise.all(ids.map((id) => records.get(id)));
  return ids.filter((_, index) => found[index] !== undefined);
};

test("a user with an endless number of requests displaces only their own records", async () => {
  const records = createMemoryRecords({ clock, limit: 20, perPerson: 5 });
  await askAndEnd(records, "bob-1", "bob");
  for (let index = 0; index < 50; index += 1) await askAndEnd(records, `eve-${index}`, "eve");
  expect(await known(records, ["bob-1", "eve-44", "eve-45", "eve-49"])).toEqual([
    "bob-1",
    "eve-45",
    "eve-49",
  ]);
});

test("a user whose records are all open cannot be asked again, but other users can", async () => {
  const records = createMemoryRecords({ clock, limit: 20, perPerson: 3 });
  for (const id of ["eve-1", "eve-2", "eve-3"]) await records.create(recordOf(id, "eve"));
  await expect(records.create(recordOf("eve-4", "eve"))).rejects.toThrow(
    "elicit-kit: one user has 3 open elicitations",
  );
  await records.create(recordOf("bob-1", "bob"));
  expect(await known(records, ["eve-1", "eve-2", "eve-3", "eve-4", "bob-1"])).toEqual([
    "eve-1",
    "eve-2",
    "eve-3",
    "bob-1",
  ]);
});

test("a full store removes a record of the user with the most ended requests", async () => {
  const records = createMemoryRecords({ clock, limit: 10, perPerson: 6 });
  await askAndEnd(records, "bob-1", "bob");
  for (let index = 1; index <= 6; index += 1) await askAndEnd(records, `eve-${index}`, "eve");
  for (let index = 1; index <= 3; index += 1) await records.create(recordOf(`cleo-${index}`, "cleo"));
  await records.create(recordOf("dan-1", "dan"));
  await records.create(recordOf("dan-2", "dan"));
  expect(await known(records, ["bob-1", "eve-1", "eve-2", "eve-3", "cleo-1", "dan-1", "dan-2"])).toEqual([
    "bob-1",
    "eve-3",
    "cleo-1",
    "dan-1",
    "dan-2",
  ]);
});

test("a store full of open requests rejects a new one with the reason", async () => {
  const records = createMemoryRecords({ clock, limit: 2, perPerson: 2 });
  await records.create(recordOf("1", "ada"));
  await records.create(recordOf("2", "bob"));
  await expect(records.create(recordOf("3", "cleo"))).rejects.toThrow("elicit-kit: 2 elicitations are open");
});

test("one user may use a tenth of the store by default", async () => {
  const records = createMemoryRecords({ clock, limit: 100 });
  for (let index = 0; index < 10; index += 1) await records.create(recordOf(`eve-${index}`, "eve"));
  await expect(records.create(recordOf("eve-10", "eve"))).rejects.toThrow(
    "one user has 10 open elicitations",
  );
});

test("open requests are listed by user and conversation, oldest first, until they end", async () => {
  const records = createMemoryRecords({ clock });
  const first = await records.create(recordOf("1", "ada"));
  await records.create(recordOf("2", "ada", { conversationId: "c2" }));
  await records.create(recordOf("3", "bob"));
  await records.create(recordOf("4", "ada"));
  await records.compareAndSet({ ...first, revision: 1, status: "consented" });
  const listed = async (user: string) =>
    (await records.listOpen("c1", user)).map(({ request }) => request.elicitationId);
  expect([await listed("ada"), await listed("bob"), await listed("eve")]).toEqual([["1", "4"], ["3"], []]);
  await records.compareAndSet({ ...first, revision: 2, status: "accepted" });
  expect(await listed("ada")).toEqual(["4"]);
});

test("ended records are deleted after a day, and nothing of their user is left", async () => {
  const records = createMemoryRecords({ clock, limit: 10, perPerson: 2 });
  await askAndEnd(records, "1", "ada");
  await records.create(recordOf("2", "ada"));
  clock.advance(24 * 3_600_000);
  expect(await known(records, ["1", "2"])).toEqual(["2"]);
  clock.advance(600_000);
  expect(await known(records, ["1", "2"])).toEqual([]);
  await records.create(recordOf("3", "ada"));
  await records.create(recordOf("4", "ada"));
  expect(await known(records, ["3", "4"])).toEqual(["3", "4"]);
});
