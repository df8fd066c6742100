import type { Database } from "../database/database.ts";
import { FREE, NOBODY, PARKED, connectionName, keyOf } from "../database/keys.ts";
import type { Row } from "../database/row.ts";
import { IS_DUE } from "../records/records.ts";
import {
  DEATHS,
  IS_DEAD,
  isOurs,
  isSurelyDead,
  STOP_MINE,
  STOP_NOBODYS,
  claimSql,
  stopOtherSql,
} from "./claim-sql.ts";

/** A run of a turn in this process, by the key of the turn. */
export interface MyRun {
  readonly key: string;
  readonly run: number;
}

/** SQL: the requests $2 are open. */
const WAITS = `(select count(*) from SCHEMA.records where id = any($2::text[]) and turn_id = $1 and is_open and not ${IS_DUE}) = cardinality($2::text[])`;

/** SQL: the turn to claim. */
const ONE = "turn_id = $2 and name = any($3::text[])";
/** SQL: what `look` reads. */
const SEEN = "turn_id, run, process = $2 as mine, coalesce(stop_reason, '') as reason";

/**
 * The rows of `runs`, as one process reads and writes them: each function is one statement. The state in memory belongs
 * to `createTurnClaims`.
 *
 * @param here the key of this process
 */
export function createRunRows(database: Database, here: string) {
  async function changes(text: string, values: readonly unknown[]): Promise<boolean> {
    return (await database.query(text, values)).length > 0;
  }

  return {
    /** Writes the row of a turn that begins here. If there is no row for it, another process has the turn. */
    async begin(name: string, turnId: string, version: string, input: unknown): Promise<Row | undefined> {
      const [row] = await database.query(
        `insert into SCHEMA.runs as r (turn_id, name, input, process, run, version) values ($1, $2, $3, $4, 1, $5)
         on conflict (turn_id) do update
           set name = excluded.name, input = excluded.input, process = excluded.process, run = 1, version = excluded.version
           where r.process = ${NOBODY} or (r.process = excluded.process and r.run <= 1)
         returning name, input, run, deaths, coalesce(stop_reason, '') as stop_reason`,
        [keyOf(turnId), name, JSON.stringify({ turnId, input }), here, version],
      );
      return row;
    },

    /**
     * Claims a turn that any process may run. `dead`: the process that has it and looks dead. A turn is claimed from such a
     * process after a second look only.
     */
    async claim(
      key: string,
      names: readonly string[],
      version: string,
      gone: readonly string[],
    ): Promise<{ readonly claimed?: Row; readonly dead?: string }> {
      const [row] = await database.query(
        `with claimed as (${claimSql(`${ONE} and process in (${FREE}, ${PARKED}) and deaths = 0 and ${isOurs("$6")}`)})
         select *, null as dead from claimed
         union all
         select '', '', 0, 0, '', process::text from SCHEMA.runs r where ${ONE} and process > ${PARKED} and process <> $1 and ${IS_DEAD}`,
        [here, key, names, null, version, gone],
      );
      if (row === undefined) return {};
      return row.isNull("dead") ? { claimed: row } : { dead: row.text("dead") };
    },

    /** Whether the turn still belongs to a process that has looked dead before, and no doubt is left. */
    isOfDead: (key: string, dead: string) =>
      changes(
        `select from SCHEMA.runs r where turn_id = $1 and process = $2 and ${isSurelyDead("$3", "$4")}`,
        [key, dead, here, connectionName(dead)],
      ),

    /** Claims a turn of a process that has looked dead before, if no doubt is left and the turn is not suspect. */
    async claimOfDead(
      key: string,
      names: readonly string[],
      version: string,
      dead: string,
      gone: readonly string[],
    ): Promise<Row | undefined> {
      const [row] = await database.query(
        claimSql(
          `${ONE} and process = $6 and ${DEATHS} = 0 and ${isOurs("$8")} and ${isSurelyDead("$1", "$7")}`,
        ),
        [here, key, names, null, version, dead, connectionName(dead), gone],
      );
      return row;
    },

    /** Claims a turn that no living process runs, only to stop it. */
    async claimToStop(
      key: string,
      names: readonly string[],
      version: string,
      reason: string,
    ): Promise<Row | undefined> {
      const [row] = await database.query(
        claimSql(`${ONE} and process <> ${NOBODY} and process <> $1 and ${IS_DEAD}`),
        [here, key, names, reason, version],
      );
      return row;
    },

    /** Reads the rows of these turns: whether this process still has each turn, its run, and why it is to stop. */
    look: (keys: readonly string[]) =>
      database.query(`select ${SEEN} from SCHEMA.runs where turn_id = any($1::text[])`, [keys, here]),

    /**
     * Notes that a turn which has waited works again, and now waits for `waits` answers. Returns what `look` reads, if this
     * process still has the turn. A statement that arrives after the next question changes nothing.
     */
    work: ({ key, run, waits }: MyRun & { readonly waits: number }) =>
      database.query(
        `update SCHEMA.runs
         set working = working or (select count(*) from SCHEMA.records where turn_id = $1 and is_open) <= $4
         where turn_id = $1 and process = $2 and run = $3 returning ${SEEN}`,
        [key, here, run, waits],
      ),

    /** Frees the turn, so that any process can claim it. */
    free: ({ key, run }: MyRun) =>
      database.query(
        `update SCHEMA.runs set process = ${FREE} where turn_id = $1 and process = $2 and run = $3`,
        [key, here, run],
      ),

    /** Frees all turns of this process, so that any process can claim them. */
    freeAll: () => database.query(`update SCHEMA.runs set process = ${FREE} where process = $1`, [here]),

    /** Deletes the turn and its recorded steps. */
    end: ({ key, run }: MyRun) =>
      database.query(
        `with ended as (delete from SCHEMA.runs where turn_id = $1 and process = $2 and run = $3 returning turn_id)
         delete from SCHEMA.steps where turn_id in (select turn_id from ended)`,
        [key, here, run],
      ),

    /** Resolves with `false` if another process has taken the turn. */
    stopMine: async ({ key, run }: MyRun, reason: string) =>
      !(await changes(STOP_MINE, [key, reason, here, run])),

    /** Resolves with `false` if no living process runs the turn. */
    stopOthers: (key: string, reason: string) => changes(stopOtherSql(database), [key, reason, here]),

    /** Marks a turn as stopped, so that no process begins it. Resolves with `false` if a process may run it. */
    stopNobodys: (key: string, reason: string) => changes(STOP_NOBODYS, [key, reason, here]),

    /** Parks a turn. Resolves with `false` if one of the requests `waits` is not open, or if it is to stop. */
    park: ({ key, run }: MyRun, waits: readonly string[]) =>
      changes(
        // Waits for an answer that is being stored, and sees it then.
        `with asked as (
           select id from SCHEMA.records where id = any($2::text[]) and turn_id = $1 and is_open and not ${IS_DUE}
           order by id for share
         )
         update SCHEMA.runs set process = ${PARKED}, deaths = 0
         where turn_id = $1 and process = $4 and run = $3 and stop_reason is null
           and (select count(*) from asked) = cardinality($2::text[]) returning turn_id`,
        [key, waits, run, here],
      ),

    /** Frees a parked turn whose request has ended. Resolves with `false` if it still waits. */
    freeAnswered: ({ key, run }: MyRun, waits: readonly string[]) =>
      changes(
        `update SCHEMA.runs set process = ${FREE}
         where turn_id = $1 and process in (${PARKED}, ${FREE}) and run = $3 and not (${WAITS}) returning turn_id`,
        [key, waits, run],
      ),
  };
}
