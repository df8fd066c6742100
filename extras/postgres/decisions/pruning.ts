import { digestOf } from "../../audit/decision.ts";
import { unreadableRowOf } from "../../audit/log.ts";
import type { Query } from "../database/database.ts";
import type { Row } from "../database/row.ts";
import type { Sealer } from "../secrets/sealer.ts";
import { endMissing } from "./decision-chain.ts";
import { ROW, decisionOf } from "./decision-row.ts";

/** Rows for each transaction, so that chaining is not blocked for long. */
export const BATCH = 1000;
const PROOF = "pruned";

/** The columns of `decisions_end e`. `before`: the digest of the row before the first one that is kept. */
export const END = `e.first, e.seq, encode(e.digest, 'hex') as digest, e.pruned, coalesce(
  (select encode(d.previous, 'hex') from SCHEMA.decisions d where d.seq = e.first), encode(e.digest, 'hex')) as before`;

/** Whether all rows are there, except for rows that {@link pruneSome} has removed. */
export async function isProven(end: Row, sealer: Sealer): Promise<boolean> {
  if (end.number("first") === 1) return true;
  if (end.isNull("pruned")) return false;
  try {
    return (await sealer.open(PROOF, end.bytes("pruned"))) === proofOf(end);
  } catch {
    // It was sealed with another key, or it is something else.
    return false;
  }
}

/** The encrypted proof fits no other place of this log, and no other log. */
function proofOf(end: Row): string {
  return `${end.number("first")} ${end.text("before")}`;
}

/**
 * Removes some rows. It renews the proof only if the start of the log was proven and the removed rows are an unbroken
 * chain. Otherwise {@link isProven} is false from then on.
 */
export async function pruneSome(query: Query, sealer: Sealer, before: number): Promise<number> {
  await query("select from SCHEMA.decisions_end for update");
  // Read after the lock, so that every row up to the last one is visible.
  const end = await endOf(query);
  const [kept] = await query(
    "select seq from SCHEMA.decisions where at >= to_timestamp($1::double precision / 1000) order by seq limit 1",
    [before],
  );
  const first = end.number("first");
  const next = Math.min(kept?.number("seq") ?? end.number("seq") + 1, first + BATCH);
  if (next <= first) return 0;
  const removed = await query(
    `with removed as (delete from SCHEMA.decisions where seq < $1 returning *) select ${ROW} from removed order by seq`,
    [next],
  );
  await query("update SCHEMA.decisions_end set first = $1", [next]);
  const wasProven = await isProven(end, sealer);
  const after = await endOf(query);
  if (wasProven && (await isChain(removed, first, after))) {
    const { sealed } = await sealer.seal(PROOF, proofOf(after));
    await query("update SCHEMA.decisions_end set pruned = $1", [sealed]);
  }
  return next - first;
}

async function endOf(query: Query): Promise<Row> {
  const [end] = await query(`select ${END} from SCHEMA.decisions_end e`);
  if (end === undefined) throw endMissing();
  return end;
}

/** Whether these are all rows from `first` up to the start of the log, unchanged. */
async function isChain(rows: readonly Row[], first: number, start: Row): Promise<boolean> {
  if (rows.length !== start.number("first") - first) return false;
  let digest: string | undefined;
  try {
    for (const [index, row] of rows.entries()) {
      const decision = await decisionOf(row, undefined);
      if (decision.seq !== first + index || (index > 0 && decision.previous !== digest)) return false;
      digest = await digestOf(decision);
    }
  } catch (error) {
    if (unreadableRowOf(error) === undefined) throw error;
    return false;
  }
  return digest === start.text("before");
}
