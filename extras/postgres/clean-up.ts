import type { Database } from "./database/database.ts";
import { NOBODY } from "./database/keys.ts";

/** How long the content of an answer is kept after the answer. It is kept longer while its turn is open. */
const KEEP_SETTLED = "interval '10 minutes'";
/** Slow readers get this much time to read the rest of a turn that can no longer be found. */
const KEEP_FOR_READERS = "interval '5 minutes'";
/** Rows for each statement, so that a statement does not block others for long. */
const BATCH = 1000;

/** What is deleted, and when. Each statement returns the rows that it has deleted. */
const STATEMENTS: readonly string[] = [
  // Keep the records of an open turn: when the turn runs again, it asks all its questions again and needs their
  // answers.
  `delete from SCHEMA.records where id in (
     select r.id from SCHEMA.records r
     where r.forget_at <= now() and not exists (
       select from SCHEMA.turns t where t.id = r.turn_id and t.ended_at is null
     )
     limit ${BATCH} for update of r skip locked
   ) returning id`,
  `delete from SCHEMA.settlements where id in (
     select s.id from SCHEMA.settlements s
     where s.settled_at <= now() - ${KEEP_SETTLED} and not exists (
       select from SCHEMA.records r join SCHEMA.turns t on t.id = r.turn_id where r.id = s.id and t.ended_at is null
     )
     limit ${BATCH} for update of s skip locked
   ) returning id`,
  // The process died before it ran these turns, and no row says how to run them.
  `update SCHEMA.turns t set ended_at = now(), forget_at = now()
   where fence = 0 and ended_at is null and opened_at <= now() - interval '1 day'
     and not exists (select from SCHEMA.runs r where r.turn_id = t.id) returning id`,
  // The process that stopped these turns, which no process ran, died before it wrote their end.
  `update SCHEMA.turns set ended_at = now(), forget_at = now()
   where ended_at is null and opened_at <= now() - interval '1 day'
     and id in (select turn_id from SCHEMA.runs where process = ${NOBODY}) returning id`,
  `with gone as (
     delete from SCHEMA.turns where id in (
       select id from SCHEMA.turns where forget_at <= now() - ${KEEP_FOR_READERS} limit 100 for update skip locked
     ) returning id
   ), conversations as (
     delete from SCHEMA.conversations where turn_id in (select id from gone)
   ), log as (
     delete from SCHEMA.log where turn_id in (select id from gone)
   ), runs as (
     delete from SCHEMA.runs where turn_id in (select id from gone)
   ), steps as (
     delete from SCHEMA.steps where turn_id in (select id from gone)
   )
   select id from gone`,
  `delete from SCHEMA.notices where person in (
     select person from SCHEMA.notices where forget_at <= now() limit ${BATCH} for update skip locked
   ) returning person`,
  `delete from SCHEMA.secrets where forget_at <= now() returning id`,
  `delete from SCHEMA.locks where until <= now() - interval '1 minute' returning id`,
  `delete from SCHEMA.uses where started_at <= now() - interval '2 minutes' returning id`,
];

/**
 * Deletes rows that are no longer needed, then does `more`. Returns the number of deleted rows. Several processes may do
 * this at the same time. If a part fails, the others are done nevertheless, and then it rejects.
 */
export async function cleanUp(database: Database, more: () => Promise<number>): Promise<number> {
  let count = 0;
  const errors: unknown[] = [];
  for (const part of [...STATEMENTS.map((statement) => () => deleteAll(database, statement)), more]) {
    try {
      count += await part();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return count;
}

async function deleteAll(database: Database, statement: string): Promise<number> {
  let count = 0;
  for (let deleted = 1; deleted > 0; count += deleted) {
    deleted = (await database.query(statement)).length;
  }
  return count;
}
