import type { Database } from "../database/database.ts";
import { notifySql } from "../database/notifications.ts";
import { NOBODY, PARKED } from "../database/keys.ts";

/** Whether a process holds the session lock of a key. PostgreSQL shows a lock on a `bigint` in two halves. */
export const isHeld = (key: string) => `exists (
  select from pg_locks l
  where l.locktype = 'advisory' and l.objsubid = 1 and l.granted
    and l.database = (select oid from pg_database where datname = current_database())
    and (l.classid::bigint << 32 | l.objid::bigint) = ${key}
)`;

/** SQL: runs whose process is dead, because its session lock is free. */
export const IS_DEAD = `not ${isHeld("r.process")}`;

/**
 * SQL: runs that a process of version $5 may continue: those of its own version, and of the versions `gone`, as long as no
 * process has those.
 */
export const isOurs = (gone: string) =>
  `(r.version = $5 or r.version = any(${gone}::bigint[]) and not ${isHeld("r.version")})`;

/**
 * SQL: how many processes may have died because of this turn. A turn that only waited is not blamed, nor one that was
 * only planned (run 0).
 */
export const DEATHS = `(deaths + case when process > ${PARKED} and run > 0 and working then 1 else 0 end)`;

/** SQL that claims the turns that `which` selects from the runs `r`. */
export const claimSql = (which: string) => `update SCHEMA.runs as r
  set process = $1, run = run + 1, version = $5, stop_reason = coalesce($4, stop_reason), deaths = ${DEATHS}, working = true
  where ${which}
  returning name, input, run, deaths, coalesce(stop_reason, '') as stop_reason`;

/**
 * SQL: the process of a run is surely dead, because it has neither its lock nor any connection of this name. Only a process
 * that holds its own lock (`here`) may say so, and not soon after the database has started: then all processes are about
 * to connect.
 */
export const isSurelyDead = (here: string, name: string) => `${IS_DEAD} and ${isHeld(here)}
  and pg_catalog.pg_postmaster_start_time() < pg_catalog.now() - interval '10 seconds'
  and not exists (select from pg_catalog.pg_stat_activity where application_name = ${name})`;

/** SQL that stops a turn of this process. Returns a row if another process has taken the turn. */
export const STOP_MINE = `with stopped as (
    update SCHEMA.runs set stop_reason = $2 where turn_id = $1 and process = $3 and run = $4
  )
  select from SCHEMA.runs where turn_id = $1 and (process <> $3 or run <> $4)`;

/**
 * SQL that stops a turn which a living process runs. This process ($3) counts as living, even if it has lost its lock.
 */
export const stopOtherSql = (database: Pick<Database, "schema">) => `with stopped as (
    update SCHEMA.runs as r set stop_reason = $2
    where turn_id = $1 and process > ${PARKED} and (process = $3 or not (${IS_DEAD})) returning turn_id
  )
  select ${notifySql(database, "stop", "turn_id")}::text from stopped`;

/** SQL that marks a turn without a process as stopped. This process ($3) may be about to run it. */
export const STOP_NOBODYS = `insert into SCHEMA.runs as r (turn_id, name, input, process, stop_reason)
  values ($1, '', '', ${NOBODY}, $2)
  on conflict (turn_id) do update set process = ${NOBODY}, stop_reason = excluded.stop_reason
    where r.process <> $3 and ${IS_DEAD}
  returning turn_id`;
