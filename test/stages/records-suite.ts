import { describe, expect, test } from "vitest";
import type { ElicitationRecord } from "../../src/runtime/internal.ts";
import { type TwoProcesses, ODD_IDS, newTestId, testRecord } from "./test-ports.ts";

/** Tests for every store of records. `create` is called before each test. */
export function testRecords(name: string, create: () => Promise<TwoProcesses>): void {
  describe(`records in ${name}`, () => {
    test("a record is read unchanged in another process", async () => {
      const [here, there] = await create();
      const record = testRecord({ returnUrl: "https://chat.example.com/\u0000?\ud800" });
      expect(await here.records.create(record)).toEqual(record);
      expect(await there.records.get(record.request.elicitationId)).toEqual(record);
    });

    test("creating a known id returns the stored record, unchanged", async () => {
      const [here, there] = await create();
      const record = testRecord();
      await here.records.create(record);
      const again = testRecord({ id: record.request.elicitationId, turnId: "another" });
      expect(await there.records.create(again)).toEqual(record);
    });

    test("when several changes are based on the same revision, only one is stored", async () => {
      const [here, there] = await create();
      const record = await here.records.create(testRecord());
      const tries = Array.from({ length: 20 }, (_, index) =>
        // The same content: a change has not succeeded just because an equal one has.
        (index % 2 === 0 ? here : there).records.compareAndSet({ ...record, revision: 1, status: "expired" }),
      );
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    });

    test("a change of an old revision or an unknown record is refused", async () => {
      const [here, there] = await create();
      const record = await here.records.create(testRecord());
      expect(await there.records.compareAndSet({ ...record, revision: 2 })).toBe(false);
      expect(await here.records.compareAndSet({ ...record, revision: 1, lastError: "first" })).toBe(true);
      expect(await there.records.compareAndSet({ ...record, revision: 1 })).toBe(false);
      expect(await here.records.compareAndSet({ ...testRecord(), revision: 1 })).toBe(false);
      expect((await there.records.get(record.request.elicitationId))?.lastError).toBe("first");
    });

    test("the open records of a conversation are listed in the order in which they were created", async () => {
      const [here, there] = await create();
      const conversationId = newTestId();
      const made = [
        testRecord({ conversationId }),
        testRecord({ conversationId }),
        testRecord({ conversationId }),
      ] as const;
      for (const record of made) await here.records.create(record);
      await here.records.create(testRecord());
      await here.records.create(testRecord({ conversationId, user: { id: "bob" } }));
      const [first, second, third] = made;
      await there.records.compareAndSet({ ...second, revision: 1, status: "declined", endedAt: Date.now() });
      await there.records.compareAndSet({ ...third, revision: 1, status: "consented" });
      expect((await here.records.listOpen(conversationId, "ada")).map(idOf)).toEqual(
        [first, third].map(idOf),
      );
    });

    test("the open records of a user are listed in pages, from all conversations and oldest first", async () => {
      const [here, there] = await create();
      const user = { id: newTestId() };
      const made = Array.from({ length: 5 }, () => testRecord({ user }));
      for (const record of made) await here.records.create(record);
      await here.records.create(testRecord({ user: { id: "bob" } }));
      const [first, second, third, fourth, fifth] = made;
      const list = async (after?: ElicitationRecord) =>
        (await there.records.inbox?.listOpen(user.id, { limit: 2, after: after && idOf(after) }))?.map(idOf);
      expect(await list()).toEqual([first, second].map((record) => record && idOf(record)));
      // The position of a record that has ended since is still known.
      await here.records.compareAndSet({ ...second!, revision: 1, status: "declined", endedAt: Date.now() });
      await here.records.compareAndSet({ ...fourth!, revision: 1, status: "consented" });
      expect(await list(second)).toEqual([third, fourth].map((record) => record && idOf(record)));
      expect(await list(fourth)).toEqual([idOf(fifth!)]);
      expect(await list(fifth)).toEqual([]);
      const ofBob = await there.records.create(testRecord({ user: { id: "bob" } }));
      expect(await list(ofBob)).toEqual([]);
    });

    test("expired records fill neither a page of the inbox nor the count of open records", async () => {
      const [here, there] = await create();
      const user = { id: newTestId() };
      const finance = newTestId();
      const expiresAt = Date.now() - 1000;
      const assigned = { to: { group: finance }, name: "Finance", from: "Bo", mayTakeBack: true };
      for (const more of [{}, {}, { assigned }, { assigned }])
        await here.records.create(testRecord({ user, expiresAt, ...more }));
      const own = testRecord({ user });
      const ofGroup = testRecord({ assigned });
      await here.records.create(own);
      await here.records.create(ofGroup);
      const list = await there.records.inbox!.listOpen(user.id, { limit: 2, groups: [finance] });
      expect(list.map(idOf)).toEqual([own, ofGroup].map(idOf));
      const count = await there.records.countOpen?.(own.conversationId, user.id);
      expect(count ?? { inConversation: 1, inAll: 1 }).toEqual({ inConversation: 1, inAll: 1 });
    });

    test("a listener for a user gets each change of their records in another process, and no change of other users", async () => {
      const [here, there] = await create();
      const user = { id: newTestId() };
      let calls = 0;
      const stop = there.records.inbox?.onChange(user.id, () => (calls += 1));
      const after = async (change: () => Promise<unknown>, expected: number) => {
        await change();
        await expect.poll(() => calls).toBe(expected);
      };
      const record = testRecord({ user });
      await after(() => here.records.create(record), 1);
      await after(() => here.records.compareAndSet({ ...record, revision: 1, lastError: "no" }), 2);
      await here.records.create(testRecord({ user: { id: newTestId() } }));
      await after(() => here.records.compareAndSet({ ...record, revision: 2, status: "expired" }), 3);
      stop?.();
      await here.records.create(testRecord({ user }));
      expect(calls).toBe(3);
    });

    test("an assigned record is in the list of its assignee, as long as it is assigned to them", async () => {
      const [here, there] = await create();
      const [bo, ada, finance] = [newTestId(), newTestId(), newTestId()];
      const list = async (userId: string, groups: readonly string[] = [], after?: ElicitationRecord) => {
        const page = { limit: 10, groups, ...(after && { after: idOf(after) }) };
        return (await there.records.inbox!.listOpen(userId, page)).map(idOf);
      };
      const calls = { bo: 0, ada: 0, finance: 0 };
      there.records.inbox!.onChange(bo, () => (calls.bo += 1));
      there.records.inbox!.onChange(ada, () => (calls.ada += 1));
      there.records.inbox!.onChange(newTestId(), () => (calls.finance += 1), [finance]);
      const assigned = { to: { user: ada }, name: "Ada", from: "Bo", mayTakeBack: true };
      const user = { id: bo };
      const record = testRecord({ user, assigned });
      await here.records.create(record);
      const own = testRecord({ user: { id: ada } });
      await here.records.create(own);
      await expect.poll(() => calls).toEqual({ bo: 0, ada: 2, finance: 0 });
      expect(await list(bo)).toEqual([]);
      expect(await list(ada)).toEqual([record, own].map(idOf));
      expect(await list(ada, [finance], record)).toEqual([idOf(own)]);
      // The user whose turn asks still has it in the conversation.
      expect((await there.records.listOpen(record.conversationId, bo)).map(idOf)).toEqual([idOf(record)]);

      const toGroup = {
        ...record,
        revision: 1,
        assigned: { ...assigned, to: { group: finance } },
        assignedBefore: { user: ada },
      };
      await here.records.compareAndSet(toGroup);
      await expect.poll(() => calls).toEqual({ bo: 0, ada: 3, finance: 1 });
      expect(await list(ada)).toEqual([idOf(own)]);
      expect(await list(ada, [finance])).toEqual([record, own].map(idOf));
      // A user whose id is the name of the group is not the group.
      expect(await list(finance)).toEqual([]);

      const taken = { ...toGroup, revision: 2, assigned: undefined, assignedBefore: { group: finance } };
      await here.records.compareAndSet(taken);
      await expect.poll(() => calls).toEqual({ bo: 1, ada: 3, finance: 2 });
      expect(await list(bo)).toEqual([idOf(record)]);
      expect(await list(ada, [finance])).toEqual([idOf(own)]);
    });

    test("ids with any characters and any length are distinguished", async () => {
      const [here, there] = await create();
      for (const conversationId of ODD_IDS)
        await here.records.create(testRecord({ conversationId, user: { id: conversationId } }));
      for (const id of ODD_IDS) {
        const open = await there.records.listOpen(id, id);
        expect(open.map((record) => record.conversationId)).toEqual([id]);
        expect(await there.records.get(`${id}?`)).toBeUndefined();
      }
    });

    test("the records of all users are read in pages: open ones by their expiry, ended ones by their end", async () => {
      const [here, there] = await create();
      const now = Date.now();
      const open = [3, 1, 2].map((minutes) =>
        testRecord({ user: { id: `user ${minutes}` }, expiresAt: now + minutes * 60_000 }),
      );
      const over = testRecord({ expiresAt: now - 1000 });
      for (const record of [...open, over]) await here.records.create(record);
      const ended = [1, 2, 3].map((second) => ({
        ...testRecord(),
        revision: 1,
        status: "declined" as const,
        endedAt: now - 60_000 + second * 1000,
      }));
      for (const record of ended) {
        await here.records.create({ ...record, revision: 0, status: "pending" });
        await there.records.compareAndSet(record);
      }
      const pages = async (isOpen: boolean) => {
        const first = await there.records.overview!.list({ isOpen, limit: 2 });
        const after = first.at(-1)?.request.elicitationId;
        const rest = await there.records.overview!.list({ isOpen, limit: 2, after });
        return [first, rest].map((page) => page.map(({ request }) => request.elicitationId));
      };
      const idsOf = (...records: readonly (ElicitationRecord | undefined)[]) =>
        records.map((record) => record?.request.elicitationId);
      expect(await pages(true)).toEqual([idsOf(open[1], open[2]), idsOf(open[0])]);
      expect(await pages(false)).toEqual([idsOf(ended[2], ended[1]), idsOf(ended[0])]);
      expect(await there.records.overview!.countOpen(100)).toBe(3);
      expect(await there.records.overview!.countOpen(2)).toBe(2);
      expect(await there.records.overview!.list({ isOpen: true, limit: 2, after: newTestId() })).toEqual([]);
    });
  });
}

function idOf({ request }: ElicitationRecord): string {
  return request.elicitationId;
}
