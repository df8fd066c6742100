import { type StreamChunk, discardChunk, isDiscardable } from "../../../src/runtime/internal.ts";
import type { Database } from "../database/database.ts";
import { keyOf } from "../database/keys.ts";
import { isNewMark } from "./log-writer.ts";
import { notifySql } from "../database/notifications.ts";

/**
 * Takes back entries of a log. Resolves with `false` if the lease is lost. Does nothing if the turn has ended. The types
 * of chunks are read here: PostgreSQL cannot read JSON that contains a null character.
 */
export async function discard(
  database: Database,
  { turnId, from, fence, mark }: { turnId: string; from: number; fence: number; mark: string },
): Promise<boolean> {
  const key = keyOf(turnId);
  const rows = await database.query("select seq, chunk from SCHEMA.log where turn_id = $1 and seq >= $2", [
    key,
    from,
  ]);
  const seqs = rows
    .filter((row) => isDiscardable(chunkOf(row.text("chunk"))))
    .map((row) => row.number("seq"));
  const [written] = await database.query(
    `with grown as (
       update SCHEMA.turns set length = length + 1, last_mark = $5
       where id = $1 and fence = $2 and ended_at is null and ${isNewMark("$5", "last_mark")}
       returning id, length - 1 as seq
     ), removed as (
       delete from SCHEMA.log l using grown where l.turn_id = grown.id and l.seq = any($3::integer[])
     ), written as (
       insert into SCHEMA.log (turn_id, seq, at, chunk)
       select id, seq, floor(extract(epoch from clock_timestamp()) * 1000), $4 from grown
     )
     select ${notifySql(database, "log", "id")}::text from grown`,
    [key, fence, seqs, JSON.stringify(discardChunk(from)), mark],
  );
  if (written !== undefined) return true;
  return !(await isLost(database, turnId, fence));
}

/** Whether another process has the lease of an open turn. If not, the turn has ended, or a statement ran twice. */
export async function isLost(database: Database, turnId: string, fence: number): Promise<boolean> {
  const [lost] = await database.query(
    "select from SCHEMA.turns where id = $1 and ended_at is null and fence <> $2",
    [keyOf(turnId), fence],
  );
  return lost !== undefined;
}

function chunkOf(text: string): StreamChunk {
  const chunk: StreamChunk = JSON.parse(text);
  return chunk;
}
