import { Pool } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createChatClient } from "../../../test/stages/chat-client.ts";
import { createFastClock } from "../../../test/stages/fast-clock.ts";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";
import { testRecord } from "../../../test/stages/test-ports.ts";
import { CITY, asking, createTestRuntime } from "../../../test/stages/test-runtime.ts";
import type { WaitingNotice } from "../../../src/runtime/index.ts";
import { createDatabase } from "../database/database.ts";
import { keyOf } from "../database/keys.ts";
import { createPostgresNotices } from "./notices.ts";

test("while one process shows a chat, another process sends no notice, until the chat is closed", async () => {
  const { url } = await createTestDatabase();
  const clock = createFastClock(20);
  const told: WaitingNotice[] = [];
  const start = async () => {
    const { errors, ...ports } = await startPorts(url);
    const onWaiting = (notice: WaitingNotice) => void told.push(notice);
    const runtime = createTestRuntime(asking(CITY), {
      ports: { ...ports, clock },
      notices: { onWaiting },
      timeToAnswer: { expiresInMs: 24 * 3_600_000 },
    });
    return { errors, runtime };
  };
  const [here, there] = [await start(), await start()];
  const stream = await createChatClient(here.runtime.fetch, { user: "ada" }).send("c1");
  const { elicitationId } = await stream.request();
  const reload = await createChatClient(there.runtime.fetch, { user: "ada" }).fetch(
    "/run/api/chat/c1/stream",
  );
  await stream.cancel();
  // Five times the delay of a notice for an absent user.
  await new Promise((resolve) => setTimeout(resolve, 15_000));
  expect(told).toEqual([]);
  await reload.body?.cancel();
  await expect.poll(() => told.length).toBe(1);
  expect(told[0]?.requests).toMatchObject([{ elicitationId }]);
  await Promise.all([here.runtime.close(), there.runtime.close()]);
  expect([here, there].flatMap(({ errors, runtime }) => [...errors, ...runtime.errors])).toEqual([]);
});

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
}

/** A store that can explain its last statement: which rows it reads, and how. */
async function explainable(
  url: string,
  query: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>,
) {
  const pool = new Pool({ connectionString: url });
  onTestFinished(() => pool.end());
  const database = createDatabase(pool, { schema: "elicit_kit" });
  let last: { text: string; values: unknown[] } = { text: "", values: [] };
  const notices = createPostgresNotices({
    ...database,
    async query(text, values = []) {
      last = { text: text.replaceAll("SCHEMA.", "elicit_kit."), values: [...values] };
      // Do not run the statement here: `explain` runs it once.
      return [];
    },
  });
  const nodesOf = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
  async function explain(call: () => Promise<unknown>) {
    await call();
    const { rows } = await query(`explain (analyze, buffers, format json) ${last.text}`, last.values);
    const [row] = rows as readonly { "QUERY PLAN": readonly { Plan: Plan }[] }[];
    const root = row!["QUERY PLAN"][0]!.Plan;
    const scans = nodesOf(root).filter(
      (node) => node["Node Type"] === "Seq Scan" && node["Relation Name"] === "records",
    );
    const removed = nodesOf(root).reduce((sum, node) => sum + (node["Rows Removed by Filter"] ?? 0), 0);
    return { scans: scans.length, blocks: root["Shared Hit Blocks"] + root["Shared Read Blocks"], removed };
  }
  return { notices, explain };
}

for (const { others, tags } of [
  { others: 20_000, tags: [] },
  { others: 1_000_000, tags: ["long"] },
]) {
  test(
    `among ${others} open requests, those with a due notice are found by reading a few database pages, and so is one to postpone`,
    { tags, timeout: 600_000 },
    async () => {
      const { url, query } = await createTestDatabase();
      const { records } = await startPorts(url);
      const now = Date.now();
      await query(
        `insert into elicit_kit.records (id, person, conversation, turn_id, revision, is_open, record, forget_at, notice_at)
       select 'other ' || n, 'person ' || n % 5000, 'conversation ' || n, 'turn ' || n, 0, true, '{}', now() + interval '1 day',
         case when n % 2 = 0 then $2::double precision + n end
       from generate_series(1, $1::integer) n`,
        [others, now + 30_000],
      );
      const asked = await records.create(testRecord({ user: { id: "ada" }, noticeAt: now + 1000 }));
      await query("analyze elicit_kit.records");
      const { notices, explain } = await explainable(url, query);
      const idle = await explain(() => notices.claim({ now, until: now + 60_000, perHour: 6, limit: 20 }));
      expect(idle).toMatchObject({ scans: 0, removed: 0 });
      expect(idle.blocks).toBeLessThan(10);
      const shown = { turnIds: ["turn 2", asked.turnId], userIds: ["ada", "nobody"] };
      const postponed = await explain(() =>
        notices.postpone(shown, { from: now + 10_000_000, until: now + 20_000_000 }),
      );
      expect(postponed).toMatchObject({ scans: 0 });
      expect(postponed.blocks).toBeLessThan(150);
      expect(await records.notices!.claim({ now: now + 1000, until: now, perHour: 6, limit: 1 })).toEqual([]);
    },
  );
}

test(
  "a notice to a group with 20,000 open requests has the oldest 100 and the number of the others",
  { tags: ["long"] },
  async () => {
    const { url, query } = await createTestDatabase();
    const { records } = await startPorts(url);
    const now = Date.now();
    const group = keyOf("support", "group");
    const template = testRecord({
      assigned: { to: { group: "support" }, name: "Support", from: "Ada", mayTakeBack: true },
    });
    await query(
      `insert into elicit_kit.records (id, person, conversation, turn_id, revision, is_open, record, forget_at, notice_at, assignee)
     select 'card ' || n, 'person ' || n, 'conversation ' || n, 'turn ' || n, 0, true,
       case when n % 6 = 0 then jsonb_set($2::jsonb, '{request,elicitationId}', to_jsonb(n))::text else '{}' end,
       now() + interval '2 days', $3::double precision, case when n % 6 = 0 then $1 end
     from generate_series(1, 120000) n`,
      [group, JSON.stringify(template), now - 1000],
    );
    // The others have got their notices.
    await query("update elicit_kit.records set notice_at = $1 where assignee is null", [now + 3_600_000]);
    await query("vacuum analyze elicit_kit.records");
    const times = { now, until: now + 60_000, perHour: 6, limit: 20 };
    const { notices, explainAll } = await noting(url, query);
    const [claim, ...others] = await notices.claim(times);
    expect(others).toEqual([]);
    expect(claim).toMatchObject({ tries: 1, count: 20_000 });
    expect(claim?.records.map(({ request }) => request.elicitationId)).toEqual(
      Array.from({ length: 100 }, (_, index) => 6 * (index + 1)),
    );
    expect(await explainAll()).toEqual([]);
    // The claim holds all of them: nobody gets a second notice, and the next try has the same id.
    expect(await notices.claim(times)).toEqual([]);
    const later = { ...times, now: now + 61_000, until: now + 120_000 };
    expect(await records.notices!.claim(later)).toMatchObject([{ id: claim?.id, tries: 2, count: 20_000 }]);
    await notices.release(claim!);
    const { rows } = await query(
      "select from elicit_kit.records where assignee is not null and notice_at is not null",
    );
    expect(rows).toHaveLength(0);
  },
);

/** A store of notices, and what reads the whole table or sorts many rows in the statements of its transactions. */
async function noting(
  url: string,
  query: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>,
) {
  const pool = new Pool({ connectionString: url });
  onTestFinished(() => pool.end());
  const database = createDatabase(pool, { schema: "elicit_kit" });
  const sent: { readonly text: string; readonly values: readonly unknown[] }[] = [];
  const notices = createPostgresNotices({
    ...database,
    transaction: (work) =>
      database.transaction((run) =>
        work(async (text, values = []) => {
          sent.push({ text: text.replaceAll("SCHEMA.", "elicit_kit."), values });
          return run(text, values);
        }),
      ),
  });
  async function explainAll(): Promise<readonly string[]> {
    const slow: string[] = [];
    await query("begin");
    for (const { text, values } of sent.splice(0)) {
      const { rows } = await query(`explain (analyze, buffers) ${text}`, [...values]);
      const plan = (rows as readonly { "QUERY PLAN": string }[]).map((row) => row["QUERY PLAN"]).join("\n");
      if (/Seq Scan on records|Sort Method: external|temp read/.test(plan)) slow.push(plan);
    }
    await query("rollback");
    return slow;
  }
  return { notices, explainAll };
}
