import { describe, expect, test } from "vitest";
import type { ElicitationRecord, NoticeRecords } from "../../src/runtime/internal.ts";
import { type TwoProcesses, newTestId, testRecord } from "./test-ports.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Tests for every store of records with `notices`. `create` is called before each test. */
export function testNotices(name: string, create: () => Promise<TwoProcesses>): void {
  describe(`notices in ${name}`, () => {
    const now = Date.now();

    async function setUp() {
      const ports = await create();
      const of = (index: 0 | 1): NoticeRecords => ports[index].records.notices!;
      async function ask(more: Partial<ElicitationRecord> = {}): Promise<ElicitationRecord> {
        const record = { noticeAt: now, expiresAt: now + 24 * HOUR, ...more };
        return ports[0].records.create(testRecord(record));
      }
      const claimAt = (at: number, { by = 0, limit = 10, perHour = 10 }: Claiming = {}) =>
        of(by).claim({ now: at, until: at + MINUTE, limit, perHour });
      const end = (record: ElicitationRecord) =>
        ports[1].records.compareAndSet({ ...record, revision: 1, status: "declined", endedAt: now });
      async function change(record: ElicitationRecord): Promise<ElicitationRecord> {
        const changed = { ...record, revision: record.revision + 1, lastError: "It was refused." };
        await ports[1].records.compareAndSet(changed);
        return changed;
      }
      const store = (next: ElicitationRecord) => ports[1].records.compareAndSet(next);
      return { here: of(0), there: of(1), ask, claimAt, end, change, store };
    }

    interface Claiming {
      by?: 0 | 1;
      limit?: number;
      perHour?: number;
    }

    const idsOf = (records: readonly ElicitationRecord[]) =>
      records.map(({ request }) => request.elicitationId);

    test("a process claims all due requests of a user at once under one id, oldest first", async () => {
      const { ask, claimAt } = await setUp();
      const due = [await ask(), await ask({ noticeAt: now - 1 }), await ask()];
      await ask({ noticeAt: now + 1 });
      await ask({ noticeAt: undefined });
      const other = await ask({ user: { id: "bob" } });
      expect(await claimAt(now - 2)).toEqual([]);
      const claims = await claimAt(now, { by: 1 });
      const [ofAda, ofBob] = claims.toSorted((a, b) => b.records.length - a.records.length);
      expect(claims).toHaveLength(2);
      expect(ofAda).toEqual({ id: expect.any(String), tries: 1, records: due, count: due.length });
      expect(ofBob).toEqual({ id: expect.any(String), tries: 1, records: [other], count: 1 });
      expect(ofAda?.id).not.toBe(ofBob?.id);
      expect(await claimAt(now)).toEqual([]);
    });

    test("while a user's notice is claimed, nothing else is claimed for them, and the next notice has another id", async () => {
      const { ask, claimAt, there } = await setUp();
      const first = await ask();
      const [claim] = await claimAt(now);
      const second = await ask({ noticeAt: now + 1 });
      expect(await claimAt(now + 2, { by: 1 })).toEqual([]);
      await there.release(claim!);
      const [next] = await claimAt(now + MINUTE, { by: 1 });
      expect(idsOf(claim!.records)).toEqual(idsOf([first]));
      expect(idsOf(next!.records)).toEqual(idsOf([second]));
      expect(next!.id).not.toBe(claim!.id);
      await there.release(next!);
      expect(await claimAt(now + HOUR)).toEqual([]);
    });

    test("a claim that its process does not release is claimed again, with the same id and without ended requests", async () => {
      const { ask, claimAt, end } = await setUp();
      const [first, second] = [await ask(), await ask()];
      const [claim] = await claimAt(now);
      await end(first);
      expect(await claimAt(now + MINUTE - 1, { by: 1 })).toEqual([]);
      const again = await claimAt(now + MINUTE, { by: 1 });
      expect(again).toEqual([{ id: claim!.id, tries: 2, records: [second], count: 1 }]);
      await end(second);
      const third = await ask();
      const [last] = await claimAt(now + 2 * MINUTE);
      expect(last).toMatchObject({ tries: 1, records: [third] });
      expect(last!.id).not.toBe(claim!.id);
    });

    test("a claim of more than 100 requests has the oldest 100, and holds the others as well", async () => {
      const { ask, claimAt, here } = await setUp();
      const asked: ElicitationRecord[] = [];
      for (let number = 0; number < 120; number += 1) asked.push(await ask());
      const [claim] = await claimAt(now);
      expect(claim).toMatchObject({ count: 120 });
      expect(idsOf(claim!.records)).toEqual(idsOf(asked.slice(0, 100)));
      await here.release(claim!);
      expect(await claimAt(now + HOUR)).toEqual([]);
    });

    test("a notice that could not be sent is due again at the given time, but not before its claim expires", async () => {
      const { ask, claimAt, here } = await setUp();
      await ask();
      const [claim] = await claimAt(now);
      await here.release(claim!, now + 5 * MINUTE);
      expect(await claimAt(now + 5 * MINUTE - 1)).toEqual([]);
      const [again] = await claimAt(now + 5 * MINUTE);
      expect(again).toMatchObject({ id: claim!.id, tries: 2 });
      // Simulates a slow process.
      await here.release(claim!, now + 5 * MINUTE + 1);
      expect(await claimAt(now + 5 * MINUTE + 1)).toEqual([]);
      expect(await claimAt(now + 6 * MINUTE)).toMatchObject([{ id: claim!.id, tries: 3 }]);
    });

    test("the list of pending notices has the number of tries, also for an assignee", async () => {
      const { ask, claimAt, there } = await setUp();
      const assigned = { to: { user: newTestId() }, name: "Cleo", from: "Bo", mayTakeBack: true };
      const records = [await ask(), await ask({ user: { id: "bob" }, assigned })];
      await claimAt(now);
      await claimAt(now + MINUTE, { by: 1 });
      const tries = new Map(
        (await there.pending!(10)).map((one) => [one.record.request.elicitationId, one.tries]),
      );
      expect(idsOf(records).map((id) => tries.get(id))).toEqual([2, 2]);
    });

    test("a request that a chat shows is postponed, by its turn or by its user", async () => {
      const { ask, claimAt, there } = await setUp();
      const user = { id: newTestId() };
      const turn = await ask();
      const [one, two] = [await ask({ user }), await ask({ user })];
      const other = await ask({ user: { id: "bob" } });
      const times = { from: now + MINUTE, until: now + 2 * MINUTE };
      await there.postpone({ turnIds: [turn.turnId], userIds: [user.id] }, times);
      expect((await claimAt(now)).map(({ records }) => idsOf(records))).toEqual([idsOf([other])]);
      // Due later than `from`.
      await there.postpone({ turnIds: [turn.turnId], userIds: [] }, { from: now, until: now + HOUR });
      expect(await claimAt(now + 2 * MINUTE - 1)).toMatchObject([{ records: [other], tries: 2 }]);
      const claims = await claimAt(now + 2 * MINUTE);
      const sizes = claims.map(({ records }) => idsOf(records)).toSorted((a, b) => a.length - b.length);
      expect(sizes).toEqual([idsOf([turn]), idsOf([one, two])]);
    });

    test("a notice that failed is not sent again while its request is shown", async () => {
      const { ask, claimAt, here } = await setUp();
      const { turnId } = await ask();
      const [claim] = await claimAt(now);
      await here.release(claim!, now + MINUTE);
      const times = { from: now + 2 * MINUTE, until: now + 3 * MINUTE };
      await here.postpone({ turnIds: [turnId], userIds: [] }, times);
      expect(await claimAt(now + MINUTE)).toEqual([]);
      expect(await claimAt(now + 3 * MINUTE)).toMatchObject([{ id: claim!.id }]);
    });

    test("a user gets a limited number of notices an hour, and later requests share one notice", async () => {
      const { ask, claimAt, there } = await setUp();
      const told: string[] = [];
      for (let minute = 0; minute < 2; minute += 1) {
        await ask();
        const [claim] = await claimAt(now + minute * MINUTE, { perHour: 2 });
        told.push(claim!.id);
        await there.release(claim!);
      }
      const late = [await ask(), await ask({ noticeAt: now + 10 * MINUTE })];
      for (const minute of [2, 11, 59])
        expect(await claimAt(now + minute * MINUTE, { perHour: 2 })).toEqual([]);
      const [digest] = await claimAt(now + HOUR, { perHour: 2 });
      expect(digest).toMatchObject({ tries: 1, records: late });
      expect(told).not.toContain(digest!.id);
      await there.release(digest!);
      const last = await ask();
      expect(await claimAt(now + HOUR, { perHour: 2 })).toEqual([]);
      expect(await claimAt(now + HOUR + MINUTE, { perHour: 2 })).toMatchObject([{ records: [last] }]);
    });

    test("a request that has ended or expired is never claimed", async () => {
      const { ask, claimAt, end } = await setUp();
      await end(await ask());
      await ask({ expiresAt: now + 1 });
      const left = await ask();
      expect(await claimAt(now + 1)).toMatchObject([{ records: [left] }]);
      await end(left);
      expect(await claimAt(now + HOUR)).toEqual([]);
    });

    test("of simultaneous claims, each user is in only one, and the limit counts users", async () => {
      const { ask, claimAt } = await setUp();
      const users = Array.from({ length: 12 }, () => ({ id: newTestId() }));
      for (const user of [...users, ...users]) await ask({ user });
      const claims = (
        await Promise.all([0, 1, 0, 1].map((by) => claimAt(now, { by: by === 0 ? 0 : 1, limit: 3 })))
      ).flat();
      for (let round = 0; claims.length < users.length && round < 12; round += 1)
        claims.push(...(await claimAt(now, { limit: 3 })));
      expect(new Set(claims.map(({ id }) => id)).size).toBe(users.length);
      expect(claims.map(({ records }) => records.length)).toEqual(users.map(() => 2));
    });

    test("a notice goes to the assignee of the request, and again after a reassignment", async () => {
      const { ask, claimAt, here, store } = await setUp();
      const assigned = { to: { user: "ada" }, name: "Ada", from: "Bo", mayTakeBack: true };
      const record = await ask({ user: { id: "bob" }, assigned });
      const own = await ask({ user: { id: "ada" } });
      // The chat of Bo only shows that it waits for Ada.
      await here.postpone(
        { turnIds: [record.turnId], userIds: ["bob"] },
        { from: now + HOUR, until: now + HOUR },
      );
      const [claim, ...others] = await claimAt(now);
      expect(others).toEqual([]);
      expect(idsOf(claim!.records)).toEqual(idsOf([record, own]));
      const given: ElicitationRecord = {
        ...record,
        revision: 1,
        noticeAt: now + MINUTE,
        assigned: { ...assigned, to: { group: "finance" }, name: "Finance" },
        assignedBefore: { user: "ada" },
        changedBy: { userId: "ada", through: "chat", at: now, assigned: true },
      };
      await store(given);
      await here.release(claim!);
      expect(await claimAt(now + MINUTE - 1)).toEqual([]);
      expect(await claimAt(now + MINUTE)).toMatchObject([{ tries: 1, records: [given] }]);
    });

    test("a reminder can be claimed under another id, even while the last notice is being sent", async () => {
      const { ask, claimAt, here, store } = await setUp();
      const assigned = { to: { user: newTestId() }, name: "Ada", from: "Bo", mayTakeBack: true };
      const record = await ask({ user: { id: "bob" }, assigned });
      const [first] = await claimAt(now);
      await here.release(first!);
      let { revision } = record;
      async function remind(noticeAt: number): Promise<void> {
        revision += 1;
        const changedBy = { userId: "bob", through: "chat", at: noticeAt, reminded: true as const };
        await store({ ...record, revision, noticeAt, changedBy });
      }
      await remind(now + HOUR);
      expect(await claimAt(now + HOUR - 1)).toEqual([]);
      const [second] = await claimAt(now + HOUR, { by: 1 });
      expect(idsOf(second!.records)).toEqual(idsOf([record]));
      await remind(now + 2 * HOUR);
      await here.release(second!);
      const [third] = await claimAt(now + 2 * HOUR);
      expect(new Set([first!.id, second!.id, third!.id]).size).toBe(3);
    });

    test("a change of an open record does not make it due again, and the claim contains the change", async () => {
      const { ask, claimAt, here, change } = await setUp();
      const [told, due] = [await ask({ user: { id: "bob" } }), await ask({ noticeAt: now + 1 })];
      const [claim] = await claimAt(now);
      await here.release(claim!);
      await change(told);
      const changed = await change(due);
      expect(await claimAt(now + HOUR)).toMatchObject([{ records: [changed] }]);
    });
  });
}
