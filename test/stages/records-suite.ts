import { describe, expect, test } from "vitest";
import type { ElicitationRecord } from "../../src/runtime/internal.ts";
import { type TwoProcesses, ODD_IDS, newTestId, testRecord } from "./test-ports.ts";

/** What every store of records does. `create` is called before each test. */
export function testRecords(name: string, create: () => Promise<TwoProcesses>): void {
  describe(`records ${name}`, () => {
    test("a record is read in another process as it was created", async () => {
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

    test("of many changes of one revision, one is stored", async () => {
      const [here, there] = await create();
      const record = await here.records.create(testRecord());
      const tries = Array.from({ length: 20 }, (_, index) =>
        // The same content: a change is not successful because an equal one was.
        (index % 2 === 0 ? here : there).records.compareAndSet({ ...record, revision: 1, status: "expired" }),
      );
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    });

    test("a change of an outdated or unknown record is refused", async () => {
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

    test("ids of any characters and length are kept apart", async () => {
      const [here, there] = await create();
      for (const conversationId of ODD_IDS)
        await here.records.create(testRecord({ conversationId, user: { id: conversationId } }));
      for (const id of ODD_IDS) {
        const open = await there.records.listOpen(id, id);
        expect(open.map((record) => record.conversationId)).toEqual([id]);
        expect(await there.records.get(`${id}?`)).toBeUndefined();
      }
    });
  });
}

function idOf({ request }: ElicitationRecord): string {
  return request.elicitationId;
}
