import { DEATHS, IS_DEAD, claimSql, isHeld, isOurs } from "./claim-sql.ts";
import type { Database } from "../database/database.ts";
import { IS_DUE } from "../records/records.ts";
import type { Row } from "../database/row.ts";
import { FREE, PARKED } from "../database/keys.ts";

/** Finds turns that no process runs, in each sweep. */
export interface LostTurns {
  /** Notes which processes look dead, and which versions no process has. Call it once in each sweep. */
  look(): Promise<void>;
  /**
   * The versions that no process had in the last two sweeps. One look does not tell: after a restart of PostgreSQL, the
   * processes of a version may only be about to connect.
   */
  gone(): readonly string[];
  /**
   * Claims turns with one of these names for this version. No process runs them, and none of them is suspect. Turns that
   * do not wait come first. `areMore`: the claim was full, so there may be more.
   */
  claimLost(
    names: readonly string[],
    version: string,
  ): Promise<{ readonly rows: readonly Row[]; readonly areMore: boolean }>;
  /** Claims one suspect turn that the last sweep has found. The least suspect one comes first. */
  claimSuspect(names: readonly string[], version: string): Promise<readonly Row[]>;
  /** Forgets the result of the last sweep. Call it after a reconnection, because the next sweep follows at once. */
  forget(): void;
  /** Frees turns that this process has claimed without knowing it. `isHere` says whether it runs the turn with a key. */
  freeOrphans(isHere: (key: string) => boolean): Promise<void>;
}

/** The number of turns that one claim takes, so that the turns of a dead process do not all start at once. */
const CLAIMS = 100;

/** `here`: the key of this process. */
export function createLostTurns(database: Database, here: string): LostTurns {
  /**
   * Processes that looked dead in the last sweep. A process that only reconnects gets its lock back before the next
   * sweep.
   */
  let missing: ReadonlySet<string> = new Set();
  /** Processes that looked dead in the last two sweeps. */
  let dead: readonly string[] = [];
  /** Versions without a process in the last sweep. */
  let unheld: ReadonlySet<string> = new Set();
  let gone: readonly string[] = [];
  /** Claims of this process without a run in the last sweep, because the reply to the claim was lost. */
  let orphans: ReadonlySet<string> = new Set();

  async function look(): Promise<void> {
    const rows = await database.query(
      `select true as is_process, process::text as key
       from (select distinct process from SCHEMA.runs where process > ${PARKED} and process <> $1) as r where ${IS_DEAD}
       union all
       select false, version::text from (select distinct version from SCHEMA.runs) as r where not ${isHeld("r.version")}`,
      [here],
    );
    const found = (isProcess: boolean) =>
      rows.filter((row) => row.flag("is_process") === isProcess).map((row) => row.text("key"));
    const [processes, versions] = [found(true), found(false)];
    dead = processes.filter((process) => missing.has(process));
    missing = new Set(processes);
    gone = versions.filter((version) => unheld.has(version));
    unheld = new Set(versions);
  }

  async function claimLost(
    ...[names, version]: Parameters<LostTurns["claimLost"]>
  ): ReturnType<LostTurns["claimLost"]> {
    const due = await database.query(
      // Join before the limit: many due requests may belong to no parked turn.
      `update SCHEMA.runs r set process = ${FREE} where process = ${PARKED} and turn_id in (
         select o.turn_id from SCHEMA.records o join SCHEMA.runs p on p.turn_id = o.turn_id and p.process = ${PARKED}
         where o.is_open and ${IS_DUE} limit ${CLAIMS} for update of p skip locked
       ) returning turn_id`,
    );
    const rows = await database.query(
      claimSql(`turn_id in (
        select turn_id from SCHEMA.runs r
        where process = any($2::bigint[]) and name = any($3::text[]) and ${DEATHS} = 0 and ${isOurs("$6")}
        order by exists (select from SCHEMA.records o where o.turn_id = r.turn_id and o.is_open)
        limit ${CLAIMS} for update skip locked
      )`),
      [here, [...dead, FREE], names, null, version, gone],
    );
    return { rows, areMore: rows.length === CLAIMS || due.length === CLAIMS };
  }

  const claimSuspect = (names: readonly string[], version: string) =>
    database.query(
      claimSql(`turn_id in (
        select turn_id from SCHEMA.runs r
        where process = any($2::bigint[]) and name = any($3::text[]) and ${DEATHS} > 0 and ${isOurs("$6")}
        order by ${DEATHS} limit 1 for update skip locked
      )`),
      [here, [...dead, FREE], names, null, version, gone],
    );

  async function freeOrphans(isHere: (key: string) => boolean): Promise<void> {
    const rows = await database.query("select turn_id from SCHEMA.runs where process = $1", [here]);
    const found = rows.map((row) => row.text("turn_id")).filter((key) => !isHere(key));
    const known = found.filter((key) => orphans.has(key));
    orphans = new Set(found);
    if (known.length === 0) return;
    await database.query(
      `update SCHEMA.runs set process = ${FREE} where turn_id = any($1::text[]) and process = $2`,
      [known, here],
    );
  }

  function forget(): void {
    missing = new Set();
    dead = [];
    unheld = new Set();
    gone = [];
  }

  return { look, gone: () => gone, claimLost, claimSuspect, forget, freeOrphans };
}
