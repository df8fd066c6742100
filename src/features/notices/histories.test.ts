import fc from "fast-check";
import { expect, test } from "vitest";
import { newTestId, testRecord } from "../../../test/stages/test-ports.ts";
import { createManualClock, promisesSettled } from "../../base/testing/manual-clock.ts";
import type { ElicitationRecord } from "../../runtime/ports/index.ts";
import { createMemoryRecords } from "../../runtime/request/memory-records.ts";
import { type WaitingNotice, createNotices } from "./notices.ts";

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const AFTER = 60 * SECOND;
const PER_HOUR = 3;
const USERS = ["ada", "bob"] as const;

const user = fc.constantFrom(...USERS);
const process = fc.constantFrom<0 | 1>(0, 1);
const step = fc.oneof(
  { arbitrary: fc.record({ do: fc.constant("ask" as const), user }), weight: 2 },
  fc.record({ do: fc.constant("end" as const), index: fc.nat(20) }),
  fc.record({ do: fc.constant("show" as const), user, process }),
  fc.record({ do: fc.constant("hide" as const), user }),
  {
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.constantFrom(SECOND, 20 * SECOND, AFTER, 5 * AFTER, HOUR),
    }),
    weight: 3,
  },
  fc.record({ do: fc.constant("die" as const), process }),
  fc.record({
    do: fc.constant("callback" as const),
    is: fc.constantFrom("good" as const, "failing" as const, "hanging" as const),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Two processes on one store. After a crash, a process runs no more timers or callbacks, and another process starts. */
function createWorld() {
  const clock = createManualClock();
  const store = createMemoryRecords({ clock });
  const asked: ElicitationRecord[] = [];
  const ended = new Set<string>();
  /** Which client of the user shows the request, since when, and in which process. */
  const shown = new Map<string, { readonly since: number; readonly by: object; readonly hide: () => void }>();
  const toldIn = new Map<string, string>();
  const firstTold = new Map<string, { readonly at: number; readonly userId: string }>();
  const delivered = new Set<string>();
  /** The notice of each user that is being sent: its process, and its requests that are still open. */
  const running = new Map<string, { readonly by: object; readonly open: Set<string> }>();
  let callback: "good" | "failing" | "hanging" = "good";

  function start() {
    const self = { isDead: false };
    const mine = {
      now: clock.now,
      after: (ms: number, act: () => void) => clock.after(ms, () => void (self.isDead || act())),
    };
    async function onWaiting({ id, user: { id: userId }, requests }: WaitingNotice): Promise<void> {
      const now = clock.now();
      expect(running.get(userId), "one notice of a user at a time").toBeUndefined();
      const showing = shown.get(userId);
      if (showing !== undefined)
        expect(now - showing.since, "not while it is shown").toBeLessThan(12 * SECOND);
      for (const { elicitationId } of requests) {
        expect(ended.has(elicitationId), "not after its end").toBe(false);
        expect(delivered.has(elicitationId), "not after it was told").toBe(false);
        expect(toldIn.get(elicitationId) ?? id, "under one id").toBe(id);
        toldIn.set(elicitationId, id);
      }
      if (!firstTold.has(id)) firstTold.set(id, { at: now, userId });
      const lately = [...firstTold.values()].filter((one) => one.userId === userId && one.at > now - HOUR);
      expect(lately.length, "a bound an hour").toBeLessThanOrEqual(PER_HOUR);
      const sending = { by: self, open: new Set(requests.map(({ elicitationId }) => elicitationId)) };
      running.set(userId, sending);
      const over = () => {
        if (running.get(userId) === sending) running.delete(userId);
      };
      if (callback === "hanging") {
        // A call is given up after 30 seconds.
        clock.after(30 * SECOND, over);
        return new Promise(() => {});
      }
      await promisesSettled();
      if (self.isDead) return new Promise(() => {});
      over();
      if (callback === "failing") throw new Error("not now");
    }
    // A crashed process writes nothing.
    const alive =
      <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
      (...args: Args) =>
        self.isDead ? new Promise<Result>(() => {}) : call(...args);
    const { postpone, claim, release: releaseIn } = store.notices!;
    /** If a process crashes before this, another one sends the notice again with the same id. */
    async function release(...[claimed, retryAt]: Parameters<typeof releaseIn>): Promise<void> {
      await releaseIn(claimed, retryAt);
      if (retryAt !== undefined) return;
      for (const { request } of claimed.records) delivered.add(request.elicitationId);
    }
    const notices = createNotices({
      records: { postpone: alive(postpone), claim: alive(claim), release: alive(release) },
      elicitations: { linkFor: () => undefined },
      assignments: { toldOf: async (record) => [record.user] },
      clock: mine,
      onWaiting: (notice) =>
        onWaiting(notice).catch((error: unknown) => {
          if (error instanceof Error && error.message !== "not now") failures.push(error);
          throw error;
        }),
      afterMs: AFTER,
      perHour: PER_HOUR,
      observer: { notice() {} },
      onError() {},
    });
    return { self, notices };
  }

  const failures: Error[] = [];
  const processes: [ReturnType<typeof start>, ReturnType<typeof start>] = [start(), start()];

  function hide(userId: string): void {
    shown.get(userId)?.hide();
    shown.delete(userId);
  }

  async function run(next: Step): Promise<void> {
    switch (next.do) {
      case "ask": {
        const now = clock.now();
        const times = { createdAt: now, expiresAt: now + 1000 * HOUR, noticeAt: now + AFTER };
        asked.push(await store.create(testRecord({ id: newTestId(), user: { id: next.user }, ...times })));
        break;
      }
      case "end": {
        const record = asked[next.index % Math.max(asked.length, 1)];
        if (record === undefined) break;
        ended.add(record.request.elicitationId);
        for (const [userId, { open }] of running) {
          open.delete(record.request.elicitationId);
          // A notice of which nothing is left holds back no other one.
          if (open.size === 0) running.delete(userId);
        }
        await store.compareAndSet({ ...record, revision: 1, status: "declined", endedAt: clock.now() });
        break;
      }
      case "show": {
        if (shown.has(next.user)) break;
        const { self, notices } = processes[next.process];
        shown.set(next.user, { since: clock.now(), by: self, hide: notices.showing.user(next.user) });
        break;
      }
      case "hide":
        hide(next.user);
        break;
      case "die": {
        const { self } = processes[next.process];
        self.isDead = true;
        for (const [userId, { by }] of running) if (by === self) running.delete(userId);
        for (const [userId, { by }] of shown) if (by === self) shown.delete(userId);
        processes[next.process] = start();
        break;
      }
      case "callback":
        callback = next.is;
        break;
      default:
        await clock.advanceAsync(next.ms);
    }
  }

  return {
    run,
    failures,
    async end() {
      callback = "good";
      for (const userId of USERS) hide(userId);
      await clock.advanceAsync(4 * HOUR);
      const open = asked.map(({ request }) => request.elicitationId).filter((id) => !ended.has(id));
      return open.filter((id) => !delivered.has(id));
    },
  };
}

test("in any history, each request is in one notice at a time, within the limit of notices, and no request is lost", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: "max" }), async (steps) => {
      const world = createWorld();
      for (const next of steps) await world.run(next);
      const lost = await world.end();
      expect(world.failures).toEqual([]);
      expect(lost).toEqual([]);
    }),
    { numRuns: Number(globalThis.process.env["FC_RUNS"] ?? 50) },
  );
});
