import { array, assert, asyncProperty, constantFrom, nat, oneof } from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type TurnStream,
  type TurnStreamEntry,
  discardChunk,
  withoutDiscarded,
} from "../../src/runtime/internal.ts";
import { type TwoProcesses, ODD_IDS, newTestId, signal, testTurn } from "./test-ports.ts";

/** Tests for every log of turns. `create` is called before each test. */
export function testTurnStream(name: string, create: () => Promise<TwoProcesses>): void {
  describe(`the stream of ${name}`, () => {
    test("a log is read in another process while it is written, to its end", async () => {
      const [here, there] = await create();
      const turn = testTurn();
      expect(await here.stream.open(turn, { replace: true })).toMatchObject({ status: "opened" });
      const lease = await here.stream.lease(turn.turnId);
      const reading = typesOf(there.stream, turn.turnId, true);
      const types = Array.from({ length: 30 }, (_, index) => `c${index}`);
      // Without waiting for each other: their order is the order of the calls.
      const appended = types.map((type) => here.stream.append(turn.turnId, { type }, lease));
      await Promise.all(appended);
      expect(await typesOf(there.stream, turn.turnId)).toEqual(types);
      await here.stream.close(turn.turnId, lease);
      expect(await reading).toEqual(types);
      expect(await there.stream.get(turn.turnId)).toEqual({ ...turn, ended: true });
    });

    test("a log of many pages is read completely, and from any position", async () => {
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

    test("an aborted reader stops, even while it waits", async () => {
      const [here, there] = await create();
      const turn = testTurn();
      await here.stream.open(turn, { replace: true });
      const abort = new AbortController();
      const next = firstOf(there.stream.read(turn.turnId, { live: true, signal: abort.signal }));
      abort.abort();
      expect(await next).toEqual({ done: true, value: undefined });
    });

    test("an unknown turn has no log and no lease, and accepts no chunks", async () => {
      const [here] = await create();
      const lease = await here.stream.lease("unknown");
      expect(lease.lost.aborted).toBe(false);
      await here.stream.append("unknown", { type: "start" }, lease);
      await here.stream.close("unknown", lease);
      expect(await typesOf(here.stream, "unknown", true)).toEqual([]);
      expect(await here.stream.get("unknown\u0000")).toBeUndefined();
    });

    test("a chunk is stored unchanged, whatever its characters", async () => {
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

    test("only the last process that takes the lease can write", async () => {
      const [here, there] = await create();
      const turn = testTurn();
      await here.stream.open(turn, { replace: true });
      const first = await here.stream.lease(turn.turnId);
      await here.stream.append(turn.turnId, { type: "a" }, first);
      const second = await there.stream.lease(turn.turnId);
      expect(second.fence).toBeGreaterThan(first.fence);
      await expect(here.stream.append(turn.turnId, { type: "late" }, first)).rejects.toThrow("taken over");
      // The writer that gets the error already knows the reason.
      expect(first.lost.aborted).toBe(true);
      expect(second.lost.aborted).toBe(false);
      await expect(here.stream.close(turn.turnId, first)).rejects.toThrow("taken over");
      expect((await here.stream.get(turn.turnId))?.ended).toBe(false);
      await there.stream.append(turn.turnId, { type: "b" }, second);
      await there.stream.close(turn.turnId, second);
      await there.stream.append(turn.turnId, { type: "late" }, second);
      expect(await typesOf(here.stream, turn.turnId, true)).toEqual(["a", "b"]);
    });

    test("discarded text is removed, data stays, and readers of the text are notified", async () => {
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

    test("only the holder of the lease can discard entries, and only of an open turn", async () => {
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

    test("an early and a late reader get the same result, whatever is discarded", async () => {
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

    test("a process that loses a lease is notified even if it does not write", async () => {
      const [here, there] = await create();
      const turn = testTurn();
      await here.stream.open(turn, { replace: true });
      const first = await here.stream.lease(turn.turnId);
      await there.stream.lease(turn.turnId);
      await expect.poll(() => first.lost.aborted).toBe(true);
    });

    test("when several turns open in a conversation at once, each learns which one it replaces", async () => {
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

    test("without replacement, only one of several simultaneous turns opens", async () => {
      const [here, there] = await create();
      const conversationId = newTestId();
      const opened = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          (index % 2 === 0 ? here : there).stream.open(testTurn({ conversationId }), { replace: false }),
        ),
      );
      expect(opened.map(({ status }) => status).toSorted()).toEqual([...Array(5).fill("busy"), "opened"]);
    });

    test("of turns with the same startId, only one opens, and the others get that one", async () => {
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

    test("after its retention time a turn cannot be found, and its startId can be used again", async () => {
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

    test("a turn without retention disappears at its end, and its readers get all of it", async () => {
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

    test("the kept turns of a user and a surface are listed, newest first, page by page", async () => {
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
      const lease = await one.lease(turnId);
      await one.append(turnId, { type: "start" }, lease);
      await one.append(turnId, { type: "finish" }, lease);
      await one.close(turnId, lease);
      let at = 0;
      for await (const entry of one.read(turnId, { live: false, signal })) ({ at } = entry);
      expect(await two.list(userId, "a2a", { limit: 3 })).toEqual([
        { ...fifth, ended: false, at: 0 },
        { ...fourth, ended: true, at },
        { ...third, ended: false, at: 0 },
      ]);
      expect(at).toBeGreaterThan(0);
      const rest = await two.list(userId, "a2a", { before: testTurn(third).turnId, limit: 3 });
      expect(rest).toMatchObject([second, first]);
      expect(await two.list(userId, "a2a", { before: newTestId(), limit: 3 })).toEqual([]);
    });

    test("a turn knows the open turn that it replaced", async () => {
      const [here, there] = await create();
      const conversationId = newTestId();
      const make = () => testTurn({ conversationId });
      const [first, second, third] = [make(), make(), make()];
      for (const turn of [first, second]) await here.stream.open(turn, { replace: true });
      await here.stream.close(second.turnId, await here.stream.lease(second.turnId));
      await here.stream.open(third, { replace: true });
      expect((await there.stream.get(first.turnId))?.replaced).toBeUndefined();
      expect((await there.stream.get(second.turnId))?.replaced).toBe(first.turnId);
      expect((await there.stream.get(third.turnId))?.replaced).toBeUndefined();
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

    test("conversation ids with any characters and any length are distinguished", async () => {
      const [here, there] = await create();
      const turns = ODD_IDS.map((id) => testTurn({ conversationId: id, userId: `user of ${id}` }));
      for (const turn of turns) await here.stream.open(turn, { replace: true });
      for (const { conversationId, turnId } of turns) {
        expect(await there.stream.find(conversationId, `user of ${conversationId}`)).toBe(turnId);
      }
    });
  });
}

async function entriesOf(stream: TurnStream, turnId: string, live = false): Promise<TurnStreamEntry[]> {
  const entries: TurnStreamEntry[] = [];
  for await (const entry of stream.read(turnId, { live, signal })) entries.push(entry);
  return entries;
}

async function typesOf(stream: TurnStream, turnId: string, live = false): Promise<string[]> {
  return (await entriesOf(stream, turnId, live)).map(({ chunk }) => chunk.type);
}

function firstOf<T>(entries: AsyncIterable<T>): Promise<IteratorResult<T>> {
  return entries[Symbol.asyncIterator]().next();
}
