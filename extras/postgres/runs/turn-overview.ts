import type { TurnOverview } from "../../../src/runtime/internal.ts";
import type { Database } from "../database/database.ts";
import { PARKED, processName } from "../database/keys.ts";
import { IS_DEAD } from "./claim-sql.ts";

/** The largest number of processes to show. */
const MOST_PROCESSES = 100;

/** SQL that jumps from one process to the next in the index, however many turns each has. */
export const PROCESSES_SQL = `with recursive r as (
    (select process from SCHEMA.runs where process > ${PARKED} order by process limit 1)
    union all
    (select next.process from r cross join lateral (
       select process from SCHEMA.runs where process > r.process order by process limit 1
     ) as next)
  ), found as (select process from r limit ${MOST_PROCESSES}),
  listed as (select process from found union select $2::bigint)
  select r.process, not (${IS_DEAD}) as is_alive,
    (select count(*)::integer from (
       select from SCHEMA.runs where process = r.process limit $1
     ) as counted) as turns
  from listed r order by r.process`;

/** SQL for turns without a process: they are parked, or wait for a free process. */
export const PARKED_SQL = `select count(*)::integer as count from (
    select from SCHEMA.runs where process = ${PARKED} limit $1
  ) as counted`;

/** `here`: the key of this process. */
export async function turnOverview(database: Database, here: string, most: number): Promise<TurnOverview> {
  const rows = await database.query(PROCESSES_SQL, [most, here]);
  const [parked] = await database.query(PARKED_SQL, [most]);
  return {
    processes: rows.map((row) => {
      const key = row.text("process");
      return {
        id: processName(key),
        isAlive: row.flag("is_alive"),
        isHere: key === here,
        turns: row.number("turns"),
      };
    }),
    parked: parked?.number("count") ?? 0,
  };
}
