import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { verifyDecisions } from "../../audit/verify.ts";
import { writeRows } from "../../../test/stages/decision-rows.ts";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";

const decisionLog = {};

test("after processes were killed, the decision log has one row for each change of a record", async () => {
  const { url, query } = await createTestDatabase();
  const program = fileURLToPath(new URL("../../../test/durable/decisions-process.ts", import.meta.url));
  const start = () => spawn(process.execPath, [program], { env: { ...process.env, DATABASE_URL: url } });
  const children = [start(), start()] as const;
  onTestFinished(() => {
    for (const child of children) child.kill("SIGKILL");
  });
  await Promise.all(children.map((child) => once(child.stdout, "data")));
  const count = async () =>
    (await query("select count(*)::integer as n from elicit_kit.decisions")).rows[0].n;
  for (const child of children) {
    const before = await count();
    await expect.poll(count).toBeGreaterThan(before + 50);
    child.kill("SIGKILL");
    await once(child, "close");
  }
  // The server may still be executing statements of the killed processes.
  const active =
    "select from pg_stat_activity where application_name like 'elicit-kit%' and state = 'active'";
  await expect.poll(async () => (await query(active)).rows).toEqual([]);
  const { decisionLog: log, cleanUp } = await startPorts(url, { decisionLog });
  await cleanUp();
  expect(await verifyDecisions(log)).toMatchObject({ ok: true, waiting: 0 });
  const { rows: wrong } = await query(
    `select * from (select id, revision from elicit_kit.records) r
     full join (
       select entry::json ->> 'elicitationId' as id, count(*) as n from elicit_kit.decisions group by 1
     ) d using (id)
     where d.n is distinct from r.revision + 1`,
  );
  expect(wrong).toEqual([]);
});

test(
  "a decision log of 100,000 rows is verified in seconds",
  { tags: ["long"], timeout: 300_000 },
  async () => {
    const { url, query } = await createTestDatabase();
    const { decisionLog: log, cleanUp } = await startPorts(url, { decisionLog });
    await writeRows(query, 100_000, Date.now());
    await cleanUp();
    const start = performance.now();
    expect(await verifyDecisions(log)).toMatchObject({ ok: true, rows: 100_000 });
    const ms = performance.now() - start;
    console.log(`100,000 rows verified in ${Math.round(ms)} ms`);
    expect(ms).toBeLessThan(30_000);
  },
);
