import { expect, test } from "vitest";
import { createTestDatabase, startPorts } from "../../../test/stages/postgres-database.ts";
import { testRecord } from "../../../test/stages/test-ports.ts";
import { PARKED_SQL, PROCESSES_SQL } from "../runs/turn-overview.ts";
import { OVERVIEW_SQL } from "./overview.ts";

const inSchema = (text: string) => text.replaceAll("SCHEMA", "elicit_kit");

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** The names of the tables and indexes that a plan reads, and how it reads them. */
function nodesOf(plan: Record<string, unknown>): string[] {
  const inner = Array.isArray(plan["Plans"]) ? plan["Plans"].flatMap(nodesOf) : [];
  const name = plan["Index Name"] ?? plan["Relation Name"];
  const rows = Number(plan["Actual Rows"]) * Number(plan["Actual Loops"]);
  return [...(name === undefined ? [] : [`${textOf(plan["Node Type"])} ${textOf(name)}: ${rows}`]), ...inner];
}

test("the operator page reads only as many rows as it shows, however many requests and turns there are", async () => {
  const { url, query } = await createTestDatabase();
  const { records, runner } = await startPorts(url);
  const others = Number(process.env["OPERATOR_OTHERS"] ?? 100_000);
  await query(
    `insert into elicit_kit.records (id, person, conversation, turn_id, revision, is_open, record, forget_at, notice_at)
     select 'other ' || n, 'person ' || n % 5000, 'conversation ' || n, 'turn ' || n, 0, n % 2 = 0, '{}',
       now() + interval '25 hours' + n * interval '1 ms', case when n % 2 = 0 then n end
     from generate_series(1, $1::integer) n`,
    [others],
  );
  await query(
    `insert into elicit_kit.runs (turn_id, name, input, process)
     select 'turn ' || n, 'x', '', case when n % 2 = 0 then 2 else 3 + n % 3 end
     from generate_series(1, $1::integer) n`,
    [others],
  );
  await records.create(testRecord());
  // Only pages without rows that a running statement may not see yet are read by an index alone.
  const pagesLeft = async (table: string) => {
    await query(`vacuum analyze elicit_kit.${table}`);
    const { rows } = await query(
      "select relpages - relallvisible as pages from pg_class where oid = $1::regclass",
      [`elicit_kit.${table}`],
    );
    return Number(rows[0]["pages"]);
  };
  for (const table of ["records", "runs"]) await expect.poll(() => pagesLeft(table)).toBe(0);

  const read = async (text: string, values: readonly unknown[]): Promise<string[]> => {
    const { rows } = await query(`explain (analyze, format json) ${inSchema(text)}`, [...values]);
    return nodesOf(rows[0]["QUERY PLAN"][0].Plan);
  };
  const plans = [
    await read(OVERVIEW_SQL.open, [25, null]),
    await read(OVERVIEW_SQL.open, [25, `other ${others / 2}`]),
    await read(OVERVIEW_SQL.ended, [25, null]),
    await read(OVERVIEW_SQL.ended, [25, `other ${others / 2 + 1}`]),
    await read(OVERVIEW_SQL.count, [1000]),
    await read(PROCESSES_SQL, [1000, "3"]),
    await read(PARKED_SQL, [1000]),
  ];
  // PostgreSQL looks its own database up in a small table.
  const nodes = plans.flat().filter((node) => !node.includes(" pg_"));
  expect(nodes.filter((node) => node.startsWith("Seq Scan"))).toEqual([]);
  // Turns of three processes are counted, up to 1000 for each.
  for (const node of nodes) expect.soft(Number(node.split(": ")[1]), node).toBeLessThanOrEqual(3100);
  expect(nodes.join("\n")).toContain("records_ended: 25");

  const { processes, parked } = await runner.overview!(1000);
  expect(parked).toBe(1000);
  expect(processes.filter(({ isAlive }) => isAlive)).toEqual([
    { id: expect.any(String), isAlive: true, isHere: true, turns: 0 },
  ]);
  expect(processes.map(({ turns }) => turns).toSorted((a, b) => a - b)).toEqual([0, 1000, 1000, 1000]);
  expect(await records.notices!.pending!(3)).toHaveLength(3);
});
