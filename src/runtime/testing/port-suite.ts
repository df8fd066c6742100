import { array, assert, asyncProperty, constantFrom, nat, oneof } from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ElicitationRecord,
  type ElicitationRecords,
  type TurnKey,
  type TurnStream,
  type TurnStreamEntry,
  type Waiter,
  discardChunk,
  withoutDiscarded,
} from "../core/index.ts";

/** What one process sees of the ports. */
export interface PortsOfProcess {
  readonly records: ElicitationRecords;
  readonly waiter: Waiter;
  readonly stream: TurnStream;
}

/** Two processes on the same state. */
export type TwoProcesses = readonly [PortsOfProcess, PortsOfProcess];

const { signal } = new AbortController();
const ROME = { outcome: "accepted", content: { city: "Rome" } } as const;

let count = 0;
/** Unlike any other id, also when several tests share one database. */
function newTestId(): string {
  count += 1;
  return `id-${process.pid}-${Date.now()}-${count}`;
}

export function testRecord(more: Partial<ElicitationRecord> & { id?: string } = {}): ElicitationRecord {
  const { id = newTestId(), ...rest } = more;
  const now = Date.now();
  return {
    revision: 0,
    request: {
      type: "elicitation-request",
      elicitationId: id,
      mode: "form",
      message: "Where to?",
      requestedSchema: { type: "object", properties: {} },
    },
    surface: "chat",
    turnId: newTestId(),
    conversationId: newTestId(),
    user: { id: "ada" },
    createdAt: now,
    expiresAt: now + 600_000,
    status: "pending",
    vouchKey: "k".repeat(43),
    ...rest,
  };
}

export function testTurn(more: Partial<TurnKey> = {}): TurnKey {
  return {
    turnId: newTestId(),
    conversationId: newTestId(),
    userId: "ada",
    surface: "chat",
    keepMs: 60_000,
    ...more,
  };
}

async function entriesOf(stream: TurnStream, turnId: string, live = false): Promise<TurnStreamEntry[]> {
  const entries: TurnStreamEntry[] = [];
  for await (const entry of stream.read(turnId, { live, signal })) entries.push(entry);
  return entries;
}

async function typesOf(stream: TurnStream, turnId: string, live = false): Promise<string[]> {
  return (await entriesOf(stream, turnId, live)).map(({ chunk }) => chunk.type);
}

/** Texts that a client may send as an id. */
const ODD_IDS = [
  "",
  "a b",
  "x\u0000y",
  "\ud800",
  "\udfff",
  "é",
  "🦊",
  "'; drop table x; --",
  "[]",
  "l".repeat(5000),
];

/** What every implementation of the ports does. `create` is called before each test. */
export function testPorts(name: string, create: () => Promise<TwoProcesses>): void {
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

  describe(`waiter ${name}`, () => {
    test("all waits in all processes get the first settlement, also those that start later", async () => {
      const [here, there] = await create();
      const id = newTestId();
      const waits = [here, there, here, there].map(({ waiter }) => waiter.wait(id, { signal }));
      await there.waiter.settle(id, ROME);
      await here.waiter.settle(id, { outcome: "declined" });
      waits.push(here.waiter.wait(id, { signal }), there.waiter.wait(id, { signal }));
      expect(await Promise.all(waits)).toEqual(waits.map(() => ROME));
    });

    test("of settlements at the same time, all waits get the same one", async () => {
      const [here, there] = await create();
      for (let round = 0; round < 5; round += 1) {
        const id = newTestId();
        const [first, ...others] = await Promise.all([
          here.waiter.wait(id, { signal }),
          there.waiter.wait(id, { signal }),
          there.waiter.settle(id, { outcome: "declined" }).then(() => here.waiter.wait(id, { signal })),
          here.waiter.settle(id, ROME).then(() => there.waiter.wait(id, { signal })),
        ]);
        expect(others).toEqual([first, first, first]);
      }
    });

    test("an aborted wait rejects with the reason, and the others go on", async () => {
      const [here, there] = await create();
      const id = newTestId();
      const impatient = new AbortController();
      const left = here.waiter.wait(id, { signal: impatient.signal });
      const stays = here.waiter.wait(id, { signal });
      impatient.abort(new Error("no longer needed"));
      await expect(left).rejects.toThrow("no longer needed");
      await expect(here.waiter.wait(id, { signal: impatient.signal })).rejects.toThrow("no longer needed");
      await there.waiter.settle(id, ROME);
      expect(await stays).toEqual(ROME);
    });

    test("a nudge reaches the listeners of its id in all processes, until they unsubscribe", async () => {
      const [here, there] = await create();
      const id = newTestId();
      const heard: string[] = [];
      const stop = here.waiter.onNudge(id, () => heard.push("here"));
      there.waiter.onNudge(id, () => heard.push("there"));
      here.waiter.onNudge(newTestId(), () => heard.push("another"));
      await there.waiter.nudge(id);
      await expect.poll(() => heard.toSorted()).toEqual(["here", "there"]);
      stop();
      await here.waiter.nudge(id);
      await expect.poll(() => heard.toSorted()).toEqual(["here", "there", "there"]);
    });
  });

  describe(`stream ${name}`, () => {
    test("a log is read in another process while it is written, to its end", async () => {
      const [here, there] = await create();
      const turn = testTurn();
      expect(await here.stream.open(turn, { replace: true })).toMatchObject({ status: "opened" });
      const lease = await here.stream.lease(turn.turnId);
      const reading = typesOf(there.stream, turn.turnId, true);
      const types = Array.from({ length: 30 }, (_, index) => `c${index}`);
      // Without waiting for one another: their order is that of the calls.
      const appended = types.map((type) => here.stream.append(turn.turnId, { type }, lease));
      await Promise.all(appended);
      expect(await typesOf(there.stream, turn.turnId)).toEqual(types);
      await here.stream.close(turn.turnId, lease);
      expect(await reading).toEqual(types);
      expect(await there.stream.get(turn.turnId)).toEqual({ ...turn, ended: true });
    });

    test("a log of many pages is read whole, and from any position", async () => {
      const [here, there] = await create();
      const turn = testTurn();
      await here.stream.open(turn, { replace: true });
      const lease = await here.stream.lease(turn.turnId);
      await Promise.all(
        Array.from({ length: 1000 }, (_, index) =>
          here.stream.append(turn.turnId, { type: `${index}` }, lease),
        ),
      );
      const seqs: number[] = [];
      for await (const { seq, chunk } of there.stream.read(turn.turnId, {
        after: 397,
        live: false,
        signal,
      })) {
        expect(chunk.type).toBe(`${seq}`);
        seqs.push(seq);
      }
      expect(seqs).toEqual(Array.from({ length: 602 }, (_, index) => index + 398));
      const late = Number.MAX_SAFE_INTEGER - 1;
      const ending = firstOf(there.stream.read(turn.turnId, { after: late, live: true, signal }));
      await here.stream.close(turn.turnId, lease);
      expect(await ending).toEqual({ done: true, value: undefined });
    });

    test("a reader that is aborted stops, also while it waits", async () => {
      const [here, there] = await create();
      const turn = testTurn();
      await here.stream.open(turn, { replace: true });
      const abort = new AbortController();
      const next = firstOf(there.stream.read(turn.turnId, { live: true, signal: abort.signal }));
      abort.abort();
      expect(await next).toEqual({ done: true, value: undefined });
    });

    test("an unknown turn has no log, no lease to lose, and takes no chunks", async () => {
      const [here] = await create();
      const lease = await here.stream.lease("unknown");
      expect(lease.lost.aborted).toBe(false);
      await here.stream.append("unknown", { type: "start" }, lease);
      await here.stream.close("unknown", lease);
      expect(await typesOf(here.stream, "unknown", true)).toEqual([]);
      expect(await here.stream.get("unknown\u0000")).toBeUndefined();
    });

    test("a chunk is stored as it is, whatever its characters", async () => {
      const [here, there] = await create();
      const turn = testTurn();
      await here.stream.open(turn, { replace: true });
      const lease = await here.stream.lease(turn.turnId);
      const chunk = {
        type: "text-delta",
        delta: "\u0000 \ud800 🦊 ' \\ \n",
        nested: { "\u0000": [1e300, null] },
      };
      await here.stream.append(turn.turnId, chunk, lease);
      for await (const entry of there.stream.read(turn.turnId, { live: false, signal })) {
        expect(entry).toEqual({ seq: 0, at: expect.any(Number), chunk });
        expect(Math.abs(entry.at - Date.now())).toBeLessThan(60_000);
      }
    });

    test("the last process that takes the lease writes; the one before loses it", async () => {
      const [here, there] = await create();
      const turn = testTurn();
      await here.stream.open(turn, { replace: true });
      const first = await here.stream.lease(turn.turnId);
      await here.stream.append(turn.turnId, { type: "a" }, first);
      const second = await there.stream.lease(turn.turnId);
      expect(second.fence).toBeGreaterThan(first.fence);
      await expect(here.stream.append(turn.turnId, { type: "late" }, first)).rejects.toThrow("taken over");
      // Whoever gets the error already knows why.
      expect(first.lost.aborted).toBe(true);
      expect(second.lost.aborted).toBe(false);
      await here.stream.close(turn.turnId, first);
      await there.stream.append(turn.turnId, { type: "b" }, second);
      await there.stream.close(turn.turnId, second);
      await there.stream.append(turn.turnId, { type: "late" }, second);
      expect(await typesOf(here.stream, turn.turnId, true)).toEqual(["a", "b"]);
    });

    test("what is taken back is gone, except data, and whoever has read it is told", async () => {
      const [here, there] = await create();
      const turn = testTurn();
      await here.stream.open(turn, { replace: true });
      const lease = await here.stream.lease(turn.turnId);
      const reading = entriesOf(there.stream, turn.turnId, true);
      for (const type of ["start", "start-step", "text\u0000", "data-note", "text-delta"])
        await here.stream.append(turn.turnId, { type }, lease);
      await here.stream.discard(turn.turnId, 1, lease);
      await here.stream.append(turn.turnId, { type: "finish" }, lease);
      await here.stream.close(turn.turnId, lease);
      const left = await entriesOf(here.stream, turn.turnId);
      expect(left.map(({ seq, chunk }) => [seq, chunk])).toEqual([
        [0, { type: "start" }],
        [3, { type: "data-note" }],
        [5, discardChunk(1)],
        [6, { type: "finish" }],
      ]);
      expect(withoutDiscarded(await reading)).toEqual(withoutDiscarded(left));
    });

    test("only the holder of the lease takes back entries, and only of an open turn", async () => {
      const [here, there] = await create();
      const turn = testTurn();
      await here.stream.open(turn, { replace: true });
      const first = await here.stream.lease(turn.turnId);
      await here.stream.append(turn.turnId, { type: "a" }, first);
      const second = await there.stream.lease(turn.turnId);
      await expect(here.stream.discard(turn.turnId, 0, first)).rejects.toThrow("taken over");
      expect(first.lost.aborted).toBe(true);
      await there.stream.close(turn.turnId, second);
      await there.stream.discard(turn.turnId, 0, second);
      await here.stream.discard("unknown", 0, first);
      expect(await typesOf(here.stream, turn.turnId)).toEqual(["a"]);
    });

    test("wherever entries are taken back, a reader who was there and one who comes later have the same", async () => {
      const [here, there] = await create();
      const step = oneof(
        constantFrom("start-step", "text-delta", "data-note").map((type) => ({ type })),
        nat({ max: 20 }).map((from) => ({ from })),
      );
      await assert(
        asyncProperty(array(step, { maxLength: 20 }), nat({ max: 20 }), async (steps, joinsAt) => {
          const turn = testTurn();
          await here.stream.open(turn, { replace: true });
          const lease = await here.stream.lease(turn.turnId);
          const readings = [entriesOf(here.stream, turn.turnId, true)];
          for (const [index, one] of steps.entries()) {
            if (index === joinsAt) readings.push(entriesOf(there.stream, turn.turnId, true));
            if ("from" in one) await here.stream.discard(turn.turnId, one.from, lease);
            else await here.stream.append(turn.turnId, one, lease);
          }
          await here.stream.close(turn.turnId, lease);
          const later = await entriesOf(there.stream, turn.turnId);
          const seqs = later.map(({ seq }) => seq);
          expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
          for (const reading of readings)
            expect(withoutDiscarded(await reading)).toEqual(withoutDiscarded(later));
        }),
        { numRuns: Number(process.env["FC_RUNS"] ?? 50) },
      );
    });

    test("a process that loses a lease learns of it without writing", async () => {
      const [here, there] = await create();
      const turn = testTurn();
      await here.stream.open(turn, { replace: true });
      const first = await here.stream.lease(turn.turnId);
      await there.stream.lease(turn.turnId);
      await expect.poll(() => first.lost.aborted).toBe(true);
    });

    test("of turns that open at once in a conversation, each learns which one it replaces", async () => {
      const [here, there] = await create();
      const conversationId = newTestId();
      const turns = Array.from({ length: 8 }, () => testTurn({ conversationId }));
      const opened = await Promise.all(
        turns.map((turn, index) => (index % 2 === 0 ? here : there).stream.open(turn, { replace: true })),
      );
      const before = opened.map((opening) => (opening.status === "opened" ? opening.before?.turnId : "none"));
      const last = await here.stream.find(conversationId, "ada");
      expect(new Set(before).size).toBe(turns.length);
      expect([...before, last].filter((id) => id !== undefined).toSorted()).toEqual(
        turns.map(({ turnId }) => turnId).toSorted(),
      );
    });

    test("with replace off, of turns that open at once, one opens", async () => {
      const [here, there] = await create();
      const conversationId = newTestId();
      const opened = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          (index % 2 === 0 ? here : there).stream.open(testTurn({ conversationId }), { replace: false }),
        ),
      );
      expect(opened.map(({ status }) => status).toSorted()).toEqual([...Array(5).fill("busy"), "opened"]);
    });

    test("of turns with the same startId, one opens, and the others get it", async () => {
      const [here, there] = await create();
      const startId = newTestId();
      const turns = Array.from({ length: 6 }, () => testTurn({ startId, ref: { thread: "t\u0000" } }));
      const opened = await Promise.all(
        turns.map((turn, index) => (index % 2 === 0 ? here : there).stream.open(turn, { replace: true })),
      );
      const [one] = turns.filter((_, index) => opened[index]?.status === "opened");
      expect(opened.filter(({ status }) => status === "opened")).toHaveLength(1);
      for (const opening of opened) {
        if (opening.status !== "opened") expect(opening).toEqual({ status: "started", turn: one });
      }
      expect(await here.stream.open(testTurn({ startId, surface: "other" }), { replace: true })).toEqual({
        status: "opened",
      });
      expect(await here.stream.open(testTurn({ startId, userId: "bob" }), { replace: true })).toEqual({
        status: "opened",
      });
    });

    test("after the time that it is kept, a turn is no longer found, and its startId is free", async () => {
      const [here, there] = await create();
      const turn = testTurn({ startId: newTestId(), keepMs: 40 });
      await here.stream.open(turn, { replace: true });
      const lease = await here.stream.lease(turn.turnId);
      await here.stream.append(turn.turnId, { type: "a" }, lease);
      await here.stream.close(turn.turnId, lease);
      await expect.poll(() => there.stream.get(turn.turnId)).toBeUndefined();
      expect(await there.stream.find(turn.conversationId, "ada")).toBeUndefined();
      expect(await typesOf(there.stream, turn.turnId, true)).toEqual([]);
      const again = testTurn({ startId: turn.startId, conversationId: turn.conversationId });
      expect(await there.stream.open(again, { replace: false })).toEqual({ status: "opened" });
      expect(await here.stream.find(turn.conversationId, "ada")).toBe(again.turnId);
    });

    test("a turn that is not kept disappears at its end, and those who read it get all of it", async () => {
      const [here, there] = await create();
      const turn = testTurn({ keepMs: 0 });
      await here.stream.open(turn, { replace: true });
      const lease = await here.stream.lease(turn.turnId);
      await here.stream.append(turn.turnId, { type: "a" }, lease);
      const reader = there.stream.read(turn.turnId, { live: true, signal })[Symbol.asyncIterator]();
      expect((await reader.next()).value).toMatchObject({ chunk: { type: "a" } });
      await here.stream.append(turn.turnId, { type: "b" }, lease);
      await here.stream.close(turn.turnId, lease);
      expect(await there.stream.get(turn.turnId)).toBeUndefined();
      expect((await reader.next()).value).toMatchObject({ chunk: { type: "b" } });
      expect((await reader.next()).done).toBe(true);
    });

    test("the kept turns of a user and surface are listed, the newest first, page by page", async () => {
      const [{ stream: one }, { stream: two }] = await create();
      const userId = newTestId();
      const mine = { userId, surface: "a2a", keepMs: 600_000 };
      const turns = Array.from({ length: 5 }, () => testTurn(mine));
      for (const turn of turns) await one.open(turn, { replace: false });
      for (const other of [{ surface: "mcp" }, { userId: newTestId() }, { keepMs: 0 }]) {
        await one.open(testTurn({ ...mine, ...other }), { replace: false });
      }
      const [first = mine, second = mine, third = mine, fourth = mine, fifth = mine] = turns;
      const { turnId } = testTurn(fourth);
      await one.close(turnId, await one.lease(turnId));
      expect(await two.list(userId, "a2a", { limit: 3 })).toEqual([
        { ...fifth, ended: false },
        { ...fourth, ended: true },
        { ...third, ended: false },
      ]);
      const rest = await two.list(userId, "a2a", { before: testTurn(third).turnId, limit: 3 });
      expect(rest).toMatchObject([second, first]);
      expect(await two.list(userId, "a2a", { before: newTestId(), limit: 3 })).toEqual([]);
    });

    test("an anonymous turn cannot be found by its conversation", async () => {
      const [here, there] = await create();
      const { userId: _, ...turn } = testTurn({ startId: newTestId() });
      await here.stream.open(turn, { replace: true });
      expect(await there.stream.get(turn.turnId)).toEqual({ ...turn, ended: false });
      expect(await here.stream.open({ ...turn, turnId: newTestId() }, { replace: false })).toEqual({
        status: "opened",
      });
      expect(await here.stream.find(turn.conversationId, "ada")).toBeUndefined();
    });

    test("conversations of any characters and length are kept apart", async () => {
      const [here, there] = await create();
      const turns = ODD_IDS.map((id) => testTurn({ conversationId: id, userId: `user of ${id}` }));
      for (const turn of turns) await here.stream.open(turn, { replace: true });
      for (const { conversationId, turnId } of turns) {
        expect(await there.stream.find(conversationId, `user of ${conversationId}`)).toBe(turnId);
      }
    });
  });
}

function idOf({ request }: ElicitationRecord): string {
  return request.elicitationId;
}

function firstOf<T>(entries: AsyncIterable<T>): Promise<IteratorResult<T>> {
  return entries[Symbol.asyncIterator]().next();
}
