import { createHash } from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import { createManualClock } from "../../src/base/testing/manual-clock.ts";
import { createMemoryRecords } from "../../src/runtime/index.ts";
import type { ElicitationRecord } from "../../src/runtime/internal.ts";
import { createChatClient } from "../../test/stages/chat-client.ts";
import { testRecord } from "../../test/stages/test-ports.ts";
import { CITY, CONNECT, asking, createTestRuntime } from "../../test/stages/test-runtime.ts";
import { createMemoryDecisionLog } from "./memory-log.ts";
import { canonical } from "../../src/base/canonical.ts";
import { verifyDecisions } from "./verify.ts";

const DAY = 24 * 60 * 60 * 1000;
const OLDER =
  "this row of the anchor is older than the log keeps, so it can no longer be checked. Keep a newer anchor";

function setUp(options: Parameters<typeof createMemoryDecisionLog>[0] = {}) {
  const log = createMemoryDecisionLog(options);
  const records = log.watch(createMemoryRecords());
  async function asked(record: ElicitationRecord = testRecord()): Promise<ElicitationRecord> {
    return records.create(record);
  }
  return { log, records, asked };
}

test("a request that a user answers in the chat has two rows in the decision log", async () => {
  const { log, records } = setUp();
  const runtime = createTestRuntime(asking(CITY), { ports: { records } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const turn = await ada.send("c1");
  const { elicitationId } = await turn.request();
  await ada.answer("c1", { elicitationId, action: "accept", content: { city: "Rome" } });
  await turn.done;
  const rows = await log.read({ limit: 10 });
  const common = {
    elicitationId,
    conversationId: "c1",
    userId: "ada",
    mode: "form",
    tool: { id: "weather", name: "weather" },
  };
  expect(rows).toEqual([
    {
      ...common,
      event: "asked",
      seq: 1,
      previous: "0".repeat(64),
      at: new Date(runtime.clock.now()).toISOString(),
      expiresAt: new Date(runtime.clock.now() + 600_000).toISOString(),
      surface: "chat",
      turnId: expect.any(String),
      schemaDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
    {
      ...common,
      event: "accepted",
      seq: 2,
      previous: createHash("sha256").update(canonical(rows[0])).digest("hex"),
      at: new Date(runtime.clock.now()).toISOString(),
      by: "ada",
      through: "chat",
    },
  ]);
  expect(JSON.stringify(rows)).not.toMatch(/Rome|Where to/);
});

test("when a new message withdraws the open request, the decision log says so and names no user", async () => {
  const { log, records } = setUp();
  const runtime = createTestRuntime(asking(CITY), { ports: { records } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const before = await ada.send("c1");
  await before.request();
  const turn = await ada.send("c1");
  await turn.request();
  const withdrawn = (await log.read({ limit: 10 })).find(({ event }) => event === "withdrawn");
  expect(withdrawn).toMatchObject({ reason: "A new message was sent." });
  expect(withdrawn).not.toHaveProperty("by");
  await runtime.close();
});

test("the row of an answer through another surface names the kind of the surface", async () => {
  const { log, records } = setUp();
  const runtime = createTestRuntime(asking(CITY), { ports: { records } });
  const user = { id: "ada" };
  const turn = await runtime.surface("pager").start({
    user,
    conversationId: "c1",
    messages: [],
    supports: { url: true, form: true },
  });
  if ("refused" in turn) throw new Error(turn.refused);
  await expect.poll(() => turn.open()).toHaveLength(1);
  const [request] = await turn.open();
  const { elicitationId = "" } = request ?? {};
  await turn.rejectAnswer(elicitationId, "Two letters at least.");
  await turn.answer([{ elicitationId, action: "decline" }]);
  expect(
    (await log.read({ limit: 10 })).map(({ event, surface, by, through }) => ({
      event,
      surface,
      by,
      through,
    })),
  ).toEqual([
    { event: "asked", surface: "pager" },
    { event: "attempt-failed", by: "ada", through: "pager" },
    { event: "declined", by: "ada", through: "pager" },
  ]);
});

test("the row of an action by the application's server code names no user and no surface", async () => {
  const { log, records } = setUp();
  const runtime = createTestRuntime(asking(CONNECT), { ports: { records } });
  const ada = createChatClient(runtime.fetch, { user: "ada" });
  const { elicitationId } = await (await ada.send("c1")).request();
  await runtime.elicitations.fail(elicitationId, "The bank is closed.");
  runtime.clock.advance(1000);
  const tried = runtime.clock.now();
  await runtime.elicitations.retry(elicitationId, { through: "page" });
  await runtime.elicitations.complete(elicitationId);
  const rows = (await log.read({ limit: 10 })).slice(1);
  expect(rows.map(({ event, at, by, through }) => ({ event, at: Date.parse(at), by, through }))).toEqual([
    { event: "attempt-failed", at: tried - 1000 },
    { event: "consented", at: tried, by: "ada", through: "page" },
    { event: "accepted", at: tried },
  ]);
  expect(rows.filter((row) => "by" in row || "through" in row)).toHaveLength(1);
});

test("asking a request again adds no row to the decision log, and neither does a change that lost a race", async () => {
  const { log, records, asked } = setUp();
  const record = await asked();
  await asked({ ...record, vouchKey: "o".repeat(43) });
  const ended = { ...record, revision: 1, status: "expired", endedAt: record.expiresAt } as const;
  expect(await records.compareAndSet(ended)).toBe(true);
  expect(await records.compareAndSet(ended)).toBe(false);
  expect((await log.read({ limit: 10 })).map(({ event }) => event)).toEqual(["asked", "expired"]);
});

test("rows of the decision log can be read in pages, for one user, and for a time range", async () => {
  const { log, asked } = setUp();
  const start = Date.parse("2026-01-01T00:00:00Z");
  for (const day of [0, 1, 2, 3]) {
    await asked(testRecord({ createdAt: start + day * DAY, user: { id: day % 2 === 0 ? "ada" : "bob" } }));
  }
  const read = async (page: Partial<Parameters<typeof log.read>[0]>) =>
    (await log.read({ limit: 10, ...page })).map(({ seq }) => seq);
  expect(await read({ limit: 2 })).toEqual([1, 2]);
  expect(await read({ limit: 2, after: 2 })).toEqual([3, 4]);
  expect(await read({ userId: "bob" })).toEqual([2, 4]);
  expect(await read({ from: start + DAY, to: start + 3 * DAY })).toEqual([2, 3]);
});

test("old rows are removed from the start of the decision log, and the remaining rows can be verified", async () => {
  const clock = createManualClock(Date.parse("2026-03-01T00:00:00Z"));
  const { log, asked } = setUp({ clock, keepDays: 30 });
  for (const day of [40, 31, 10, 35, 1]) {
    await asked(testRecord({ createdAt: clock.now() - day * DAY }));
  }
  // The fourth row is old too, but a newer row stands before it.
  expect((await log.read({ limit: 10 })).map(({ seq }) => seq)).toEqual([3, 4, 5]);
  expect(await verifyDecisions(log)).toMatchObject({ ok: true, first: 3, seq: 5, rows: 3 });
  expect(await log.prune(clock.now())).toBe(3);
  expect(await verifyDecisions(log)).toMatchObject({ ok: true, first: 6, seq: 5, rows: 0 });
  await asked();
  expect(await verifyDecisions(log)).toMatchObject({ ok: true, first: 6, seq: 6, rows: 1 });
});

test("when the decision log has more rows than its limit, the oldest are removed", async () => {
  const { log, asked } = setUp({ limit: 3 });
  for (let count = 0; count < 8; count += 1) await asked();
  expect((await log.read({ limit: 10 })).map(({ seq }) => seq)).toEqual([6, 7, 8]);
  expect(await verifyDecisions(log)).toMatchObject({ ok: true, first: 6 });
});

test("verification with an anchor fails for a log that was written anew or has lost its last rows", async () => {
  const one = setUp();
  const other = setUp();
  for (const { asked } of [one, one, other, other, other]) await asked();
  const { seq, digest } = await one.log.head();
  expect(await verifyDecisions(one.log, { anchor: { seq, digest } })).toMatchObject({ ok: true });
  await one.asked();
  expect(await verifyDecisions(one.log, { anchor: { seq, digest } })).toMatchObject({ ok: true });
  expect(await verifyDecisions(other.log, { anchor: { seq, digest } })).toEqual({
    ok: false,
    seq: 2,
    problem: "this row is not the one of the anchor: the log was written anew",
  });
  const end = await one.log.head();
  expect(await verifyDecisions(setUp().log, { anchor: end })).toEqual({
    ok: false,
    seq: 1,
    problem: "the rows 1 to 3 are missing",
  });
  await one.log.prune(Number.POSITIVE_INFINITY);
  expect(await verifyDecisions(one.log, { anchor: end })).toMatchObject({ ok: true });
  expect(await verifyDecisions(one.log, { anchor: { seq, digest } })).toEqual({
    ok: false,
    seq: 2,
    problem: OLDER,
  });
});

test("verification reports that an anchor was not checked if its row was removed in the meantime", async () => {
  const start = Date.parse("2026-01-01T00:00:00Z");
  const { log, asked } = setUp();
  for (const day of [0, 1, 2, 3, 4, 5]) await asked(testRecord({ createdAt: start + day * DAY }));
  const [, , , third] = await log.read({ limit: 4 });
  const anchor = { seq: 3, digest: third?.previous ?? "" };
  const verify = async (digest: string, kept: number) => {
    const whole = await log.read({ limit: 10 });
    let isPruned = false;
    return verifyDecisions(
      {
        ...log,
        head: async () => ({ ...(await log.head()), first: isPruned ? kept : 1 }),
        async read({ after = 0, limit }) {
          isPruned ||= after > 0;
          const rows = isPruned ? whole.filter(({ seq }) => seq >= kept) : whole;
          return rows.filter(({ seq }) => seq > after).slice(0, Math.min(limit, 2));
        },
      },
      { anchor: { ...anchor, digest } },
    );
  };
  expect(await verify(anchor.digest, 4)).toMatchObject({ ok: true });
  expect(await verify("a".repeat(64), 4)).toMatchObject({ ok: false, seq: 3 });
  expect(await verify(anchor.digest, 5)).toEqual({ ok: false, seq: 3, problem: OLDER });
});

test.each([0, 0.5, -1, Number.NaN])(
  "the value %d is refused as a limit of rows and as a number of days",
  (number) => {
    expect(() => createMemoryDecisionLog({ limit: number })).toThrow(
      `elicit-kit: limit of createMemoryDecisionLog must be a number of rows from 1, but it is: ${number}.`,
    );
    if (number > 0) return;
    expect(() => createMemoryDecisionLog({ keepDays: number })).toThrow(
      `elicit-kit: keepDays of createMemoryDecisionLog must be a positive number of days, but it is: ${number}.`,
    );
  },
);

test("a row that could not be chained is chained when the decision log is read next", async () => {
  const { log, asked } = setUp({ limit: 1 });
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  // The first computed digest is that of the form.
  const mocked = vi.spyOn(crypto.subtle, "digest").mockImplementationOnce(digest);
  mocked.mockRejectedValueOnce(new Error("down"));
  onTestFinished(() => mocked.mockRestore());
  await asked();
  await expect.poll(() => mocked.mock.calls).toHaveLength(2);
  expect(await log.read({ limit: 10 })).toMatchObject([{ seq: 1, event: "asked" }]);
  expect(await verifyDecisions(log)).toMatchObject({ ok: true, rows: 1 });
});
