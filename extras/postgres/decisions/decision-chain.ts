import { type DecisionEntry, chain } from "../../audit/decision.ts";
import { KitError } from "../../../src/contract/kit-error.ts";
import type { Database, Query } from "../database/database.ts";

/** Rows for each transaction. */
const BATCH = 500;

/**
 * Gives the stored rows their places in the log. It locks the row of `decisions_end`, so that one process works at a
 * time. Rows get places in the order in which they are found committed, so there are no gaps. The events of one request
 * keep their order, because a process reads the last change before it makes the next. `ifBusy`: what to do while another
 * process chains.
 */
export async function chainDecisions(database: Database, ifBusy: "wait" | "leave"): Promise<void> {
  for (let chained = BATCH; chained === BATCH;) {
    chained = await database.transaction((query) => chainSome(query, ifBusy));
  }
}

/** Without its last row, the log can be neither extended nor verified. */
export function endMissing(): KitError {
  return new KitError(
    "elicit-kit: the table decisions_end of the decision log has no row. It was removed: restore the tables of the log from a backup.",
  );
}

async function chainSome(query: Query, ifBusy: "wait" | "leave"): Promise<number> {
  const lock = ifBusy === "wait" ? "for update" : "for update skip locked";
  const [end] = await query(`select seq, encode(digest, 'hex') as digest from SCHEMA.decisions_end ${lock}`);
  if (end === undefined) {
    if (ifBusy === "wait") throw endMissing();
    // Another process is chaining just now.
    return 0;
  }
  const waiting = await query(
    `select place::text, entry from SCHEMA.waiting_decisions w order by w.place limit ${BATCH}`,
  );
  if (waiting.length === 0) return 0;
  const entries = waiting.map((row): DecisionEntry => JSON.parse(row.text("entry")));
  const chained = await chain({ seq: end.number("seq"), digest: end.text("digest") }, entries);
  await query(
    `with moved as (
       delete from SCHEMA.waiting_decisions where place = any($1::bigint[])
       returning place, person, at, entry, sealed
     )
     insert into SCHEMA.decisions (seq, previous, person, at, entry, sealed)
     select c.seq, decode(c.previous, 'hex'), m.person, m.at, m.entry, m.sealed
     from moved m join unnest($1::bigint[], $2::bigint[], $3::text[]) as c(place, seq, previous) using (place)
     order by c.seq`,
    [
      waiting.map((row) => row.text("place")),
      chained.rows.map(({ seq }) => seq),
      chained.rows.map(({ previous }) => previous),
    ],
  );
  await query("update SCHEMA.decisions_end set seq = $1, digest = decode($2, 'hex')", [
    chained.end.seq,
    chained.end.digest,
  ]);
  return waiting.length;
}
