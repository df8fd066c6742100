import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { verifyDecisions } from "../../audit/verify.ts";
import type { ElicitationRecord } from "../../../src/runtime/internal.ts";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { writeRows } from "../../../test/stages/decision-rows.ts";
import { createTestDatabase, startPorts, untilReplied } from "../../../test/stages/postgres-database.ts";
import { createSqlProxy } from "../../../test/stages/sql-proxy.ts";
import { ODD_IDS, testRecord } from "../../../test/stages/test-ports.ts";
import { CITY, CONNECT, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";

const DAY = 24 * 60 * 60 * 1000;
/** More rows than any test writes. */
const ALL = { limit: 10_000 };
const BY_ADA = { userId: "ada", through: "chat", at: Date.now() };
const decisionLog = {};

/** Erases content. Returns the number of changed rows. */
async function erase(
  query: Awaited<ReturnType<typeof createTestDatabase>>["query"],
  table: "decisions" | "waiting_decisions",
  userId: string,
): Promise<number | null> {
  const { rowCount } = await query(
    `update elicit_kit.${table} set sealed = null where entry::json ->> 'userId' = '${userId}' and sealed is not null`,
  );
  return rowCount;
}

function ended(record: ElicitationRecord): ElicitationRecord {
  return {
    ...record,
    revision: record.revision + 1,
    status: "declined",
    endedAt: BY_ADA.at,
    changedBy: BY_ADA,
  };
}

test("without the option decisionLog, no rows are written", async () => {
  const { url, query } = await createTestDatabase();
  const { records, decisionLog: log, cleanUp } = await startPorts(url);
  await records.compareAndSet(ended(await records.create(testRecord())));
  await cleanUp();
  expect(await log.head()).toMatchObject({ seq: 0, waiting: 0 });
  expect((await query("select from elicit_kit.waiting_decisions")).rows).toEqual([]);
});

test("two processes write one decision log, and the rows of each request keep their order", async () => {
  const { url } = await createTestDatabase();
  const ports = [await startPorts(url, { decisionLog }), await startPorts(url, { decisionLog })] as const;
  const [here, there] = ports.map((each) => createTestRuntime(asking(CITY), { ports: each }));
  const ask = async (index: number) => {
    const asker = createChatClient(here!.fetch, { user: "ada" });
    const answerer = createChatClient(there!.fetch, { user: "ada" });
    const turn = await asker.send(`c${index}`);
    const { elicitationId } = await turn.request();
    await answerer.answer(`c${index}`, { elicitationId, action: "accept", content: { city: "Rome" } });
    await turn.done;
  };
  await Promise.all(Array.from({ length: 20 }, (_, index) => ask(index)));
  const { decisionLog: log } = ports[0];
  await expect.poll(async () => (await log.head()).seq).toBe(40);
  const rows = await log.read(ALL);
  expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  const ids = new Set(rows.map(({ elicitationId }) => elicitationId));
  expect(ids.size).toBe(20);
  for (const id of ids) {
    const life = rows.filter(({ elicitationId }) => elicitationId === id);
    expect(life.map(({ event, by, through }) => ({ event, by, through }))).toEqual([
      { event: "asked" },
      { event: "accepted", by: "ada", through: "chat" },
    ]);
  }
  expect(await verifyDecisions(log)).toMatchObject({ ok: true, rows: 40, waiting: 0 });
  expect(JSON.stringify(rows)).not.toMatch(/Rome|Where to/);
  await Promise.all([here!.close(), there!.close()]);
});

test("an attempt that the application reports as failed has a row without a user", async () => {
  const { url } = await createTestDatabase();
  const ports = await startPorts(url, { decisionLog });
  const runtime = createTestRuntime(asking(CONNECT), { ports });
  const turn = await createChatClient(runtime.fetch, { user: "ada" }).send("c1");
  const { elicitationId } = await turn.request();
  await runtime.elicitations.fail(elicitationId, "The bank is closed.");
  await runtime.elicitations.complete(elicitationId);
  await turn.done;
  await expect.poll(async () => (await ports.decisionLog.head()).seq).toBe(3);
  const rows = await ports.decisionLog.read(ALL);
  expect(rows.map(({ event }) => event)).toEqual(["asked", "attempt-failed", "accepted"]);
  expect(rows.filter((row) => "by" in row || "through" in row)).toEqual([]);
  await runtime.close();
});

test("ids in the decision log may have any characters, and rows can be found by user and time", async () => {
  const { url } = await createTestDatabase();
  const { records, decisionLog: log, cleanUp } = await startPorts(url, { decisionLog });
  const start = Date.parse("2026-01-01T00:00:00Z");
  for (const [day, id] of ODD_IDS.entries()) {
    await records.create(testRecord({ user: { id }, conversationId: id, createdAt: start + day * DAY }));
  }
  await cleanUp();
  for (const id of ODD_IDS) {
    expect((await log.read({ ...ALL, userId: id })).map(({ userId }) => userId)).toEqual([id]);
  }
  const some = await log.read({ ...ALL, from: start + DAY, to: start + 3 * DAY });
  expect(some.map(({ seq }) => seq)).toEqual([2, 3]);
  expect((await log.read({ after: 2, limit: 2 })).map(({ seq }) => seq)).toEqual([3, 4]);
  expect(await verifyDecisions(log)).toMatchObject({ ok: true, rows: ODD_IDS.length });
});

test.each([
  ["creating a record", /insert into .*records/s],
  ["changing a record", /update .*records/s],
])("%s adds one row, even if the reply of the database is lost", async (_, statement) => {
  const { url } = await createTestDatabase();
  const proxy = await createSqlProxy(url);
  const ports = await startPorts(proxy.url, { directConnectionString: url, decisionLog });
  proxy.loseReplyTo(statement);
  const record = await ports.records.create(testRecord());
  expect(await ports.records.compareAndSet(ended(record))).toBe(true);
  expect(await ports.records.compareAndSet(ended(record))).toBe(false);
  await ports.cleanUp();
  expect((await ports.decisionLog.read(ALL)).map(({ event }) => event)).toEqual(["asked", "declined"]);
});

test("when several processes change the same revision of a record, the log has one row", async () => {
  const { url } = await createTestDatabase();
  const [here, there] = [await startPorts(url, { decisionLog }), await startPorts(url, { decisionLog })];
  const record = await here.records.create(testRecord());
  const tries = Array.from({ length: 20 }, (_, index) =>
    (index % 2 === 0 ? here : there).records.compareAndSet(ended(record)),
  );
  expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
  await here.cleanUp();
  expect((await there.decisionLog.read(ALL)).map(({ event }) => event)).toEqual(["asked", "declined"]);
});

test("a change that is rolled back adds no row", async () => {
  const { url, query } = await createTestDatabase();
  const { records, decisionLog: log, cleanUp } = await startPorts(url, { decisionLog, retryForMs: 0 });
  const record = await records.create(testRecord());
  await query("alter table elicit_kit.settlements add constraint full_disk check (false)");
  await expect(records.compareAndSet(ended(record), { outcome: "declined" })).rejects.toBeInstanceOf(Error);
  await cleanUp();
  expect((await log.read(ALL)).map(({ event }) => event)).toEqual(["asked"]);
  expect(await records.get(record.request.elicitationId)).toEqual(record);
});

test("a row of the decision log that is committed late is chained after rows with higher numbers, and none is lost", async () => {
  const { url, query } = await createTestDatabase();
  const { records, decisionLog: log, cleanUp } = await startPorts(url, { decisionLog });
  await query("begin");
  await writeRows(query, 1, Date.now());
  await records.create(testRecord({ id: "early" }));
  await cleanUp();
  expect((await log.read(ALL)).map(({ elicitationId }) => elicitationId)).toEqual(["early"]);
  await query("commit");
  await cleanUp();
  expect((await log.read(ALL)).map(({ elicitationId }) => elicitationId)).toEqual(["early", "e1"]);
  expect(await verifyDecisions(log)).toMatchObject({ ok: true, rows: 2 });
});

test("rows of the decision log wait while no process chains them, and verification reports how many", async () => {
  const { url } = await createTestDatabase();
  const ports = await startPorts(url, { decisionLog, sweepMs: 3_600_000 });
  for (let count = 0; count < 3; count += 1) await ports.records.create(testRecord());
  expect(await verifyDecisions(ports.decisionLog)).toMatchObject({ ok: true, rows: 0, waiting: 3 });
  // The process dies, and another process chains its rows.
  const other = await startPorts(url, { decisionLog });
  await expect.poll(async () => (await other.decisionLog.head()).waiting).toBe(0);
  expect(await verifyDecisions(other.decisionLog)).toMatchObject({ ok: true, rows: 3, waiting: 0 });
});

test("when many processes chain rows at once, there is one chain", async () => {
  const { url, query } = await createTestDatabase();
  const ports = await Promise.all([1, 2, 3].map(() => startPorts(url, { decisionLog, sweepMs: 20 })));
  for (let round = 0; round < 5; round += 1) {
    await writeRows(query, 400, Date.now());
    await Promise.all(
      ports.map(({ records, cleanUp }) => {
        const record = testRecord();
        return Promise.all([untilReplied(() => records.create(record)), cleanUp()]);
      }),
    );
  }
  const { decisionLog: log, cleanUp } = ports[1]!;
  await cleanUp();
  expect(await verifyDecisions(log)).toMatchObject({ ok: true, first: 1, seq: 2015, rows: 2015, waiting: 0 });
  expect(ports.flatMap(({ errors }) => errors)).toEqual([]);
});

test(
  "rows older than keepDays are removed from the decision log while others write, and the rest can be verified",
  { tags: ["long"] },
  async () => {
    const { url, query } = await createTestDatabase();
    const ports = await startPorts(url, { decisionLog: { keepDays: 30 }, sweepMs: 3_600_000 });
    const { records, decisionLog: log, cleanUp, clock } = ports;
    await writeRows(query, 2500, clock.now() - 31 * DAY);
    for (const days of [29, 40, 1]) await writeRows(query, 1, clock.now() - days * DAY);
    const others = Promise.all(Array.from({ length: 20 }, () => records.create(testRecord())));
    await Promise.all([others, cleanUp(), cleanUp()]);
    await cleanUp();
    // The row that is 40 days old stands after a newer row.
    expect(await log.head()).toMatchObject({ first: 2501, seq: 2523, waiting: 0 });
    expect(await verifyDecisions(log)).toMatchObject({ ok: true, first: 2501, seq: 2523, rows: 23 });
    expect(ports.errors).toEqual([]);
  },
);

test("a decision log whose oldest rows were not removed by its own pruning is broken, also after the next pruning", async () => {
  const { url, query } = await createTestDatabase();
  const ports = await startPorts(url, { decisionLog: { keepDays: 30 }, sweepMs: 3_600_000 });
  const { decisionLog: log, cleanUp, clock } = ports;
  const daysAgo = (days: number) => clock.now() - days * DAY;
  for (const days of [50, 40, 20, 10, 1]) await writeRows(query, 1, daysAgo(days));
  await cleanUp();
  expect(await verifyDecisions(log)).toMatchObject({ ok: true, first: 3, seq: 5 });
  await query("delete from elicit_kit.decisions where seq = 3");
  await query("update elicit_kit.decisions_end set first = 4");
  const problem = {
    ok: false,
    seq: 4,
    problem: "the rows before this one were removed, and no proof under this key says that pruning did it",
  };
  expect(await verifyDecisions(log)).toEqual(problem);
  await log.prune(daysAgo(5));
  expect(await verifyDecisions(log)).toEqual({ ...problem, seq: 5 });
  // Once nothing is left, too.
  await log.prune(clock.now() + DAY);
  expect(await verifyDecisions(log)).toEqual({ ...problem, seq: 6 });
  expect(ports.errors).toEqual([]);
});

test("the proof of an earlier pruning, or of another log, proves nothing", async () => {
  const { url, query } = await createTestDatabase();
  const { decisionLog: log, cleanUp, clock } = await startPorts(url, { decisionLog, sweepMs: 3_600_000 });
  for (const days of [50, 40, 30, 20]) await writeRows(query, 1, clock.now() - days * DAY);
  await cleanUp();
  await query("create table proofs as select pruned from elicit_kit.decisions_end with no data");
  for (const days of [45, 35]) {
    await log.prune(clock.now() - days * DAY);
    await query("insert into proofs select pruned from elicit_kit.decisions_end");
  }
  expect(await verifyDecisions(log)).toMatchObject({ ok: true, first: 3 });
  await query("update elicit_kit.decisions_end set pruned = (select pruned from proofs limit 1)");
  expect(await verifyDecisions(log)).toMatchObject({ ok: false, seq: 3 });
  await query("update elicit_kit.decisions_end set pruned = null");
  expect(await verifyDecisions(log)).toMatchObject({ ok: false, seq: 3 });
});

test("a decision log needs its key to be pruned, and to prove that rows were pruned", async () => {
  const { url, query } = await createTestDatabase();
  const ports = await startPorts(url, { decisionLog, sweepMs: 3_600_000 });
  await writeRows(query, 2, ports.clock.now() - 50 * DAY);
  await ports.cleanUp();
  await ports.decisionLog.prune(ports.clock.now());
  expect(await verifyDecisions(ports.decisionLog)).toMatchObject({ ok: true, isStartProven: true });
  const { decisionLog: log } = await startPorts(url, { key: undefined });
  expect(await verifyDecisions(log)).toMatchObject({ ok: true, first: 3, isStartProven: false });
  await expect(log.prune(ports.clock.now())).rejects.toThrow(/^elicit-kit: .* needs a key/);
});

test.each<[string, string, { seq: number; problem: string }]>([
  [
    "a changed row",
    "update elicit_kit.decisions set entry = replace(entry, '\"ada\"', '\"eve\"') where seq = 3",
    { seq: 3, problem: "this row was changed, or the digest that row 4 has of it" },
  ],
  [
    "a changed last row",
    "update elicit_kit.decisions set entry = replace(entry, '\"ada\"', '\"eve\"') where seq = 6",
    { seq: 6, problem: "this row was changed" },
  ],
  [
    "a removed row",
    "delete from elicit_kit.decisions where seq in (3, 4)",
    { seq: 3, problem: "the rows 3 to 4 are missing" },
  ],
  [
    "a removed first row",
    "delete from elicit_kit.decisions where seq = 1",
    { seq: 1, problem: "this row is missing" },
  ],
  [
    "a removed last row",
    "delete from elicit_kit.decisions where seq = 6",
    { seq: 6, problem: "this row is missing" },
  ],
  ["an emptied log", "delete from elicit_kit.decisions", { seq: 1, problem: "the rows 1 to 6 are missing" }],
  [
    "two rows that changed places",
    "update elicit_kit.decisions d set entry = o.entry from elicit_kit.decisions o where d.seq in (2, 5) and o.seq = 7 - d.seq",
    { seq: 2, problem: "this row was changed, or the digest that row 3 has of it" },
  ],
  [
    "changed content",
    "update elicit_kit.decisions set sealed = sealed || 'x' where seq = 2",
    { seq: 2, problem: "this row was changed, or the digest that row 3 has of it" },
  ],
  [
    "a row that is hidden from the exports of its user",
    "update elicit_kit.decisions set person = 'eve' where seq = 2",
    { seq: 2, problem: "this row was changed, or the digest that row 3 has of it" },
  ],
  [
    "a row that is hidden from the exports of its time",
    "update elicit_kit.decisions set at = at - interval '1 day' where seq = 2",
    { seq: 2, problem: "this row was changed, or the digest that row 3 has of it" },
  ],
])("verification finds %s", async (_, tamper, found) => {
  const { url, query } = await createTestDatabase();
  const { records, decisionLog: log, cleanUp } = await startPorts(url, { decisionLog: { content: true } });
  for (let count = 0; count < 6; count += 1) await records.create(testRecord());
  await cleanUp();
  await query(tamper);
  expect(await verifyDecisions(log)).toEqual({ ok: false, ...found });
});

test("verification fails with an error if the row that marks the end of the log is missing", async () => {
  const { url, query } = await createTestDatabase();
  const { records, decisionLog: log, cleanUp } = await startPorts(url, { decisionLog });
  await records.create(testRecord());
  await cleanUp();
  await query("delete from elicit_kit.decisions_end");
  await expect(verifyDecisions(log)).rejects.toThrow(/^elicit-kit: .*decisions_end/);
  // Without the end, no rows can be chained. The process that cleans up reports that.
  await expect(cleanUp()).rejects.toThrow(/^elicit-kit: .*decisions_end/);
});

test("the content of questions and answers is stored only encrypted, and can be erased", async () => {
  const { url, query } = await createTestDatabase();
  const { records, decisionLog: log, cleanUp } = await startPorts(url, { decisionLog: { content: true } });
  const record = await records.create(testRecord());
  const settlement = { outcome: "declined", note: "Rather not." } as const;
  await records.compareAndSet(ended(record), settlement);
  await cleanUp();
  const schema = { type: "object", properties: {} };
  expect((await log.read({ ...ALL, content: true })).map(({ content }) => content)).toEqual([
    { message: "Where to?", requestedSchema: schema },
    { note: "Rather not." },
  ]);
  const { rows } = await query("select entry || encode(sealed, 'escape') as all from elicit_kit.decisions");
  expect(JSON.stringify(rows)).not.toMatch(/Where|Rather/);
  const key = Buffer.alloc(32, 1).toString("base64");
  const stranger = await startPorts(url, { key });
  await expect(stranger.decisionLog.read({ ...ALL, content: true })).rejects.toThrow(
    /^elicit-kit: .*another key/,
  );
  expect(await erase(query, "decisions", "bob")).toBe(0);
  expect(await erase(query, "decisions", "ada")).toBe(2);
  expect((await log.read({ ...ALL, content: true })).map((row) => "content" in row)).toEqual([false, false]);
  expect(await verifyDecisions(log)).toMatchObject({ ok: true, rows: 2 });
});

test("the content of rows that are not chained yet can be erased, too", async () => {
  const { url, query } = await createTestDatabase();
  const options = { decisionLog: { content: true }, sweepMs: 3_600_000 };
  const { records, decisionLog: log, cleanUp } = await startPorts(url, options);
  await records.create(testRecord());
  expect(await erase(query, "waiting_decisions", "bob")).toBe(0);
  expect(await erase(query, "waiting_decisions", "ada")).toBe(1);
  await cleanUp();
  expect((await log.read({ ...ALL, content: true })).map((row) => "content" in row)).toEqual([false]);
  expect(await verifyDecisions(log)).toMatchObject({ ok: true, rows: 1 });
});

test("a row that the database stores late is chained", async () => {
  const { url, query } = await createTestDatabase();
  const { records, decisionLog: log } = await startPorts(url, { decisionLog, sweepMs: 20 });
  await query("begin");
  await query("lock table elicit_kit.waiting_decisions in share mode");
  const created = records.create(testRecord());
  await sleep(2000);
  await query("commit");
  await created;
  await expect.poll(async () => await log.head()).toMatchObject({ seq: 1, waiting: 0 });
});

test.each<[string, Parameters<typeof startPorts>[1], RegExp]>([
  [
    "content without a key",
    { decisionLog: { content: true }, key: undefined },
    /^elicit-kit: decisionLog.content .* needs a key/,
  ],
  [
    "keepDays without a key",
    { decisionLog: { keepDays: 30 }, key: undefined },
    /^elicit-kit: decisionLog.keepDays .* needs a key/,
  ],
  [
    "keepDays of 0",
    { decisionLog: { keepDays: 0 } },
    /^elicit-kit: decisionLog.keepDays .* positive number of days, but it is: 0/,
  ],
])("the database ports refuse a decision log with %s", async (_, options, words) => {
  const { url } = await createTestDatabase();
  await expect(startPorts(url, options)).rejects.toThrow(words);
});
