import type { RecordOverview, ElicitationRecord } from "../../../src/runtime/internal.ts";
import type { Database } from "../database/database.ts";
import { keyOf } from "../database/keys.ts";
import type { Row } from "../database/row.ts";

/** SQL: open records that have not expired. A record is kept for a day after its expiry. */
const IS_LIVE = "is_open and forget_at > now() + interval '24 hours'";
/** SQL: a column of the last record of the previous page. */
const last = (column: string) => `(select ${column} from SCHEMA.records where id = $2)`;

/** Each statement reads one range of one index, and stops at its limit. */
export const OVERVIEW_SQL = {
  open: `select record from SCHEMA.records
    where ${IS_LIVE} and ($2::text is null or forget_at >= ${last("forget_at")})
      and ($2::text is null or (forget_at, place) > (${last("forget_at")}, ${last("place")}))
    order by forget_at, place limit $1`,
  ended: `select record from SCHEMA.records
    where not is_open and ($2::text is null or forget_at <= ${last("forget_at")})
      and ($2::text is null or (forget_at, place) < (${last("forget_at")}, ${last("place")}))
    order by forget_at desc, place desc limit $1`,
  count: `select count(*)::integer as count from (select from SCHEMA.records where ${IS_LIVE} limit $1) as counted`,
};

/** The records of all users, for the operator page. */
export function createPostgresOverview(database: Database): RecordOverview {
  return {
    async list({ isOpen, limit, after }) {
      const cursor = after === undefined ? null : keyOf(after);
      const rows = await database.query(isOpen ? OVERVIEW_SQL.open : OVERVIEW_SQL.ended, [limit, cursor]);
      return rows.map(recordOf);
    },
    async countOpen(most) {
      const [row] = await database.query(OVERVIEW_SQL.count, [most]);
      return row?.number("count") ?? 0;
    },
  };
}

export function recordOf(row: Row): ElicitationRecord {
  const record: ElicitationRecord = JSON.parse(row.text("record"));
  return record;
}
