import type { Decision, DecisionEntry } from "../../../audit/decision.ts";
import { type DecisionLog, UnreadableRowError } from "../../../audit/log.ts";
import { isObject } from "../../../contract/json.ts";
import type { Database, Query } from "../database/database.ts";
import { keyOf } from "../database/keys.ts";
import type { Row } from "../database/row.ts";
import { endMissing } from "./decision-chain.ts";
import type { Sealer } from "../secrets/sealer.ts";

/** Rows for each transaction, so that chaining is not blocked for long. */
const BATCH = 1000;

/** Reads and prunes the log. `sealer` decrypts the content. */
export function createPostgresDecisionLog(database: Database, sealer: Sealer | undefined): DecisionLog {
  async function decisionOf(row: Row, withContent: boolean): Promise<Decision> {
    const entry = entryIn(row);
    const person = row.text("person");
    // The values of these columns now. If a column that rows are looked up by was changed, the digest of the row no
    // longer fits.
    const chained = {
      ...entry,
      at: row.text("at"),
      userId: person === keyOf(entry.userId, "person") ? entry.userId : person,
      seq: row.number("seq"),
      previous: row.text("previous"),
    };
    if (row.isNull("sealed_digest")) return chained;
    const decision = { ...chained, contentDigest: row.text("sealed_digest") };
    if (!withContent || sealer === undefined) return decision;
    const content = await sealer.open(entry.elicitationId, row.bytes("sealed"));
    return { ...decision, content: JSON.parse(content) };
  }

  return {
    async read({ after = 0, limit, from, to, userId, content = false }) {
      const rows = await database.query(
        `select seq, encode(previous, 'hex') as previous, entry, person,
           to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
           encode(sha256(sealed), 'hex') as sealed_digest, case when $6 then sealed end as sealed
         from SCHEMA.decisions
         where seq > $1 and ($2::text is null or person = $2)
           and ($3::double precision is null or decisions.at >= to_timestamp($3 / 1000))
           and ($4::double precision is null or decisions.at < to_timestamp($4 / 1000))
         order by seq limit $5`,
        [
          after,
          userId === undefined ? null : keyOf(userId, "person"),
          from ?? null,
          to ?? null,
          limit,
          content,
        ],
      );
      return Promise.all(rows.map((row) => decisionOf(row, content)));
    },
    async head() {
      const [row] = await database.query(
        `select first, seq, encode(digest, 'hex') as digest, (select count(*) from SCHEMA.waiting_decisions) as waiting
         from SCHEMA.decisions_end`,
      );
      if (row === undefined) throw endMissing();
      const number = (column: string) => row.number(column);
      return {
        first: number("first"),
        seq: number("seq"),
        digest: row.text("digest"),
        waiting: number("waiting"),
      };
    },
    async prune(before) {
      let removed = 0;
      for (let batch = BATCH; batch === BATCH; removed += batch) {
        batch = await database.transaction((query) => pruneSome(query, before));
      }
      return removed;
    },
  };
}

function entryIn(row: Row): DecisionEntry {
  const entry = parsed(row.text("entry"));
  if (isEntry(entry)) return entry;
  throw new UnreadableRowError(row.number("seq"));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The digest covers all other fields of the row. */
function isEntry(value: unknown): value is DecisionEntry {
  return isObject(value) && ["userId", "elicitationId"].every((name) => typeof value[name] === "string");
}

async function pruneSome(query: Query, before: number): Promise<number> {
  const [end] = await query("select first, seq from SCHEMA.decisions_end for update");
  if (end === undefined) throw endMissing();
  // Read after the lock, so that every row up to the last one is visible.
  const [kept] = await query(
    "select seq from SCHEMA.decisions where at >= to_timestamp($1::double precision / 1000) order by seq limit 1",
    [before],
  );
  const first = end.number("first");
  const next = Math.min(kept?.number("seq") ?? end.number("seq") + 1, first + BATCH);
  if (next <= first) return 0;
  await query("delete from SCHEMA.decisions where seq < $1", [next]);
  await query("update SCHEMA.decisions_end set first = $1", [next]);
  return next - first;
}
